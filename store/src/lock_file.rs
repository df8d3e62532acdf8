//! Locks between processes: a file that is locked while it is open.
//!
//! The locks are advisory ones of the operating system, so a process that dies leaves none
//! behind. The files stay: removing one would let two processes hold "the" lock.

use std::fs::{File, TryLockError};
use std::path::Path;

use fs_err as fs;

use crate::fs::DiskError;

/// A held lock; released when it goes out of scope or the process ends.
#[derive(Debug)]
pub struct LockFile {
    _file: File,
}

impl LockFile {
    /// Waits until no other process holds the lock at all.
    pub fn exclusive(path: &Path) -> Result<Self, DiskError> {
        let file = open(path)?;
        file.lock()?;
        Ok(Self { _file: file })
    }

    /// Waits until no other process holds the lock exclusively.
    pub fn shared(path: &Path) -> Result<Self, DiskError> {
        let file = open(path)?;
        file.lock_shared()?;
        Ok(Self { _file: file })
    }

    /// The lock, if it can be had without waiting.
    pub fn try_exclusive(path: &Path) -> Result<Option<Self>, DiskError> {
        let file = open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }
}

fn open(path: &Path) -> Result<File, DiskError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let file = fs::OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    Ok(file.into_parts().0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exclusive_lock_keeps_others_out_until_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("locks/one");
        let held = LockFile::exclusive(&path).unwrap();
        assert!(LockFile::try_exclusive(&path).unwrap().is_none());
        drop(held);
        let shared = LockFile::shared(&path).unwrap();
        let _second = LockFile::shared(&path).unwrap();
        assert!(LockFile::try_exclusive(&path).unwrap().is_none());
        drop(shared);
    }
}
