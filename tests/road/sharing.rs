//! One copy for many: an administrator's store as a layer, and many programs at once.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use fs_err as fs;
use insta::assert_snapshot;
use rocmenv_tests::{Index, IndexServer, Sandbox, WheelBuilder};

use super::{rocmenv, served, snapshot};

const WEIGHTS: usize = 300_000;

/// An administrator has synced a project with a large file; his data folder is `admin`.
fn administered() -> (IndexServer, Sandbox) {
    let index = Index::new("main")
        .wheel(WheelBuilder::new("model", "1.0").file("model/weights.bin", vec![5; WEIGHTS]));
    let (server, mut sandbox) = served(index);
    sandbox.write("rocm.toml", "[python-packages]\nmodel = \"*\"\n");
    let admin = sandbox.path("admin").display().to_string();
    let made = sandbox
        .command(env!("CARGO_BIN_EXE_rocmenv"))
        .args(["sync", "-q"])
        .env("ROCMENV_DATA", &admin)
        .run();
    assert_eq!(made.code, 0, "{}", made.snapshot());
    fs::remove_dir_all(sandbox.project().join(".rocmenv")).expect("removed");
    fs::remove_file(sandbox.project().join(".venv")).expect("removed");
    fs::remove_dir_all(sandbox.path("home/cache")).expect("removed");
    fs::create_dir(sandbox.path("home/cache")).expect("made");
    sandbox.env("ROCMENV_LAYERS", &admin);
    (server, sandbox)
}

/// Bytes of files below a folder, each inode once; links are not followed.
fn bytes(folder: &Path) -> u64 {
    let mut inodes = BTreeMap::new();
    walk(folder, &mut |_, metadata| {
        if metadata.is_file() {
            inodes.insert(metadata.ino(), metadata.len());
        }
    });
    inodes.values().sum()
}

fn walk(folder: &Path, look: &mut dyn FnMut(&Path, &std::fs::Metadata)) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        let metadata = fs::symlink_metadata(&path).expect("its metadata");
        look(&path, &metadata);
        if metadata.is_dir() {
            walk(&path, look);
        }
    }
}

fn weights(sandbox: &Sandbox) -> PathBuf {
    let mut found = None;
    walk(&sandbox.project().join(".rocmenv"), &mut |path, _| {
        if path.ends_with("model/weights.bin") {
            found = Some(path.to_owned());
        }
    });
    found.expect("weights.bin is in the environment")
}

#[test]
fn what_a_layer_has_is_neither_fetched_nor_kept_again() {
    let (server, sandbox) = administered();
    let before = server.downloads("model-1.0-py3-none-any.whl");
    let made = rocmenv(&sandbox, "sync --locked -q");
    assert_eq!(made.code, 0, "{}", made.snapshot());
    assert_eq!(server.downloads("model-1.0-py3-none-any.whl"), before);
    let own = bytes(&sandbox.path("home/data"));
    assert!(own < 100_000, "the user's own store holds {own} bytes");
    assert_eq!(fs::metadata(weights(&sandbox)).expect("metadata").len(), WEIGHTS as u64);
    assert_eq!(rocmenv(&sandbox, "verify files --deep").code, 0);
    assert!(!rocmenv(&sandbox, "status").stdout.contains("missing"));
}

/// Another user may not make hard links to files that are not his (`fs.protected_hardlinks`).
#[test]
fn another_user_gets_a_symbolic_link_to_each_file_and_no_bytes() {
    let (_server, sandbox) = administered();
    if fs::metadata(sandbox.project()).expect("metadata").uid() != 0 {
        let _ = writeln!(std::io::stderr(), "skipped: only root can become another user");
        return;
    }
    // A program that nobody else may reach cannot be run by another user.
    let program = sandbox.path("bin/rocmenv");
    fs::copy(env!("CARGO_BIN_EXE_rocmenv"), &program).expect("copied");
    for open in ["", "bin", "admin"] {
        let path = sandbox.path(open);
        fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("opened");
    }
    for own in ["home", "project", "tmp"] {
        give(&sandbox.path(own), OTHER);
    }
    let id = OTHER.to_string();
    let as_other = |words: &str| {
        let words = words.split_whitespace();
        sandbox
            .command("setpriv")
            .args(["--reuid", &id, "--regid", &id, "--clear-groups"])
            .arg(&program)
            .args(words)
            .run()
    };
    let made = as_other("sync --locked -q");
    assert_eq!(made.code, 0, "{}", made.snapshot());
    let file = weights(&sandbox);
    let protected = fs::read_to_string("/proc/sys/fs/protected_hardlinks").unwrap_or_default();
    if protected.trim() == "1" {
        let target = fs::read_link(&file).expect("a symbolic link");
        assert!(target.starts_with(sandbox.path("admin")), "{}", target.display());
    } else {
        let _ = writeln!(std::io::stderr(), "fs.protected_hardlinks is off: hard links are made");
    }
    let own = bytes(&sandbox.path("home/data")) + bytes(&sandbox.project().join(".rocmenv"));
    assert!(own < 200_000, "the user's own files hold {own} bytes");
    let ran = sandbox
        .command("setpriv")
        .args(["--reuid", &id, "--regid", &id, "--clear-groups"])
        .arg(&program)
        .args(["run", "-q", "python", "-c", "import model; print(model.__version__)"])
        .run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "1.0\n"), "{}", ran.snapshot());
    let verified = as_other("verify files --deep");
    assert_eq!(verified.code, 0, "{}", verified.snapshot());
}

fn give(folder: &Path, user: u32) {
    std::os::unix::fs::lchown(folder, Some(user), Some(user)).expect("given");
    walk(folder, &mut |path, _| {
        std::os::unix::fs::lchown(path, Some(user), Some(user)).expect("given");
    });
}

const OTHER: u32 = 65_534;

#[test]
fn thirty_two_runs_at_once_write_nothing_and_wait_for_no_lock() {
    let (_server, sandbox) = administered();
    assert_eq!(rocmenv(&sandbox, "sync --locked -q").code, 0);
    let listing = || {
        let mut found = Vec::new();
        for folder in ["home", "project", "admin", "tmp"] {
            walk(&sandbox.path(folder), &mut |path, metadata| {
                let changed = (metadata.mtime(), metadata.mtime_nsec());
                found.push((path.to_owned(), metadata.len(), changed, metadata.ino()));
            });
        }
        found.sort();
        found
    };
    let before = listing();
    // Whoever would take one of these locks would wait for ever.
    let held: Vec<std::fs::File> = before
        .iter()
        .filter(|(path, ..)| {
            path.parent().is_some_and(|it| it.ends_with("locks")) || path.ends_with("lock")
        })
        .map(|(path, ..)| {
            let file = std::fs::File::options().read(true).write(true).open(path).expect("a lock");
            file.lock().expect("nobody has it");
            file
        })
        .collect();
    assert!(held.len() >= 2, "the store and the environment have locks");
    let words = ["run", "-q", "python", "-B", "-c", "import model; print(model.__version__)"];
    let one = || sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).run();
    let outputs: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..32).map(|_| scope.spawn(one)).collect();
        running.into_iter().map(|run| run.join().expect("it ends")).collect()
    });
    for output in &outputs {
        assert_eq!((output.code, output.stdout.as_str()), (0, "1.0\n"), "{}", output.snapshot());
    }
    drop(held);
    assert_eq!(listing(), before);
}

#[test]
fn a_layer_that_is_not_there_is_no_fault() {
    let (_server, mut sandbox) = administered();
    sandbox.env("ROCMENV_LAYERS", "/nowhere/at/all");
    assert_eq!(rocmenv(&sandbox, "sync --locked -q").code, 0);
    assert!(bytes(&sandbox.path("home/data")) > WEIGHTS as u64);
    assert_snapshot!(snapshot(&sandbox, "sync --locked"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        `host` is up to date: generation 1
        ");
}

#[test]
fn a_project_has_its_files_from_the_store_on_its_own_disk() {
    let index = Index::new("main")
        .wheel(WheelBuilder::new("model", "1.0").file("model/weights.bin", vec![5; WEIGHTS]));
    let (_server, mut sandbox) = served(index);
    let device = |path: &Path| fs::metadata(path).map(|it| it.dev()).ok();
    let other = Path::new("/dev/shm");
    if device(other).is_none() || device(other) == device(&sandbox.project()) {
        let _ = writeln!(std::io::stderr(), "skipped: this machine has no second file system");
        return;
    }
    let data = tempfile::tempdir_in(other).expect("a folder on another file system");
    sandbox.env("ROCMENV_DATA", &data.path().display().to_string());
    sandbox.env("ROCMENV_STORES", &sandbox.path("here").display().to_string());
    sandbox.write("rocm.toml", "[python-packages]\nmodel = \"*\"\n");
    let made = rocmenv(&sandbox, "sync --json");
    let json: serde_json::Value = serde_json::from_str(&made.stdout).expect("JSON");
    let modes = json["generation"]["links"].to_string();
    assert!(!modes.contains("copy"), "{modes}");
    assert!(bytes(&sandbox.path("here")) > WEIGHTS as u64);
    assert!(bytes(data.path()) < WEIGHTS as u64);
    assert_eq!(rocmenv(&sandbox, "verify files --deep").code, 0);
    // gc and cache speak of that store, and of the other one where there is any
    let json = |words: &str| -> serde_json::Value {
        serde_json::from_str(&rocmenv(&sandbox, words).stdout).expect("JSON")
    };
    let own = sandbox.path("here/store/v1").display().to_string();
    let size = json("cache size --json");
    assert_eq!((&size["store"], &size["object-count"]), (&own.as_str().into(), &1.into()));
    assert!(size["objects"].as_u64().is_some_and(|bytes| bytes > WEIGHTS as u64), "{size}");
    fs::remove_dir_all(sandbox.project().join(".rocmenv")).expect("removed");
    let forgotten = json("gc --forget .rocmenv --json");
    assert_eq!(forgotten["store"], own.as_str());
    assert!(forgotten["freed-bytes"].as_u64().is_some_and(|bytes| bytes > WEIGHTS as u64));
    assert!(bytes(&sandbox.path("here")) < WEIGHTS as u64);
}

#[test]
fn gc_goes_through_the_users_own_stores_and_leaves_a_layer_alone() {
    let (_server, mut sandbox) = administered();
    assert_eq!(rocmenv(&sandbox, "sync --locked -q").code, 0);
    let other = sandbox.path("other").display().to_string();
    let made = sandbox
        .command(env!("CARGO_BIN_EXE_rocmenv"))
        .args(["sync", "-q", "--project", "../second"])
        .env("ROCMENV_DATA", &other)
        .env("ROCMENV_LAYERS", "/nowhere");
    sandbox.write("../second/rocm.toml", sandbox.read("rocm.toml"));
    sandbox.write("../second/rocm.lock", sandbox.read("rocm.lock"));
    let made = made.run();
    assert_eq!(made.code, 0, "{}", made.snapshot());
    sandbox.env("ROCMENV_STORES", &other);
    let listing = |of: &str| {
        let mut found = Vec::new();
        walk(&sandbox.path(of), &mut |path, metadata| {
            let changed = (metadata.mtime(), metadata.mtime_nsec(), metadata.len());
            found.push((path.to_owned(), changed));
        });
        found.sort();
        found
    };
    let layer = listing("admin");
    let said = snapshot(&sandbox, "cache size");
    assert!(said.contains("layer     [TEMP]/admin/store/v1 (only read, not counted)"), "{said}");
    let said = snapshot(&sandbox, "gc --keep 1");
    let stores = ["store [TEMP]/home/data/", "store [TEMP]/other/store/v1"];
    assert!(stores.iter().all(|store| said.contains(store)) && !said.contains("admin"), "{said}");
    fs::remove_dir_all(sandbox.path("second")).expect("removed");
    let forgotten = rocmenv(&sandbox, "gc --forget ../second --json");
    let json: serde_json::Value = serde_json::from_str(&forgotten.stdout).expect("JSON");
    let freed = |at: usize| json["stores"][at]["freed-bytes"].as_u64().expect("bytes");
    assert!(freed(0) == 0 && freed(1) > WEIGHTS as u64, "{json}");
    assert_eq!(json["freed-bytes"], freed(1));
    assert_eq!(listing("admin"), layer, "a layer is not touched");
    assert_eq!(rocmenv(&sandbox, "verify files --deep").code, 0);
}
