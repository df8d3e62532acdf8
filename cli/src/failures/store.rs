//! Errors of fetching, indexes and signatures.

use rocmenv_store::cache::CatalogError;
use rocmenv_store::fetch::{FailureClass, FetchError};

use crate::error::{Exit, Failure};

impl Failure for FetchError {
    fn exit(&self) -> Exit {
        exit_of(self.class())
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Offline { .. } => "offline",
            Self::Network { .. } | Self::Status { .. } | Self::Broken { .. } => "network",
            Self::TooLarge { .. } => "too-large",
            Self::SizeMismatch { .. } | Self::HashMismatch { .. } => "hash-mismatch",
            Self::UnsafeName { .. } => "unsafe-name",
            Self::DiskFull { .. } => "disk-full",
            Self::Disk { .. } => "file-not-writable",
            Self::Setup { .. } => "network-setup",
        })
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Offline { .. } => Some("run it again without `--offline`".to_owned()),
            Self::DiskFull { .. } => Some("rocmenv gc".to_owned()),
            _ => None,
        }
    }
}

impl Failure for CatalogError {
    fn exit(&self) -> Exit {
        exit_of(self.class())
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self.class() {
            FailureClass::Network => "network",
            FailureClass::Integrity => "index-integrity",
            FailureClass::Local => "index-local",
        })
    }
}

/// The exit code of a failed transfer.
pub(crate) fn exit_of_fetch(error: &FetchError) -> Exit {
    exit_of(error.class())
}

fn exit_of(class: FailureClass) -> Exit {
    match class {
        FailureClass::Network => Exit::Network,
        FailureClass::Integrity => Exit::Integrity,
        FailureClass::Local => Exit::Unmet,
    }
}
