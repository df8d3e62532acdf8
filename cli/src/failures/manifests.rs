//! Errors of rocm.toml and rocm.lock.

use rocmenv_manifests::lock::LockError;
use rocmenv_manifests::project::{Problem, ProjectError};

use crate::error::{Exit, Failure};

impl Failure for ProjectError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self.problem {
            Problem::Malformed(_) => "manifest-malformed",
            Problem::UnknownKey { .. } => "unknown-key",
            Problem::UnknownValue { .. } => "unknown-value",
            Problem::Invalid(_) | Problem::EmptyGpu | Problem::NoTable { .. } => "manifest-invalid",
        })
    }

    fn help(&self) -> Option<String> {
        Some(format!("rocmenv explain {}", self.code()?))
    }
}

impl Failure for LockError {
    fn exit(&self) -> Exit {
        match self {
            Self::OtherVersion { .. } => Exit::Stale,
            Self::Malformed { .. }
            | Self::NoVersion
            | Self::CutOff { .. }
            | Self::UnknownTarget { .. }
            | Self::OtherWheel { .. } => Exit::Integrity,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::OtherVersion { .. } => "lock-version",
            _ => "lock-damaged",
        })
    }

    fn help(&self) -> Option<String> {
        Some(
            match self {
                Self::OtherVersion { .. } => {
                    "use the rocmenv that wrote it, or `rocmenv lock` after removing the file"
                }
                _ => "git checkout rocm.lock, or `rocmenv lock` after removing the file",
            }
            .to_owned(),
        )
    }
}
