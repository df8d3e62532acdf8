//! Crashes and faults at every step of a small sync, by `strace -e inject`: after each, the
//! environment is the old or the new one, and the next sync succeeds.
//!
//! Where strace is not installed these tests say so and do nothing; CI installs it.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fs_err as fs;
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_store::generation::{current, list};
use rocmenv_store::layout::{EnvLayout, StoreLayout};
use rocmenv_store::object::{Store, damaged_files};

use crate::support::{Wheel, host_python};

/// A project with one generation, made by a healthy sync of the first version of a wheel.
struct Trial {
    folder: tempfile::TempDir,
    old: PathBuf,
    new: PathBuf,
}

impl Trial {
    fn new() -> Self {
        Self::in_folder(tempfile::tempdir().unwrap())
    }

    fn in_folder(folder: tempfile::TempDir) -> Self {
        let archive = |name: &str, text: &str| {
            let path = folder.path().join(name);
            let wheel = Wheel::new("pkg")
                .file("pkg/__init__.py", text)
                .file_with("pkg/big.so", &vec![1; 70_000], 0o644)
                .file("pkg-1.0.dist-info/entry_points.txt", "[console_scripts]\nrun = pkg:main\n");
            fs::write(&path, wheel.bytes()).unwrap();
            path
        };
        let (old, new) = (
            archive("pkg-1-old.whl", "version = 'old'\n"),
            archive("pkg-2-new.whl", "version = 'new'\n"),
        );
        fs::create_dir(folder.path().join("project")).unwrap();
        let trial = Self { folder, old, new };
        let output = trial.sync(&[], &trial.old);
        assert!(output.status.success(), "{}", said(&output));
        trial
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn env(&self) -> EnvLayout {
        let project = self.folder.path().join("project");
        EnvLayout::new(&project, &TargetName::host(), &EnvName::default_env())
    }

    /// Runs a sync of `archive`, under strace with `inject` if that is given.
    fn sync(&self, inject: &[&str], archive: &Path) -> Output {
        let python = host_python();
        let mut command = if inject.is_empty() {
            Command::new(probe())
        } else {
            let mut strace = Command::new("strace");
            strace.args(["-f", "-qq", "-o"]).arg(self.folder.path().join("trace"));
            strace.args(inject).arg(probe());
            strace
        };
        // Strace counts calls by thread: with one worker each of its steps has a number.
        command.env("RAYON_NUM_THREADS", "1");
        command.arg(self.store()).arg(self.folder.path().join("project"));
        command.args([&python.path, &python.version]).arg(archive);
        command.output().unwrap()
    }

    /// What the current generation holds: `old` or `new`; anything else is a failed test.
    fn version(&self) -> String {
        let number = current(&self.env()).unwrap().unwrap();
        let python = self.env().generation(number).env().join("bin/python");
        let script = "import pkg, os; \
                      big = os.path.join(os.path.dirname(pkg.__file__), 'big.so'); \
                      assert os.path.getsize(big) == 70000; print(pkg.version)";
        let output = Command::new(python).args(["-B", "-c", script]).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Every object that counts as one is whole.
    fn check_objects(&self) {
        let store = Store::open(StoreLayout::new(&self.store()), vec![]).unwrap();
        let store = store.in_use().unwrap();
        for entry in fs::read_dir(store.layout().objects()).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if let Some(object) = store.find(&name.parse().unwrap()).unwrap() {
                assert_eq!(damaged_files(&object.layout, &object.manifest), []);
            }
        }
    }
}

/// Kills or fails the sync at each of its calls of `calls` in turn.
fn sweep(calls: &str, fault: &str) {
    if !has_strace() {
        return;
    }
    let (mut steps, mut outcomes) = (0, Vec::new());
    loop {
        steps += 1;
        let trial = Trial::new();
        let (trace, inject) =
            (format!("trace={calls}"), format!("inject={calls}:{fault}:when={steps}"));
        let broken = trial.sync(&["-e", &trace, "-e", &inject], &trial.new);
        let version = trial.version();
        assert!(["old", "new"].contains(&version.as_str()), "step {steps}: {version}");
        for listed in list(&trial.env()).unwrap() {
            assert!(!listed.record.objects.is_empty());
        }
        trial.check_objects();
        let done = broken.status.success() && broken.status.signal().is_none();
        let again = trial.sync(&[], &trial.new);
        assert!(again.status.success(), "step {steps}: {}", said(&again));
        assert_eq!(trial.version(), "new", "step {steps}");
        assert_eq!(leftovers(&trial), [""; 0], "step {steps}");
        if done {
            break;
        }
        outcomes.push(version);
        assert!(steps < 200, "the sweep has no end");
    }
    assert!(outcomes.iter().any(|version| version == "old"), "{outcomes:?}");
    assert!(outcomes.len() >= 2, "only {} steps were broken", outcomes.len());
}

/// Half-made things that are still there after a healthy sync.
fn leftovers(trial: &Trial) -> Vec<String> {
    let mut found = crate::support::paths_below(&StoreLayout::new(&trial.store()).staging());
    for entry in fs::read_dir(trial.env().generations()).unwrap() {
        let building = entry.unwrap().path().join("building");
        found.extend(building.exists().then(|| building.display().to_string()));
    }
    found
}

#[test]
fn a_crash_at_any_rename_leaves_the_old_or_the_new() {
    sweep("rename,renameat,renameat2", "signal=SIGKILL");
}

#[test]
fn a_crash_at_any_link_or_unlink_leaves_the_old_or_the_new() {
    sweep("link,linkat,symlink,symlinkat", "signal=SIGKILL");
    sweep("unlink,unlinkat,rmdir", "signal=SIGKILL");
}

#[test]
fn a_crash_at_any_flush_leaves_the_old_or_the_new() {
    sweep("syncfs,fsync", "signal=SIGKILL");
}

#[test]
fn a_full_disk_at_any_rename_or_folder_leaves_the_old_or_the_new() {
    sweep("rename,renameat,renameat2", "error=ENOSPC");
}

#[test]
fn without_hard_links_files_are_copied() {
    if !has_strace() {
        return;
    }
    for error in ["EPERM", "EXDEV", "EMLINK", "EOPNOTSUPP"] {
        let trial = Trial::new();
        let inject = format!("inject=link,linkat:error={error}");
        let output = trial.sync(&["-e", "trace=link,linkat", "-e", &inject], &trial.new);
        assert!(output.status.success(), "{error}: {}", said(&output));
        assert_eq!(trial.version(), "new");
        let record = &list(&trial.env()).unwrap().pop().unwrap().record;
        assert!(record.links.iter().any(|(mode, _)| mode == "copy"), "{:?}", record.links);
        assert!(record.links.iter().all(|(mode, _)| mode != "hardlink"), "{:?}", record.links);
    }
}

#[test]
fn a_full_disk_is_named_and_the_old_environment_still_runs() {
    let trial = Trial::new();
    let small = Mounted::new(trial.folder.path(), "size=300k");
    let Some(small) = small else { return };
    // The store is on a full disk, the project is not.
    let python = host_python();
    let output = Command::new(probe())
        .arg(&small.0)
        .arg(trial.folder.path().join("project"))
        .args([&python.path, &python.version])
        .arg(big_wheel(trial.folder.path()))
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert!(said(&output).contains("StorageFull"), "{}", said(&output));
    assert_eq!(trial.version(), "old");
    let staged = StoreLayout::new(&small.0).staging();
    assert_eq!(crate::support::paths_below(&staged), [""; 0], "nothing half-made stays");
}

#[test]
fn two_processes_that_sync_the_same_both_succeed() {
    let trial = Trial::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let output = trial.sync(&[], &trial.new);
                assert!(output.status.success(), "{}", said(&output));
            });
        }
    });
    assert_eq!(trial.version(), "new");
    trial.check_objects();
    assert_eq!(leftovers(&trial), [""; 0]);
}

#[test]
fn an_ordinary_user_can_do_all_of_it_and_is_told_where_it_may_not() {
    if !is_root() {
        // Then every other test of this file was that test.
        return;
    }
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let program = folder.path().join("probe");
    fs::copy(probe(), &program).unwrap();
    let wheel = big_wheel(folder.path());
    let home = folder.path().join("home");
    fs::create_dir(&home).unwrap();
    for path in [folder.path(), &program, &home] {
        fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let as_nobody = |store: &Path| {
        let line = format!(
            "{} {} {} /usr/bin/python3 3.11.2 {}",
            program.display(),
            store.display(),
            home.join("project").display(),
            wheel.display()
        );
        Command::new("su").args(["nobody", "-s", "/bin/sh", "-c", &line]).output().unwrap()
    };
    let refused = as_nobody(&home.join("data"));
    assert!(said(&refused).contains("Denied"), "{}", said(&refused));
    let chown = Command::new("chown").arg("nobody").arg(&home).status().unwrap();
    assert!(chown.success());
    let made = as_nobody(&home.join("data"));
    assert!(made.status.success(), "{}", said(&made));
    let again = as_nobody(&home.join("data"));
    assert!(again.status.success(), "{}", said(&again));
}

fn big_wheel(folder: &Path) -> PathBuf {
    let path = folder.join("big-1.0-py3-none-any.whl");
    let wheel = Wheel::new("big").file_with("big.so", &noise(1_000_000), 0o644);
    fs::write(&path, wheel.bytes()).unwrap();
    path
}

/// Bytes that do not compress.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[0]
    };
    (0..count).map(|_| next()).collect()
}

/// A tmpfs of limited size; `None` where this user may not mount.
struct Mounted(PathBuf);

impl Mounted {
    fn new(folder: &Path, options: &str) -> Option<Self> {
        let point = folder.join("small");
        fs::create_dir(&point).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(&point)
            .status()
            .is_ok_and(|status| status.success());
        mounted.then_some(Self(point))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn probe() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let path = tests.parent().unwrap().parent().unwrap().join("examples/disk_probe");
    // `cargo test` makes examples, but not when it is told to run one test only.
    if !path.exists() {
        let arguments = ["build", "-p", "rocmenv-store", "--example", "disk_probe"];
        let built = Command::new(env!("CARGO")).args(arguments).status().unwrap();
        assert!(built.success() && path.exists());
    }
    path
}

fn has_strace() -> bool {
    let found = Command::new("strace").arg("-V").output().is_ok();
    if !found {
        // past the harness's capture, so that it is seen
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            b"test skipped: strace is not installed\n",
        );
    }
    found
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
