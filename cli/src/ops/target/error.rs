//! Why the targets of a project cannot be changed.

use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::project::ProjectError;

use crate::error::{Exit, Failure};
use crate::ops::lock::TargetsError;

/// The targets cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum TargetEditError {
    /// There is one of that name.
    #[error("`rocm.toml` has a target `{0}` already")]
    Exists(TargetName),
    /// The lock was made on a host that nobody described and that cannot be told from its part.
    #[error("`rocm.lock` was made on a host that `rocm.toml` does not describe")]
    NotDescribed,
    /// This host can be given no name.
    #[error("no name can be made of this host")]
    NoName,
    /// rocm.toml reads, and yet cannot be edited.
    #[error("`rocm.toml` cannot be edited")]
    NotEditable,
    /// The new table would not read.
    #[error("the change would break `rocm.toml`")]
    WouldBreak(#[from] ProjectError),
    /// No such target.
    #[error(transparent)]
    Targets(#[from] TargetsError),
}

impl Failure for TargetEditError {
    fn exit(&self) -> Exit {
        match self {
            Self::Targets(inner) => inner.exit(),
            _ => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Exists(_) => Some("target-exists"),
            Self::NotDescribed => Some("host-not-described"),
            Self::NotEditable | Self::WouldBreak(_) => Some("manifest-invalid"),
            Self::Targets(inner) => inner.code(),
            Self::NoName => None,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Exists(_) => Some("rocmenv target list".to_owned()),
            Self::NotDescribed => Some("rocmenv target add (there, and commit it)".to_owned()),
            Self::NoName => Some("rocmenv target add NAME".to_owned()),
            Self::Targets(inner) => inner.help(),
            Self::NotEditable | Self::WouldBreak(_) => None,
        }
    }
}
