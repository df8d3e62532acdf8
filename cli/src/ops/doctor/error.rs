//! How `doctor` itself fails.

use std::path::PathBuf;

use rocmenv_resolver::diagnose::capture::CaptureError;
use rocmenv_resolver::host::{HostFileError, sysroot::CaptureError as TreeError};

use crate::error::{Exit, Failure};

/// `doctor` cannot do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum DoctorError {
    /// What was handed in cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is a capture, and a broken one.
    #[error("`{}` cannot be used", path.display())]
    Capture {
        /// Which.
        path: PathBuf,
        /// Why.
        source: Box<CaptureError>,
    },
    /// It is an archive that cannot be read or made.
    #[error("`{}` cannot be used as an archive", path.display())]
    Archive {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is a host file, and a broken one.
    #[error("`{}` cannot be used", path.display())]
    Host {
        /// Which.
        path: PathBuf,
        /// Why.
        source: HostFileError,
    },
    /// It is a captured tree with a broken description.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The facts cannot be written.
    #[error("cannot write the capture")]
    Write(#[source] HostFileError),
    /// There is no such fault.
    #[error("no fault is named `{code}`")]
    UnknownFault {
        /// The code.
        code: String,
        /// The one that was probably meant.
        nearest: Option<String>,
    },
    /// The fault is not rocmenv's to mend.
    #[error("`{code}` is not in what rocmenv owns: {what}")]
    NotOurs {
        /// The code.
        code: String,
        /// What has to change.
        what: &'static str,
        /// Whether that is the host.
        host: bool,
    },
}

impl Failure for DoctorError {
    fn exit(&self) -> Exit {
        match self {
            Self::Capture { .. }
            | Self::Archive { .. }
            | Self::Host { .. }
            | Self::Tree(_)
            | Self::UnknownFault { .. } => Exit::Usage,
            Self::NotOurs { host: true, .. } => Exit::Host,
            Self::Read { .. } | Self::Write(_) | Self::NotOurs { .. } => Exit::Unmet,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Capture { .. } | Self::Archive { .. } | Self::Tree(_) => Some("capture-invalid"),
            Self::Host { .. } => Some("host-file-invalid"),
            Self::NotOurs { .. } => Some("fix-not-ours"),
            Self::Read { .. } | Self::Write(_) | Self::UnknownFault { .. } => None,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::UnknownFault { nearest: Some(nearest), .. } => {
                Some(format!("rocmenv explain {nearest}"))
            }
            Self::UnknownFault { .. } => Some("rocmenv explain".to_owned()),
            Self::NotOurs { code, .. } => Some(format!("rocmenv explain {code}")),
            _ => None,
        }
    }
}
