//! Small operations on trees: removing them, modes.

use std::io;
use std::path::Path;

use fs_err as fs;

use super::DiskError;
use super::patience::{remove_dir_all, remove_file};

/// Removes a file, link or tree; nothing there is success.
pub fn remove_tree(path: &Path) -> Result<(), DiskError> {
    let kind = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?.file_type(),
    };
    let removed = match remove_file_or_tree(path, kind.is_dir()) {
        // To Windows a junction is a folder.
        Err(_) if cfg!(windows) && kind.is_symlink() => fs::remove_dir(path),
        removed => removed,
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => Ok(other?),
    }
}

fn remove_file_or_tree(path: &Path, is_dir: bool) -> io::Result<()> {
    if is_dir { remove_dir_all(path) } else { remove_file(path) }
}

/// Sets the permissions of a file. Does nothing on Windows: its attributes are shared by hard
/// links, and a read-only file cannot be removed there.
pub fn set_mode(path: &Path, mode: u32) -> Result<(), DiskError> {
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    #[cfg(not(unix))]
    let _ = (path, mode);
    Ok(())
}
