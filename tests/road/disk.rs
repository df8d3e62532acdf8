//! A disk that is full or may not be written: named, and the old environment still runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use insta::assert_snapshot;
use rocmenv_tests::{Index, Sandbox, WheelBuilder, World};

use super::{GREETING, greeting_after, rocmenv, served, small, snapshot};

/// A project with an environment, and one more wish that has to be fetched and kept.
fn grown() -> (rocmenv_tests::IndexServer, Sandbox) {
    let (mut server, sandbox) = greeting_after("sync -q");
    let noise: Vec<u8> =
        (0..2_000_000_u32).flat_map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
    let big = WheelBuilder::new("big", "1.0").file("big/noise.bin", noise);
    server.replace(World::new().index(small().wheel(big)));
    sandbox.write("rocm.toml", format!("{GREETING}big = \"*\"\n"));
    (server, sandbox)
}

fn still_runs(sandbox: &Sandbox) {
    assert_eq!(rocmenv(sandbox, "run -q greet").stdout, "hello 1.1\n");
}

#[test]
fn a_full_disk_is_named_and_the_old_environment_runs_on() {
    let (_server, sandbox) = grown();
    let Some(_mount) = Mount::small(&sandbox.path("home/cache/rocmenv/downloads"), 64) else {
        return;
    };
    let output = rocmenv(&sandbox, "sync");
    assert_eq!(output.code, 1, "{}", output.snapshot());
    assert!(output.stderr.contains("error[disk-full]: "), "{}", output.stderr);
    assert!(output.stderr.ends_with("\nhelp: rocmenv gc\n"), "{}", output.stderr);
    still_runs(&sandbox);
}

#[test]
fn a_disk_that_fills_up_at_any_step_is_named() {
    let (_server, sandbox) = served(small());
    sandbox.write("rocm.toml", GREETING);
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    let data = sandbox.path("home/data/rocmenv");
    let mut refused = 0;
    for kilobytes in (20..).step_by(4) {
        let Some(_mount) = Mount::small(&data, kilobytes) else { return };
        let output = rocmenv(&sandbox, "sync");
        if output.code == 0 {
            break;
        }
        refused += 1;
        let named = output.stderr.contains("error[disk-full]: ");
        assert!(output.code == 1 && named, "{kilobytes} KiB: {}", output.snapshot());
    }
    assert!(refused > 3, "{refused}");
    still_runs(&sandbox);
}

#[test]
fn a_store_that_is_read_only_is_named_and_the_old_environment_runs_on() {
    let (_server, sandbox) = grown();
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    let Some(_mount) = Mount::read_only(&sandbox.path("home/data/rocmenv")) else { return };
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 1
    --- stdout ---
    --- stderr ---
    error[store-not-usable]: cannot write the environment
      caused by: the file system is read-only
      caused by: failed to open file `[TEMP]/home/data/rocmenv/store/v1/locks/gc`: Read-only file system (os error 30)
    help: rocmenv explain store-not-usable
    ");
    assert_snapshot!(snapshot(&sandbox, "gc"), @r"
    exit: 1
    --- stdout ---
    --- stderr ---
    error[file-not-writable]: the file system is read-only
      caused by: failed to open file `[TEMP]/home/data/rocmenv/store/v1/locks/gc`: Read-only file system (os error 30)
    help: rocmenv explain file-not-writable
    ");
    assert_snapshot!(snapshot(&sandbox, "shims install"), @r"
    exit: 1
    --- stdout ---
    --- stderr ---
    error[file-not-writable]: cannot change the shims in `[TEMP]/home/data/rocmenv/shims`
      caused by: Read-only file system (os error 30)
    help: export ROCMENV_SHIMS=/path/to/a/folder
    ");
    still_runs(&sandbox);
}

#[test]
fn an_index_that_may_not_be_written_down_is_named() {
    let (_server, mut sandbox) = served(Index::new("main").wheel(WheelBuilder::new("one", "1.0")));
    sandbox.write("rocm.toml", "[python-packages]\none = \"*\"\n");
    // a file where the cache should be: nobody, not even root, can make folders in it
    sandbox.write("../no-folder", "");
    let file = sandbox.path("no-folder").display().to_string();
    sandbox.env("ROCMENV_CACHE", &file);
    sandbox.filter("pages/[0-9a-f]{64}", "pages/[INDEX]");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
    exit: 1
    --- stdout ---
    --- stderr ---
    error[file-not-writable]: cannot get `one` on index `python`
      caused by: cannot keep `[TEMP]/no-folder/pages/[INDEX]/one`
      caused by: failed to create directory `[TEMP]/no-folder/pages/[INDEX]`: Not a directory (os error 20)
    help: rocmenv explain file-not-writable
    ");
}

/// A file system of its own over a folder, until it is dropped. Only root can mount: for others
/// there is none, and the store's own tests cover what an ordinary user is refused.
struct Mount(PathBuf);

impl Mount {
    fn small(folder: &Path, kilobytes: u32) -> Option<Self> {
        fs_err::create_dir_all(folder).expect("the sandbox can be written");
        let size = format!("size={kilobytes}k");
        Self::of(folder, &["-t", "tmpfs", "-o", &size, "tmpfs"])
    }

    fn read_only(folder: &Path) -> Option<Self> {
        let source = folder.display().to_string();
        let mount = Self::of(folder, &["--bind", &source])?;
        let remount = ["-o", "remount,ro,bind"];
        let done = Command::new("mount").args(remount).arg(folder).output();
        done.is_ok_and(|output| output.status.success()).then_some(mount)
    }

    fn of(folder: &Path, words: &[&str]) -> Option<Self> {
        let output = Command::new("mount").args(words).arg(folder).output().ok()?;
        if !output.status.success() {
            skipped(&String::from_utf8_lossy(&output.stderr));
            return None;
        }
        Some(Self(folder.to_owned()))
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// A test that cannot run here says so, past the harness's capture.
fn skipped(why: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "test skipped, for only root can mount: {why}");
}
