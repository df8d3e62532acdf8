//! Replacing a small file as a whole: after a crash at any instant it is the old or the new one.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use tempfile::{Builder, NamedTempFile};

use super::patience::{failed_to, is_refused, patiently};
use super::{DiskError, reachable};

/// Replaces the file at `path` by `content`, durably.
pub fn replace(path: &Path, content: &[u8]) -> Result<(), DiskError> {
    replace_with_mode(path, content, 0o644)
}

/// As [`replace`], with the permissions of the new file (ignored on Windows).
///
/// The temporary file lies in the same folder, is flushed before the rename and removed on
/// failure; the folder is flushed after it.
pub fn replace_with_mode(path: &Path, content: &[u8], mode: u32) -> Result<(), DiskError> {
    let waiting = Waiting::with_mode(path, content, mode)?;
    waiting.flush()?;
    waiting.take_place()?;
    flush_folder(path)
}

/// A new content of a file, which lies beside it until it takes its place.
///
/// It is for several files that change together: each waits, one flush is for all of them, then
/// each takes its place. Without a flush before it, a power cut may leave an empty file.
#[derive(Debug)]
pub struct Waiting {
    file: NamedTempFile,
    path: PathBuf,
}

impl Waiting {
    /// Writes the content beside the file at `path`.
    pub fn new(path: &Path, content: &[u8]) -> Result<Self, DiskError> {
        Self::with_mode(path, content, 0o644)
    }

    fn with_mode(path: &Path, content: &[u8], mode: u32) -> Result<Self, DiskError> {
        let mut builder = Builder::new();
        builder.prefix(TEMPORARY_PREFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        let mut file = builder.tempfile_in(reachable(folder_of(path)))?;
        file.write_all(content)?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Makes the content durable, but not yet its name.
    pub fn flush(&self) -> Result<(), DiskError> {
        Ok(self.file.as_file().sync_all()?)
    }

    /// Replaces the file: one rename, durable once its folder is flushed.
    pub fn take_place(self) -> Result<(), DiskError> {
        let (path, mut file) = (reachable(&self.path), Some(self.file));
        let taken = patiently(|| {
            let Some(waiting) = file.take() else { return Ok(()) };
            waiting.persist(&path).map(drop).map_err(|failed| {
                if is_refused(&failed.error) {
                    file = Some(failed.file);
                }
                failed.error
            })
        });
        taken.map_err(|error| {
            if is_refused(&error) {
                failed_to(&format!("replace `{}`", self.path.display()), &error)
            } else {
                error
            }
        })?;
        Ok(())
    }
}

/// Makes the names in the folder of `path` durable, after a rename in it; Windows has no such
/// call and needs none.
pub fn flush_folder(path: &Path) -> Result<(), DiskError> {
    if cfg!(unix) {
        fs::File::open(folder_of(path))?.sync_all()?;
    }
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

const TEMPORARY_PREFIX: &str = ".rocmenv-";
