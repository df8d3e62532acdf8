//! Making a whole tree durable at once: one flush of its file system, not one a file.

use std::path::Path;

use super::DiskError;

/// Flushes the file system that `path` lies on. Where the system cannot do that for one file
/// system (Windows), nothing is flushed: the marker files that follow are written durably, and
/// what was torn is found by its digest.
pub fn flush(path: &Path) -> Result<(), DiskError> {
    #[cfg(target_os = "linux")]
    {
        let file = fs_err::File::open(path)?;
        rustix::fs::syncfs(file.file()).map_err(std::io::Error::from)?;
    }
    #[cfg(not(target_os = "linux"))]
    let _ = path;
    Ok(())
}

/// Whether both paths lie on the same file system, as far as that can be told.
pub fn same_file_system(one: &Path, other: &Path) -> Result<bool, DiskError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Ok(fs_err::metadata(one)?.dev() == fs_err::metadata(other)?.dev())
    }
    #[cfg(not(unix))]
    {
        let _ = (one, other);
        Ok(false)
    }
}
