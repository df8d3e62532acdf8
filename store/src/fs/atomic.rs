//! Replacing a small file as a whole: after a crash at any instant it is the old or the new one.

use std::io::Write as _;
use std::path::Path;

use fs_err as fs;
use tempfile::Builder;

use super::DiskError;

/// Replaces the file at `path` by `content`, durably.
pub fn replace(path: &Path, content: &[u8]) -> Result<(), DiskError> {
    replace_with_mode(path, content, 0o644)
}

/// As [`replace`], with the permissions of the new file (ignored on Windows).
///
/// The temporary file lies in the same folder, is flushed before the rename and removed on
/// failure; the folder is flushed after it.
pub fn replace_with_mode(path: &Path, content: &[u8], mode: u32) -> Result<(), DiskError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|failed| failed.error)?;
    flush_folder(folder)
}

/// A rename is durable only once its folder is; Windows has no such call and needs none.
fn flush_folder(folder: &Path) -> Result<(), DiskError> {
    if cfg!(unix) {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

const TEMPORARY_PREFIX: &str = ".rocmenv-";
