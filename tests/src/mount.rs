//! File systems of one's own for a test: images on loop devices, memory, layers.
//!
//! They need root and a system that has loop devices, so a test asks [`mounts`] first.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether tests may mount: `ROCMENV_MOUNTS=1` (`.ci/run` sets it where mounting works).
///
/// Where they may not, a line `mount test skipped: NAME` goes to standard error past the
/// harness's capture, so that skipped tests can be seen and counted.
pub fn mounts(test: &str) -> bool {
    let allowed = std::env::var_os("ROCMENV_MOUNTS").is_some_and(|value| !value.is_empty());
    if !allowed {
        let _ = writeln!(
            std::io::stderr(),
            "mount test skipped: {test} (ROCMENV_MOUNTS=1 runs it, as root)"
        );
    }
    allowed
}

/// What is made in an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileSystem {
    /// Hard links and no reflinks. Mounted so that a rename does not write the file's data out,
    /// a kindness (`auto_da_alloc`) that other file systems do not have.
    Ext4,
    /// Reflinks.
    Btrfs,
    /// Reflinks.
    Xfs,
}

impl FileSystem {
    /// As `mount` calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ext4 => "ext4",
            Self::Btrfs => "btrfs",
            Self::Xfs => "xfs",
        }
    }

    /// So many MiB must an image have.
    pub fn smallest(self) -> u64 {
        match self {
            Self::Ext4 => 64,
            Self::Btrfs => 128,
            Self::Xfs => 320,
        }
    }

    fn make(self, image: &Path) {
        let words: &[&str] = match self {
            Self::Ext4 => &["mkfs.ext4", "-q", "-F"],
            Self::Btrfs => &["mkfs.btrfs", "-q", "-f"],
            Self::Xfs => &["mkfs.xfs", "-q", "-f", "-m", "reflink=1"],
        };
        must(Command::new(words[0]).args(&words[1..]).arg(image));
    }

    /// `nouuid`: a copy of an image has the identity of the original.
    fn options(self) -> &'static str {
        match self {
            Self::Ext4 => "loop,noauto_da_alloc",
            Self::Btrfs => "loop",
            Self::Xfs => "loop,nouuid",
        }
    }
}

/// A file system that is mounted as long as this lives, also when the test fails.
#[derive(Debug)]
pub struct Disk {
    at: PathBuf,
}

impl Disk {
    /// A new file system of so many MiB in a sparse file, mounted at a folder, which is made.
    pub fn make(file_system: FileSystem, image: &Path, megabytes: u64, at: &Path) -> Self {
        let file = fs_err::File::create(image).expect("an image can be made");
        file.set_len(megabytes << 20).expect("an image is sparse");
        drop(file);
        file_system.make(image);
        Self::of(file_system, image, at)
    }

    /// The file system that is in an image.
    pub fn of(file_system: FileSystem, image: &Path, at: &Path) -> Self {
        if file_system == FileSystem::Btrfs {
            // The system remembers who had an identity, and refuses an older copy in its place.
            let _ = Command::new("btrfs").args(["device", "scan", "--forget"]).output();
        }
        Self::mount(&["-o", file_system.options()], image, at)
    }

    /// So many KiB of memory.
    pub fn memory(kilobytes: u64, at: &Path) -> Self {
        Self::mount(&["-t", "tmpfs", "-o", &format!("size={kilobytes}k")], "tmpfs", at)
    }

    /// What is in `lower`, with every change kept in the folder `upper` alone; `work` is another
    /// empty folder on the disk of `upper`.
    pub fn overlay(lower: &Path, upper: &Path, work: &Path, at: &Path) -> Self {
        let [lower, upper, work] = [lower, upper, work].map(|path| path.display().to_string());
        let layers = format!("lowerdir={lower},upperdir={upper},workdir={work}");
        Self::mount(&["-t", "overlay", "-o", &layers], "overlay", at)
    }

    fn mount(words: &[&str], source: impl AsRef<OsStr>, at: &Path) -> Self {
        fs_err::create_dir_all(at).expect("a folder can be made");
        must(Command::new("mount").args(words).arg(source.as_ref()).arg(at));
        Self { at: at.to_owned() }
    }

    /// Mounts it again with other options (`ro`, `size=8m`).
    pub fn remount(&self, options: &str) {
        must(Command::new("mount").args(["-o", &format!("remount,{options}")]).arg(&self.at));
    }

    /// Where it is mounted.
    pub fn at(&self) -> &Path {
        &self.at
    }

    /// Bytes in use, after everything was written out.
    pub fn used(&self) -> u64 {
        must(Command::new("sync").arg("-f").arg(&self.at));
        let words = ["-B1", "--output=used"];
        let output = Command::new("df").args(words).arg(&self.at).output().expect("df runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.split_whitespace().last().and_then(|used| used.parse().ok()).expect("df says bytes")
    }

    /// Takes it away in order, so that its image is whole.
    pub fn unmount(self) {
        must(Command::new("umount").arg(&self.at));
        std::mem::forget(self);
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let unmount = |words: &[&str]| {
            let output = Command::new("umount").args(words).arg(&self.at).output();
            output.is_ok_and(|output| output.status.success())
        };
        // A program that a failed test left may still be in it: the name goes at once, the loop
        // device with the last user.
        if !unmount(&[]) {
            unmount(&["-l"]);
        }
    }
}

/// A folder of btrfs that is a tree of its own. Making it makes durable what the file system knows
/// by then.
pub fn make_subvolume(at: &Path) {
    must(Command::new("btrfs").args(["subvolume", "create"]).arg(at));
}

/// A copy of a file that shares its blocks: what the disk holds at this instant.
pub fn reflink(from: &Path, to: &Path) {
    must(Command::new("cp").arg("--reflink=always").arg(from).arg(to));
}

fn must(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}
