//! Faults of the disk, with those that a user can do something about told apart.

use std::io;

/// A file operation failed. The cause names the operation and the path.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    /// No space or no inodes left, or a quota is used up.
    #[error("the disk is full")]
    Full(#[source] io::Error),
    /// The file system is mounted read-only.
    #[error("the file system is read-only")]
    ReadOnly(#[source] io::Error),
    /// This user may not do that there.
    #[error("permission denied")]
    Denied(#[source] io::Error),
    /// Somebody has the file open, and Windows lets nobody else have it meanwhile.
    #[error("another program has the file open")]
    InUse(#[source] io::Error),
    /// Anything else.
    #[error("a file operation failed")]
    Other(#[source] io::Error),
}

impl DiskError {
    /// The kind of the operating system's error.
    pub fn kind(&self) -> io::ErrorKind {
        match self {
            Self::Full(e)
            | Self::ReadOnly(e)
            | Self::Denied(e)
            | Self::InUse(e)
            | Self::Other(e) => e.kind(),
        }
    }

    /// Whether it failed because somebody has the file open.
    pub fn is_in_use(&self) -> bool {
        matches!(self, Self::InUse(_))
    }
}

impl From<io::Error> for DiskError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full(error),
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly(error),
            io::ErrorKind::PermissionDenied => Self::Denied(error),
            io::ErrorKind::ResourceBusy if super::is_in_use(&error) => Self::InUse(error),
            _ => Self::Other(error),
        }
    }
}
