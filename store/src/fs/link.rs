//! Putting a file of the store into an environment as cheaply as the file systems allow.
//!
//! The ladder is reflink, hard link, symbolic link (only where the store belongs to somebody
//! else, so that it does not vanish with this user's gc), copy. What failed once because of the
//! file systems is not tried again for the next file.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use fs_err as fs;

use super::{DiskError, set_mode};

/// How a file got into an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkMode {
    /// Shares blocks, not the inode.
    Reflink,
    /// Shares the inode.
    HardLink,
    /// Points at a store of somebody else.
    Symlink,
    /// Its own blocks.
    Copy,
}

impl LinkMode {
    /// The word in records and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reflink => "reflink",
            Self::HardLink => "hardlink",
            Self::Symlink => "symlink",
            Self::Copy => "copy",
        }
    }

    const ALL: [Self; 4] = [Self::Reflink, Self::HardLink, Self::Symlink, Self::Copy];
}

/// How many files got in by one mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkCount {
    /// The mode that was really used.
    pub mode: LinkMode,
    /// Files.
    pub files: u64,
    /// Their bytes; only those of copies cost space.
    pub bytes: u64,
}

/// Links files from one store into one environment, from several threads.
#[derive(Debug)]
pub struct Linker {
    /// The first rung that is still tried.
    rung: AtomicU8,
    foreign: bool,
    files: [AtomicU64; 4],
    bytes: [AtomicU64; 4],
}

impl Linker {
    /// `foreign`: the store belongs to somebody else.
    pub fn new(foreign: bool) -> Self {
        let counters = || [const { AtomicU64::new(0) }; 4];
        Self { rung: AtomicU8::new(0), foreign, files: counters(), bytes: counters() }
    }

    /// Puts the file `from`, of `size` bytes and with permissions `mode`, at `to`, where nothing
    /// may be yet.
    pub fn link(&self, from: &Path, to: &Path, size: u64, mode: u32) -> Result<(), DiskError> {
        let used = self.climb(from, to, mode)?;
        self.files[used as usize].fetch_add(1, Ordering::Relaxed);
        self.bytes[used as usize].fetch_add(size, Ordering::Relaxed);
        Ok(())
    }

    /// What was done so far, in the order of the ladder, without modes that were never used.
    pub fn counts(&self) -> Vec<LinkCount> {
        let count = |mode: LinkMode| LinkCount {
            mode,
            files: self.files[mode as usize].load(Ordering::Relaxed),
            bytes: self.bytes[mode as usize].load(Ordering::Relaxed),
        };
        LinkMode::ALL.into_iter().map(count).filter(|count| count.files > 0).collect()
    }

    fn climb(&self, from: &Path, to: &Path, mode: u32) -> Result<LinkMode, DiskError> {
        if self.rung() == LinkMode::Reflink as u8 {
            match reflink_copy::reflink(from, to) {
                Ok(()) => {
                    set_mode(to, mode)?;
                    return Ok(LinkMode::Reflink);
                }
                Err(error) if is_fatal(&error) => return Err(error.into()),
                Err(_) => self.give_up(LinkMode::Reflink),
            }
        }
        if self.rung() <= LinkMode::HardLink as u8 {
            match fs::hard_link(from, to) {
                Ok(()) => return Ok(LinkMode::HardLink),
                // This one file has too many names; the next may have few.
                Err(error) if error.kind() == io::ErrorKind::TooManyLinks => {
                    return copy(from, to, mode);
                }
                Err(error) if is_fatal(&error) => return Err(error.into()),
                Err(_) => self.give_up(LinkMode::HardLink),
            }
        }
        if self.foreign && self.rung() <= LinkMode::Symlink as u8 {
            match symlink_to(from, to) {
                Ok(()) => return Ok(LinkMode::Symlink),
                Err(error) if is_fatal(&error) => return Err(error.into()),
                Err(_) => self.give_up(LinkMode::Symlink),
            }
        }
        copy(from, to, mode)
    }

    fn rung(&self) -> u8 {
        self.rung.load(Ordering::Relaxed)
    }

    fn give_up(&self, mode: LinkMode) {
        self.rung.fetch_max(mode as u8 + 1, Ordering::Relaxed);
    }
}

fn copy(from: &Path, to: &Path, mode: u32) -> Result<LinkMode, DiskError> {
    fs::copy(from, to)?;
    set_mode(to, mode)?;
    Ok(LinkMode::Copy)
}

fn symlink_to(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(unix)]
    fs::os::unix::fs::symlink(from, to)?;
    #[cfg(windows)]
    fs::os::windows::fs::symlink_file(from, to)?;
    // A system may say that it made one and have made none (Wine).
    fs::symlink_metadata(to).map(drop).map_err(|_| io::ErrorKind::Unsupported.into())
}

/// Faults that the next rung would meet as well.
fn is_fatal(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, NotFound, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(
        error.kind(),
        AlreadyExists | NotFound | QuotaExceeded | ReadOnlyFilesystem | StorageFull
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_has_the_content_and_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&from, "text").unwrap();
        let linker = Linker::new(false);
        linker.link(&from, &to, 4, 0o444).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "text");
        let counts = linker.counts();
        assert_eq!((counts.len(), counts[0].files, counts[0].bytes), (1, 1, 4));
        assert!(linker.link(&from, &to, 4, 0o444).is_err(), "nothing is overwritten");
    }
}
