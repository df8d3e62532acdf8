//! Why nothing can be searched.

use rocmenv_manifests::version::{Requirement, RequirementError, RocmVersion};

use super::Said;
use crate::error::{Exit, Failure};

/// There is nothing to search, or the ends are not what was said of them.
#[derive(Debug, thiserror::Error)]
pub enum BisectError {
    /// No generation at all.
    #[error("there is no generation to search")]
    Nothing,
    /// The good one is not before the bad one.
    #[error("{good} is not before {bad}")]
    Order {
        /// The one that should be good.
        good: String,
        /// The one that should be bad.
        bad: String,
    },
    /// An end does not say what it should.
    #[error("{what} should be {}, and {}", word(*expected), was(*said))]
    End {
        /// The generation or release.
        what: String,
        /// What it should have said.
        expected: Said,
        /// What it said.
        said: Said,
    },
    /// One end is a generation, the other a release.
    #[error("one end names a generation and the other a release of ROCm")]
    Mixed,
    /// The registry knows no such release.
    #[error("no release of ROCm that the registry knows is `{0}`")]
    NoRelease(Requirement),
    /// An end was left out, and nothing is locked that could stand for it.
    #[error("one end of the releases is not named, and the project is not locked for any")]
    NotLocked,
    /// What can be locked is another release.
    #[error("what can be locked is ROCm {0}")]
    OtherRelease(RocmVersion),
    /// A release that no requirement can name.
    #[error("the release cannot be asked for")]
    Release(#[source] RequirementError),
    /// Neither a command nor `[verify]`.
    #[error("no command was given and rocm.toml has none in `[verify]`")]
    NoCommand,
    /// The commands of rocm.toml were not allowed.
    #[error("nobody has allowed the commands of this rocm.toml to be run")]
    NotAllowed,
}

fn word(said: Said) -> &'static str {
    match said {
        Said::Good => "good",
        Said::Bad => "bad",
        Said::Unknown => "untold",
    }
}

fn was(said: Said) -> &'static str {
    match said {
        Said::Good => "the command succeeds in it",
        Said::Bad => "the command fails in it",
        Said::Unknown => "the command cannot tell in it",
    }
}

impl Failure for BisectError {
    fn exit(&self) -> Exit {
        match self {
            Self::Nothing => Exit::Stale,
            Self::End { .. } | Self::OtherRelease(_) | Self::Release(_) => Exit::Unmet,
            Self::Order { .. }
            | Self::Mixed
            | Self::NoRelease(_)
            | Self::NotLocked
            | Self::NoCommand
            | Self::NotAllowed => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Nothing => "environment-missing",
            Self::Order { .. }
            | Self::End { .. }
            | Self::Mixed
            | Self::NoRelease(_)
            | Self::NotLocked
            | Self::OtherRelease(_)
            | Self::Release(_) => "bisect-ends",
            Self::NoCommand => "bisect-command",
            Self::NotAllowed => "not-allowed",
        })
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Nothing => "rocmenv sync".to_owned(),
            Self::Order { good, .. } if good.starts_with("ROCm") => {
                "rocmenv matrix roadmap".to_owned()
            }
            Self::Order { .. } => "rocmenv generations".to_owned(),
            Self::NoRelease(_) => "rocmenv matrix roadmap".to_owned(),
            Self::Mixed | Self::NotLocked | Self::OtherRelease(_) | Self::Release(_) => {
                "rocmenv bisect --good 7.2.4 --bad 10.0.0 -- python test.py".to_owned()
            }
            Self::End { what, expected, .. } => {
                let (word, flag) = match expected {
                    Said::Good => ("works", "--good"),
                    _ => ("fails", "--bad"),
                };
                let (value, list) = if what.starts_with("ROCm") {
                    ("RELEASE", "rocmenv matrix roadmap")
                } else {
                    ("N", "rocmenv generations")
                };
                format!("name one that {word}: `{flag} {value}` (see `{list}`)")
            }
            Self::NoCommand => "rocmenv bisect -- python test.py".to_owned(),
            Self::NotAllowed => "rocmenv bisect --yes".to_owned(),
        })
    }
}
