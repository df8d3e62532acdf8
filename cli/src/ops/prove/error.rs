//! Why nothing can be proved.

use rocmenv_manifests::platform::{Arch, OsFamily};
use rocmenv_store::fetch::FailureClass;
use rocmenv_store::fs::DiskError;
use rocmenv_store::proof::ProofError;

use crate::error::{Exit, Failure};

/// Nothing could be proved.
#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// The words name no wheel.
    #[error("`{0}` is no wheel: write NAME==VERSION, an address or a file")]
    NotWheel(String),
    /// The index has none.
    #[error("index `{index}` has no wheel of `{wanted}` for {} on {arch}", system(*.family))]
    NoWheel {
        /// As it was asked for.
        wanted: String,
        /// The index.
        index: String,
        /// The system that it was looked for.
        family: OsFamily,
        /// The processor.
        arch: Arch,
        /// Files of the version that it does have.
        others: Vec<String>,
    },
    /// What files need to load is a question of one system.
    #[error("the wheels are for different systems: one call proves them for one")]
    TwoSystems,
    /// A wheel cannot be read.
    #[error("cannot read the wheel")]
    Wheel(#[source] ProofError),
    /// The scratch folder cannot be written.
    #[error("cannot write the scratch folder")]
    Disk(#[source] DiskError),
}

impl Failure for ProveError {
    fn exit(&self) -> Exit {
        match self {
            Self::NotWheel(_) | Self::TwoSystems => Exit::Usage,
            Self::NoWheel { .. } | Self::Disk(_) => Exit::Unmet,
            Self::Wheel(inner) => match inner.class() {
                FailureClass::Network => Exit::Network,
                FailureClass::Integrity => Exit::Integrity,
                FailureClass::Local => Exit::Unmet,
            },
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::NotWheel(_) => Some("wheel-not-named"),
            Self::TwoSystems => Some("wheels-of-two-systems"),
            Self::NoWheel { .. } => Some("wheel-not-listed"),
            Self::Wheel(ProofError::Fetch(inner)) => inner.code(),
            Self::Wheel(ProofError::NoRanges { .. }) => Some("no-ranges"),
            Self::Wheel(ProofError::Damaged { .. }) => Some("archive-refused"),
            Self::Wheel(ProofError::Local { .. }) => Some("file-not-readable"),
            Self::Disk(_) => Some("file-not-writable"),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NotWheel(_) => Some("rocmenv prove --wheel jax-rocm7-pjrt==0.12.0".to_owned()),
            Self::NoWheel { others, .. } => Some(match others.last() {
                Some(file) => format!("rocmenv prove --wheel {file} (a file for another system)"),
                None => "name another index with `--index`".to_owned(),
            }),
            Self::TwoSystems => Some("rocmenv prove --wheel WHEEL, once for each".to_owned()),
            Self::Wheel(ProofError::Fetch(inner)) => inner.help(),
            Self::Wheel(_) | Self::Disk(_) => None,
        }
    }
}

fn system(family: OsFamily) -> &'static str {
    match family {
        OsFamily::Linux => "Linux",
        OsFamily::Windows => "Windows",
    }
}
