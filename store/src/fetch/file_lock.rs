//! A lock between processes (and between tasks), held on a file of its own.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

use super::error::FetchError;

/// Held until dropped; the system frees it when the process dies. The file stays: removing it
/// would let two processes lock two files of one name.
#[derive(Debug)]
pub struct FileLock {
    _file: File,
}

impl FileLock {
    /// Waits for the lock alone. The wait can be given up at any time by dropping the future,
    /// which a blocking lock in a thread could not.
    ///
    /// # Errors
    /// The file cannot be made or locked.
    pub async fn exclusive(path: &Path) -> Result<Self, FetchError> {
        let disk = |source| FetchError::disk(path, source);
        if let Some(folder) = path.parent() {
            fs_err::create_dir_all(folder).map_err(disk)?;
        }
        let file = fs_err::OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(disk)?
            .into_parts()
            .0;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) => tokio::time::sleep(POLL).await,
                Err(TryLockError::Error(source)) => return Err(disk(source)),
            }
        }
    }
}

const POLL: Duration = Duration::from_millis(25);
