//! The one door to a machine: everything that the probe reads goes through [`Sysroot`].
//!
//! [`LiveSysroot`] is this machine, [`CapturedSysroot`] a tree of files that was taken from
//! one, with a small side file for what a tree cannot hold, [`RecordedSysroot`] either of them
//! with a memory of what was read. Nothing outside of this module
//! opens files, asks for ids or starts programs.

#![expect(clippy::disallowed_methods, reason = "this is where the resolver reads the machine")]

mod captured;
mod layered;
mod live;
mod once;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "elsewhere.rs")]
mod platform;
mod recorded;
#[cfg(windows)]
mod registry;
mod side_file;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rocmenv_manifests::platform::OsFamily;

use super::facts::{DeviceOpen, Process};
use super::windows::RegistryValue;

pub use captured::{CaptureError, CapturedSysroot, SIDE_FILE};
pub use layered::LayeredSysroot;
pub use live::LiveSysroot;
pub use once::Answers;
pub use recorded::RecordedSysroot;

/// A machine that can be read. Paths are absolute, as programs on that machine say them.
pub trait Sysroot: Sync {
    /// The family of its operating system.
    fn family(&self) -> OsFamily;

    /// The content of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The first bytes of a file, at most `length`.
    fn read_start(&self, path: &Path, length: usize) -> io::Result<Vec<u8>>;

    /// What follows the first place of `mark` in a file, at most `length` bytes of it; nothing
    /// where the file does not hold it. For files of megabytes of which a few bytes matter.
    fn read_after(&self, path: &Path, mark: &[u8], length: usize) -> io::Result<Option<Vec<u8>>>;

    /// As [`Self::read_after`], for the last place of the mark: the file is searched from its end,
    /// which is far less to read where the mark stands behind a program's code.
    fn read_after_last(
        &self,
        path: &Path,
        mark: &[u8],
        length: usize,
    ) -> io::Result<Option<Vec<u8>>>;

    /// The names in a folder, sorted, those that are no UTF-8 left out.
    fn list(&self, path: &Path) -> io::Result<Vec<String>>;

    /// Where a path leads once all links are followed; an error where it leads nowhere.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// Whether a path leads to a regular file that may be executed.
    fn is_executable(&self, path: &Path) -> bool;

    /// Owner and permission bits of what a path leads to.
    fn ownership(&self, path: &Path) -> io::Result<Ownership>;

    /// What tells the file that a path leads to from another in its place.
    fn stamp(&self, path: &Path) -> io::Result<Stamp>;

    /// Opens a device node for reading and writing, closes it, and says what came of it.
    fn open_device(&self, path: &Path) -> DeviceOpen;

    /// What the kernel says of itself.
    fn kernel(&self) -> io::Result<KernelName>;

    /// Whom this process runs as.
    fn process(&self) -> io::Result<Process>;

    /// Size and free bytes of the file system under a folder.
    fn space(&self, path: &Path) -> io::Result<Space>;

    /// Runs a program without input and gives what it wrote to standard output. A program
    /// that fails or outlasts the time is an error.
    fn run(&self, program: &Path, arguments: &[&str], limit: Duration) -> io::Result<String>;

    /// As [`Self::run`], for a slow program whose answer is the same as long as this process runs:
    /// asked again it is not run again.
    fn run_once(&self, program: &Path, arguments: &[&str], limit: Duration) -> io::Result<String> {
        self.run(program, arguments, limit)
    }

    /// The values of a key of Windows' registry (`HKEY_LOCAL_MACHINE\SOFTWARE\...`), and of the
    /// keys at most `depth` below it; an error where there is none to read.
    fn registry(&self, _key: &str, _depth: u32) -> io::Result<Vec<RegistryValue>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The environment of this process.
    fn variables(&self) -> &BTreeMap<String, String>;

    /// The kernel's log; an error where this user may not read it.
    fn kernel_log(&self) -> io::Result<String> {
        let bytes = self.read(Path::new("/var/log/dmesg"))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A text that was taken from the machine and lies beside its tree, by name; a live machine
    /// has none.
    fn captured(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    /// Whether a path leads to something.
    fn exists(&self, path: &Path) -> bool {
        self.canonical(path).is_ok()
    }
}

/// Size and time of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// When it was last written, in nanoseconds since 1970 UTC.
    pub modified: u64,
}

/// Owner and permission bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ownership {
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Permission bits, type bits removed.
    pub mode: u32,
}

/// What a kernel says of itself (`uname`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelName {
    /// Its release (`6.8.0-45-generic`).
    pub release: String,
    /// The machine that it runs on (`x86_64`).
    pub machine: String,
}

/// Size of a file system in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// All of it.
    pub total: u64,
    /// What an ordinary user may still write.
    pub free: u64,
}
