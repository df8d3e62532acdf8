//! Bundles: fetched for several targets, carried, synced where there is no network at all.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use fs_err as fs;
use insta::assert_snapshot;
use rocmenv_tests::channels::standalone_python;
use rocmenv_tests::{
    Index, Output, Sandbox, TarballBuilder, WheelBuilder, World, machine_python, sha256,
};

use super::{bare, connected, rocmenv, snapshot};

/// A project for this machine and one more, with an interpreter of the registry's.
fn project() -> (rocmenv_tests::channels::Internet, Sandbox) {
    let (program, series) = machine_python();
    let version = format!("{series}.99");
    let python = TarballBuilder::standalone_python(&version, &program).build();
    let world: World = standalone_python(bare(), &version, "20990101", &program);
    let fast = |arch: &str| {
        WheelBuilder::new("fast", "1.0")
            .tag(&format!("py3-none-manylinux_2_17_{arch}"))
            .file("fast/weights.bin", vec![7; 200_000])
    };
    let lab = Index::new("lab")
        .at("https://wheels.lab.test/")
        .wheel(fast("x86_64"))
        .wheel(fast("aarch64"))
        .wheel(WheelBuilder::new("late", "1.0"));
    let (internet, mut sandbox) = connected(world.index(lab));
    sandbox.filter(r"\d+(\.\d+)? k?B\b", "[SIZE]").filter(r"cpython-3\.\d+", "cpython-[3]");
    sandbox.write(
        "rocm.registry.d/here.toml",
        format!(
            "[sources]\nsource = [{{ key = \"here\", site = \"this test\" }}]\n\n\
             [pythons]\nbuild = [{{ version = \"{version}\", build = \"20990101\", \
             target = \"linux\", flavor = \"install_only_stripped\", sha256 = \"{}\", \
             source = \"here\" }}]\n",
            sha256(&python)
        ),
    );
    write_manifest(&sandbox, &series, "");
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    (internet, sandbox)
}

fn write_manifest(sandbox: &Sandbox, series: &str, more: &str) {
    sandbox.write(
        "rocm.toml",
        format!(
            "[requires]\npython = \"{series}\"\n\n[python-packages]\n\
             fast = {{ version = \"*\", index = \"lab\" }}\nnumpy = \"*\"\n{more}\n\
             [python]\nsource = \"managed\"\n\n[indexes.lab]\nurl = \"https://wheels.lab.test/\"\n\n\
             [targets.here]\narch = \"x86_64\"\nlibc = \"2.36\"\n\n\
             [targets.arm]\narch = \"aarch64\"\nlibc = \"2.36\"\n"
        ),
    );
}

/// A call where no address can be reached: in a network namespace without any route, where this
/// machine lets a test make one.
fn without_network(sandbox: &Sandbox, words: &str) -> Output {
    let isolated = [vec!["-n"], vec!["-r", "-n"]]
        .into_iter()
        .find(|flags| sandbox.command("unshare").args(flags).arg("true").run().code == 0);
    let program = env!("CARGO_BIN_EXE_rocmenv");
    if let Some(flags) = isolated {
        let run = sandbox.command("unshare").args(flags).arg(program);
        run.args(words.split_whitespace()).run()
    } else {
        let _ = writeln!(
            std::io::stderr(),
            "no network namespace can be made here: only the proxies are closed"
        );
        let run = sandbox.command(program).args(words.split_whitespace());
        ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
            .into_iter()
            .fold(run, |run, name| run.env(name, "http://127.0.0.1:9"))
            .run()
    }
}

/// Nothing of this machine's user is left but the project's two files.
fn forget_all(sandbox: &Sandbox) {
    for folder in ["project/.rocmenv", "home/data", "home/cache"] {
        let _ = fs::remove_dir_all(sandbox.path(folder));
        fs::create_dir_all(sandbox.path(folder)).expect("the sandbox can be written");
    }
}

/// Every file of an environment: content, link target and permission.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    use std::os::unix::fs::PermissionsExt as _;
    let (mut found, mut waiting) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(at) = waiting.pop() {
        for entry in fs::read_dir(&at).expect("a folder") {
            let path = entry.expect("an entry").path();
            let metadata = fs::symlink_metadata(&path).expect("its metadata");
            let name = path.strip_prefix(folder).expect("inside").display().to_string();
            let mode = metadata.permissions().mode() & 0o777;
            if metadata.is_symlink() {
                let target = fs::read_link(&path).expect("a link");
                found.insert(name, format!("-> {}", target.display()));
            } else if metadata.is_dir() {
                found.insert(name, format!("folder {mode:o}"));
                waiting.push(path);
            } else {
                let content = fs::read(&path).expect("its content");
                found.insert(name, format!("{} {mode:o}", sha256(&content)));
            }
        }
    }
    found
}

fn environment(sandbox: &Sandbox) -> BTreeMap<String, String> {
    tree(&sandbox.project().join(".rocmenv/here/generations/1/env"))
}

#[test]
fn a_bundle_makes_the_same_tree_without_a_route() {
    let (internet, sandbox) = project();
    let synced = rocmenv(&sandbox, "sync --target here -q");
    assert_eq!(synced.code, 0, "{}", synced.snapshot());
    let online = environment(&sandbox);
    assert!(online.len() > 10, "{online:?}");
    assert_snapshot!(snapshot(&sandbox, "fetch --to ../bundle --dry-run"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `arm`: no interpreter is in the bundle: the registry knows no interpreter builds for Linux on aarch64 with glibc 2.36
        would fetch for arm, here: 4 files, [SIZE]; of 1 of them the size or hash is not known yet
        nothing was written (`--dry-run`)
        ");
    assert_snapshot!(snapshot(&sandbox, "fetch --to ../bundle"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `arm`: no interpreter is in the bundle: the registry knows no interpreter builds for Linux on aarch64 with glibc 2.36
        `../bundle` holds for arm, here: 4 files, [SIZE]
        next, where rocm.toml and rocm.lock are: rocmenv sync --offline --from bundle
        ");
    assert_snapshot!(snapshot(&sandbox, "fetch --to ../bundle.tar"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `arm`: no interpreter is in the bundle: the registry knows no interpreter builds for Linux on aarch64 with glibc 2.36
        `../bundle.tar` holds for arm, here: 4 files, [SIZE]
        next, where rocm.toml and rocm.lock are: rocmenv sync --offline --from bundle.tar
        ");
    drop(internet);
    for from in ["../bundle", "../bundle.tar"] {
        forget_all(&sandbox);
        let words = format!("sync --offline --target here --from {from} -q");
        let synced = without_network(&sandbox, &words);
        assert_eq!(synced.code, 0, "{from}: {}", synced.snapshot());
        assert_eq!(environment(&sandbox), online, "{from}");
        let ran = without_network(&sandbox, "run -q python -c print('ran')");
        assert_eq!((ran.code, ran.stdout.as_str()), (0, "ran\n"), "{}", ran.snapshot());
    }
}

#[test]
fn targets_fetched_one_after_the_other_lie_in_one_folder() {
    let (_internet, sandbox) = project();
    assert_eq!(rocmenv(&sandbox, "fetch -q --target here --to ../bundle").code, 0);
    let one = files_of(&sandbox.path("bundle"));
    assert_eq!(rocmenv(&sandbox, "fetch -q --target arm --to ../bundle").code, 0);
    let both = files_of(&sandbox.path("bundle"));
    assert!(one.len() < both.len() && one.iter().all(|file| both.contains(file)));
    assert_eq!(rocmenv(&sandbox, "fetch -q --to ../all").code, 0);
    assert_eq!(both, files_of(&sandbox.path("all")));
}

fn files_of(folder: &Path) -> Vec<String> {
    let is_file =
        |(name, what): &(String, String)| name.starts_with("files/") && !what.starts_with("folder");
    let files = tree(folder).into_iter().filter(is_file);
    files.map(|(name, _)| name).collect()
}

#[test]
fn a_changed_byte_a_missing_and_an_added_file_are_refused() {
    let (_internet, sandbox) = project();
    assert_eq!(rocmenv(&sandbox, "fetch -q --to ../bundle").code, 0);
    assert_eq!(rocmenv(&sandbox, "fetch -q --to ../bundle.tar").code, 0);
    forget_all(&sandbox);
    let refused = |from: &str, what: &str| {
        let words = format!("sync --offline --target here --from {from}");
        let output = rocmenv(&sandbox, &words);
        assert_eq!(output.code, 5, "{what}: {}", output.snapshot());
        assert!(!sandbox.exists(".rocmenv/here/current"), "{what}");
        output
    };
    let folder = sandbox.path("bundle");
    let flipped = |path: &Path, at: usize, what: &str, from: &str| {
        let good = fs::read(path).expect("a file");
        let mut bad = good.clone();
        let at = at.min(bad.len() - 1);
        bad[at] ^= 1;
        // A link of a download would be changed with it, so the file is made anew.
        fs::remove_file(path).expect("removed");
        fs::write(path, bad).expect("written");
        refused(from, what);
        fs::write(path, good).expect("written");
    };
    for name in tree(&folder).keys().filter(|name| folder.join(name).is_file()) {
        let path = folder.join(name);
        let size = usize::try_from(fs::metadata(&path).expect("metadata").len()).expect("small");
        for at in [0, size / 2, size - 1] {
            flipped(&path, at, &format!("{name} at {at}"), "../bundle");
        }
    }
    let tar = sandbox.path("bundle.tar");
    let size = usize::try_from(fs::metadata(&tar).expect("metadata").len()).expect("small");
    for step in 0..12 {
        flipped(&tar, step * size / 12 + step, "the tar", "../bundle.tar");
    }
    fs::write(folder.join("files/more"), "").expect("written");
    assert_snapshot!(refused("../bundle", "an added file").snapshot(), @r"
        exit: 5
        --- stdout ---
        --- stderr ---
        error[bundle-damaged]: the bundle `../bundle` is damaged: `files/more` is not in its list
        help: rocmenv fetch --to DIR (where there is a network)
        ");
    fs::remove_file(folder.join("files/more")).expect("removed");
    let wheel = folder.join(files_of(&folder).first().expect("a file"));
    fs::remove_file(&wheel).expect("removed");
    refused("../bundle", "a missing file");
    assert_snapshot!(snapshot(&sandbox, "sync --offline --target here --from ../nothing"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[bundle-missing]: `../nothing` is no bundle: it has no `bundle.json`
        help: rocmenv fetch --to DIR (where there is a network)
        ");
}

#[test]
fn a_later_bundle_leaves_out_what_an_earlier_one_holds() {
    let (_internet, sandbox) = project();
    let (_, series) = machine_python();
    assert_eq!(rocmenv(&sandbox, "fetch -q --to ../first").code, 0);
    write_manifest(&sandbox, &series, "late = { version = \"*\", index = \"lab\" }\n");
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    assert_snapshot!(snapshot(&sandbox, "fetch --to ../second --since ../first"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `arm`: no interpreter is in the bundle: the registry knows no interpreter builds for Linux on aarch64 with glibc 2.36
        `../second` holds for arm, here: 1 files, [SIZE]; 4 more lie in the earlier bundle
        next, where rocm.toml and rocm.lock are: rocmenv sync --offline --from second
        ");
    assert_eq!(files_of(&sandbox.path("second")).len(), 1);
    forget_all(&sandbox);
    assert_snapshot!(snapshot(&sandbox, "sync --offline --target here --from ../second"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[bundle-incomplete]: 3 file(s) lie in the earlier bundle that this one was made against, `cpython-[3].99+20990101-x86_64-unknown-linux-gnu-install_only_stripped.tar.gz` for one
        help: rocmenv sync --offline --from EARLIER --from THIS
        ");
    let both = without_network(
        &sandbox,
        "sync -q --offline --target here --from ../first --from ../second",
    );
    assert_eq!(both.code, 0, "{}", both.snapshot());
    let words = ["run", "-q", "python", "-c", "import late; print(late.__version__)"];
    let ran = sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "1.0\n"), "{}", ran.snapshot());
}

#[test]
fn a_lock_that_does_not_fit_is_not_fetched_for() {
    let (_internet, sandbox) = project();
    let (_, series) = machine_python();
    write_manifest(&sandbox, &series, "late = { version = \"*\", index = \"lab\" }\n");
    assert_snapshot!(snapshot(&sandbox, "fetch --to ../bundle"), @r"
        exit: 3
        --- stdout ---
        --- stderr ---
        error[lock-outdated]: `rocm.lock` is not up to date
        help: rocmenv lock
        ");
}

#[test]
fn a_lock_is_made_of_what_the_bundle_holds() {
    let (internet, sandbox) = project();
    for to in ["../bundle", "../bundle.tar"] {
        assert_eq!(rocmenv(&sandbox, &format!("fetch -q --to {to}")).code, 0);
    }
    drop(internet);
    let lock = sandbox.read("rocm.lock");
    let manifest = sandbox.read("rocm.toml");
    forget_all(&sandbox);
    for from in ["../bundle", "../bundle.tar"] {
        let checked = without_network(&sandbox, &format!("lock --check --offline --from {from}"));
        assert_eq!(checked.code, 0, "{from}: {}", checked.snapshot());
    }
    // a pin to what is there: by itself, and on the way of a sync
    let pinned = manifest.replace("fast = { version = \"*\"", "fast = { version = \"==1.0\"");
    sandbox.write("rocm.toml", &pinned);
    assert_eq!(without_network(&sandbox, "lock --check --offline --from ../bundle").code, 3);
    let locked = without_network(&sandbox, "lock -q --offline --from ../bundle");
    assert_eq!(locked.code, 0, "{}", locked.snapshot());
    let files = |lock: &str| {
        let lines = lock.lines().filter(|line| line.starts_with("sha256"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(files(&sandbox.read("rocm.lock")), files(&lock));
    sandbox.write("rocm.toml", pinned.replace("==1.0", ">=1.0"));
    let synced = without_network(&sandbox, "sync -q --offline --target here --from ../bundle.tar");
    assert_eq!(synced.code, 0, "{}", synced.snapshot());
    // what it does not hold, and what nobody carried
    let (_, series) = machine_python();
    write_manifest(&sandbox, &series, "late = { version = \"*\", index = \"lab\" }\n");
    assert_snapshot!(without_network(&sandbox, "lock --offline --from ../bundle").snapshot(), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[bundle-incomplete]: what the bundle holds is not what `rocm.toml` asks for: rocm.toml:7 asks for late
        there is no late
        help: rocmenv lock && rocmenv fetch --to DIR (where there is a network)
        ");
    assert_eq!(without_network(&sandbox, "lock --offline").code, 4);
    // a bundle whose file is not the one of rocm.lock
    let wheel = lock.split("[[package.file]]").find(|part| part.contains("fast-1.0-"));
    let digest = wheel.and_then(|part| part.split("sha256 = \"").nth(1)).expect("a digest");
    let (digest, other) = (&digest[..64], "0".repeat(64));
    sandbox.write("rocm.lock", lock.replace(digest, &other));
    let refused = without_network(&sandbox, "lock --offline --from ../bundle");
    assert_eq!(refused.code, 5, "{}", refused.snapshot());
}
