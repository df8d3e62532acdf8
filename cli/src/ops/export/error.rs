//! Why something cannot be exported.

use rocmenv_shims::activation::ActivationError;

use crate::error::{Exit, Failure};

/// It cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Files without a hash.
    #[error("the lock has no hash of {}", .files.join(", "))]
    Gaps {
        /// The files.
        files: Vec<String>,
    },
    /// No image is known for the system.
    #[error("no container image is known for {}", system(.os.as_deref()))]
    NoBase {
        /// The target's system, where it is known.
        os: Option<String>,
        /// The format that was asked for.
        format: &'static str,
    },
    /// The target cannot run in a container of Linux.
    #[error("a container runs Linux, and the target is {os}")]
    NotLinux {
        /// The target's system.
        os: String,
    },
    /// The activation file of the generation cannot be read.
    #[error("the environment's activation file cannot be read")]
    Activation(#[from] ActivationError),
    /// A text could not be put together.
    #[error("the document cannot be written")]
    Json(#[from] serde_json::Error),
}

impl Failure for ExportError {
    fn exit(&self) -> Exit {
        match self {
            Self::Gaps { .. } => Exit::Stale,
            Self::NoBase { .. } => Exit::Usage,
            Self::NotLinux { .. } | Self::Json(_) => Exit::Unmet,
            Self::Activation(_) => Exit::Integrity,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Gaps { .. } => "hash-gap",
            Self::NoBase { .. } | Self::NotLinux { .. } => "no-base-image",
            Self::Activation(_) => "environment-damaged",
            Self::Json(_) => return None,
        })
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Gaps { .. } => Some("rocmenv lock --hash".to_owned()),
            Self::NoBase { format, .. } => {
                Some(format!("rocmenv export {format} --base ubuntu:24.04"))
            }
            Self::NotLinux { .. } => Some("rocmenv --target NAME export".to_owned()),
            Self::Activation(_) => Some("rocmenv sync".to_owned()),
            Self::Json(_) => None,
        }
    }
}

fn system(os: Option<&str>) -> String {
    os.map_or_else(|| "a target that does not say its system".to_owned(), |os| format!("`{os}`"))
}
