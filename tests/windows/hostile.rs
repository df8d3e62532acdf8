//! Names that Windows cannot hold, long paths, links in archives.

use insta::assert_snapshot;
use rocmenv_tests::{Index, TarballBuilder, WheelBuilder, sha256};

use super::Desk;

#[test]
fn names_that_windows_cannot_hold_are_refused() {
    let names =
        ["aux.py", "con", "com7.txt", "dot.", "blank ", "a:b.py", "what?.py", "back\\slash.py"];
    let packages: Vec<String> = (0..names.len()).map(|at| format!("bad-{at}")).collect();
    let script = WheelBuilder::new("script", "1.0").console_script("con", "script:main");
    let index = packages.iter().zip(names).fold(
        Index::new("main").wheel(script),
        |index, (package, name)| {
            index.wheel(WheelBuilder::new(package, "1.0").file(&format!("bad/{name}"), ""))
        },
    );
    let Some(desk) = Desk::with("names_that_windows_cannot_hold_are_refused", index) else {
        return;
    };
    let mut told = Vec::new();
    for package in &packages {
        desk.ask(&format!("{package} = \"*\""));
        let output = desk.wine.rocmenv("sync -q").run();
        let cause =
            output.stderr.lines().find(|line| line.contains("caused by")).unwrap_or_default();
        told.push(format!("exit {}: {}", output.code, cause.trim()));
    }
    assert_snapshot!(told.join("\n"), @r"
        exit 5: caused by: the archive is refused because of its entry `bad/aux.py`, which has a name that Windows cannot hold
        exit 5: caused by: the archive is refused because of its entry `bad/con`, which has a name that Windows cannot hold
        exit 5: caused by: the archive is refused because of its entry `bad/com7.txt`, which has a name that Windows cannot hold
        exit 5: caused by: the archive is refused because of its entry `bad/dot.`, which has a name that Windows cannot hold
        exit 5: caused by: the archive is refused because of its entry `bad/blank `, which has a name that Windows cannot hold
        exit 5: caused by: the archive is refused because of its entry `bad/a:b.py`, which has a name that Windows cannot hold
        exit 5: caused by: the archive is refused because of its entry `bad/what?.py`, which has a name that Windows cannot hold
        exit 5: caused by: the archive is refused because of its entry `bad/back\slash.py`, which has a name that Windows cannot hold
        ");
    desk.ask("script = \"*\"");
    assert_snapshot!(desk.snapshot("sync -q"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[environment-not-built]: cannot install `script`
          caused by: its script `con` has a name that Windows cannot hold
        help: rocmenv sync
        ");
    assert!(!desk.wine.project(".rocmenv/host/current").exists());
}

#[test]
fn names_that_differ_by_case_alone_collide() {
    let one = WheelBuilder::new("one", "1.0").file("shared/Data.txt", "1");
    let two = WheelBuilder::new("two", "1.0").file("Shared/data.txt", "2");
    let index = Index::new("main").wheel(one).wheel(two);
    let Some(desk) = Desk::with("names_that_differ_by_case_alone_collide", index) else { return };
    desk.ask("one = \"*\"\ntwo = \"*\"");
    assert_snapshot!(desk.snapshot("sync -q"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[environment-not-built]: packages bring different files to 1 place(s): `env/Lib/site-packages/shared/data.txt` comes with `one` and with `two`
        help: rocmenv sync
        ");
}

#[test]
fn paths_beyond_260_characters_are_written_and_read() {
    let deep = format!("deep/{}/leaf.py", ["a-folder-with-a-long-name"; 12].join("/"));
    let wheel = WheelBuilder::new("deep", "1.0").file(&deep, "print('found')\n");
    let index = Index::new("main").wheel(wheel);
    let Some(desk) = Desk::with("paths_beyond_260_characters_are_written_and_read", index) else {
        return;
    };
    desk.ask("deep = \"*\"");
    let output = desk.wine.must("sync");
    let file = desk.generation(1, &format!("env/Lib/site-packages/{deep}"));
    assert!(file.to_string_lossy().len() > 300);
    assert_eq!(fs_err::read_to_string(file).unwrap(), "print('found')\n");
    assert!(output.stderr.contains("260 characters"), "{}", output.snapshot());
    let verified = desk.wine.rocmenv("verify --deep").run();
    assert_eq!(verified.code, 0, "{}", verified.snapshot());
    // A project that lies deep itself.
    let folder = ["another-folder-with-a-long-name"; 9].join("/");
    fs_err::create_dir_all(desk.wine.project(&folder)).unwrap();
    fs_err::rename(
        desk.wine.project("rocm.toml"),
        desk.wine.project(&format!("{folder}/rocm.toml")),
    )
    .unwrap();
    let words = format!("--project {} sync", folder.replace('/', "\\"));
    let output = desk.wine.rocmenv(&words).run();
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let current = desk.wine.project(&format!("{folder}/.rocmenv/host/current"));
    assert_eq!(fs_err::read_to_string(current).unwrap(), "1\n");
}

#[test]
fn what_stands_for_a_link_is_found_through_its_name() {
    let test = "what_stands_for_a_link_is_found_through_its_name";
    let Some(mut desk) = Desk::new(test) else { return };
    // A build of an interpreter, the stub, with links as no archive for Windows has them today.
    let stub = fs_err::read(desk.wine.project("../python/python.exe")).unwrap();
    let archive = TarballBuilder::new()
        .prefix("python/")
        .executable("python.exe", stub.clone())
        .executable("Lib/venv/scripts/nt/venvlauncher.exe", stub)
        .symlink("Lib/venv/scripts/nt/venvwlauncher.exe", "venvlauncher.exe")
        .file("version.txt", "3.12.99\n")
        .symlink("share", "Lib")
        .build();
    let digest = sha256(&archive);
    let version = "3.12.99";
    let file =
        format!("cpython-{version}+20990101-x86_64-pc-windows-msvc-install_only_stripped.tar.gz");
    let server = rocmenv_tests::IndexServer::start(
        rocmenv_tests::World::new().file(&format!("/builds/20990101/{file}"), archive),
    );
    desk.wine.sandbox().env("ROCMENV_PYTHON_BUILDS_URL", &server.path("/builds/"));
    let overlay = format!(
        "[sources]\nsource = [{{ key = \"here\", site = \"this test\" }}]\n\n\
         [pythons]\nbuild = [{{ version = \"{version}\", build = \"20990101\", \
         target = \"windows\", flavor = \"install_only_stripped\", \
         sha256 = \"{digest}\", source = \"here\" }}]\n"
    );
    let folder = desk.wine.project("rocm.registry.d");
    fs_err::create_dir(&folder).unwrap();
    fs_err::write(folder.join("python.toml"), overlay).unwrap();
    let manifest = fs_err::read_to_string(desk.wine.project("rocm.toml")).unwrap();
    let manifest = manifest.replace("source = \"host\"", "source = \"managed\"");
    fs_err::write(desk.wine.project("rocm.toml"), manifest).unwrap();
    desk.wine.must("sync");
    let record = fs_err::read_to_string(desk.generation(1, "generation.json")).unwrap();
    assert!(record.contains("3.12.99") && record.contains("\"managed\""), "{record}");
    // The link to a file became a file, the one to a folder a folder of the same files.
    assert!(desk.generation(1, "env/Scripts/pythonw.exe").is_file());
    let pythons = desk.wine.project("../data/store/v1/python");
    let kept = fs_err::read_dir(pythons).unwrap().next().unwrap().unwrap().path();
    assert!(kept.join("root/share/venv/scripts/nt/venvlauncher.exe").is_file());
    let ran = desk.wine.rocmenv("run greet").run();
    assert!(ran.stdout.starts_with("hello"), "{}", ran.snapshot());
}
