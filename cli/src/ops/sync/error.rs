//! Why an environment cannot be made.

use rocmenv_store::fs::DiskError;

use crate::error::{Exit, Failure};

/// The environment cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// No lock, and none may be made.
    #[error("no `rocm.lock`")]
    NoLock,
    /// The lock is older than rocm.toml, and may not be changed.
    #[error("`rocm.lock` is not up to date")]
    LockOutdated,
    /// A rollback is held.
    #[error("generation {0} is held by a rollback")]
    Pinned(u32),
    /// Somebody else put packages into the environment, and the new one would not have them.
    #[error("the new environment would not have what was put into this one: {}", .0.join(", "))]
    WouldDrop(Vec<String>),
    /// The store or the project cannot be written.
    #[error("cannot write the environment")]
    Disk(#[source] DiskError),
}

impl Failure for SyncError {
    fn exit(&self) -> Exit {
        match self {
            Self::NoLock | Self::LockOutdated => Exit::Stale,
            Self::Pinned(_) | Self::WouldDrop(_) | Self::Disk(_) => Exit::Unmet,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoLock => "no-lock",
            Self::LockOutdated => "lock-outdated",
            Self::Pinned(_) => "pinned",
            Self::WouldDrop(_) => "foreign-packages",
            Self::Disk(_) => "store-not-usable",
        })
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::NoLock | Self::LockOutdated => "rocmenv lock".to_owned(),
            Self::Pinned(_) => {
                "rocmenv rollback --files (back to its rocm.toml), or rocmenv sync --unpin"
                    .to_owned()
            }
            Self::WouldDrop(_) => {
                "rocmenv add --from-env (keeps them), or rocmenv sync --discard".to_owned()
            }
            Self::Disk(_) => return None,
        })
    }
}
