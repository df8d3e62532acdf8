//! Errors of the disk and of generations.

use rocmenv_store::fs::DiskError;
use rocmenv_store::generation::GenerationError;

use crate::error::{Exit, Failure};

impl Failure for DiskError {
    fn exit(&self) -> Exit {
        Exit::Unmet
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Full(_) => "disk-full",
            Self::InUse(_) => "file-in-use",
            Self::ReadOnly(_) | Self::Denied(_) | Self::Other(_) => "file-not-writable",
        })
    }

    fn help(&self) -> Option<String> {
        matches!(self, Self::Full(_)).then(|| "rocmenv gc".to_owned())
    }
}

impl Failure for GenerationError {
    fn exit(&self) -> Exit {
        match self {
            Self::Unknown(_) => Exit::Usage,
            Self::Damaged { .. } | Self::Missing { .. } => Exit::Integrity,
            Self::Newer { .. } => Exit::Stale,
            Self::Environment(_) => Exit::Unmet,
            Self::Disk(inner) => inner.exit(),
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Unknown(_) => "generation-unknown",
            Self::Damaged { .. } | Self::Missing { .. } => "generation-damaged",
            Self::Newer { .. } => "generation-newer",
            Self::Environment(_) => "environment-not-built",
            Self::Disk(inner) => return inner.code(),
        })
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Unknown(_) => "rocmenv generations".to_owned(),
            Self::Damaged { path, .. } if path.ends_with("pinned") => {
                "rocmenv sync --unpin".to_owned()
            }
            Self::Damaged { .. } | Self::Missing { .. } | Self::Environment(_) => {
                "rocmenv sync".to_owned()
            }
            Self::Newer { .. } => "use the rocmenv that made it".to_owned(),
            Self::Disk(inner) => return inner.help(),
        })
    }
}
