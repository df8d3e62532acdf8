//! `bisect`: which kept generation, or which release of ROCm, was the first that a command fails in.
//!
//! Exit codes of the command are those that `git bisect run` knows: 0 is good, 125 cannot tell,
//! everything else is bad.

mod error;
mod generations;
mod releases;
mod scratch;
mod search;

use std::ffi::OsString;
use std::str::FromStr;

use rocmenv_manifests::version::{Requirement, RequirementError};
use serde::Serialize;

use super::child;
use super::environment::Current;
use crate::context::Context;
use crate::error::Error;

pub use error::BisectError;
pub use generations::{BisectOutcome, GenerationEnds, Trial, bisect};
pub use releases::{ReleaseEnds, ReleaseTrial, ReleasesOutcome, bisect_releases};

/// What is searched, and how it is told.
#[derive(Debug, Clone, Default)]
pub struct BisectOptions {
    /// Where the command works.
    pub good: Option<End>,
    /// Where it fails.
    pub bad: Option<End>,
    /// The command; those of `[verify]` where it is empty.
    pub command: Vec<OsString>,
}

/// An end of the search: the number of a kept generation, or a release of ROCm (`7.2.4`; `7.2` is
/// the newest that the registry knows of it).
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// A kept generation.
    Generation(u32),
    /// The newest release that satisfies this.
    Release(Requirement),
}

impl FromStr for End {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, RequirementError> {
        match text.parse() {
            Ok(number) => Ok(Self::Generation(number)),
            Err(_) => text.parse().map(Self::Release),
        }
    }
}

/// What is searched.
pub enum Ends {
    /// Kept generations.
    Generations(GenerationEnds),
    /// Releases.
    Releases(ReleaseEnds),
}

impl BisectOptions {
    /// Both ends of one kind.
    ///
    /// # Errors
    /// One names a generation and the other a release.
    pub fn ends(&self) -> Result<Ends, BisectError> {
        use End::{Generation, Release};
        Ok(match (self.good.clone(), self.bad.clone()) {
            (Some(Release(good)), Some(Release(bad))) => {
                Ends::Releases(ReleaseEnds { good: Some(good), bad: Some(bad) })
            }
            (Some(Release(good)), None) => {
                Ends::Releases(ReleaseEnds { good: Some(good), bad: None })
            }
            (None, Some(Release(bad))) => {
                Ends::Releases(ReleaseEnds { good: None, bad: Some(bad) })
            }
            (Some(Generation(_)), Some(Release(_))) | (Some(Release(_)), Some(Generation(_))) => {
                return Err(BisectError::Mixed);
            }
            (good, bad) => {
                let number = |end| match end {
                    Some(Generation(number)) => Some(number),
                    _ => None,
                };
                Ends::Generations(GenerationEnds { good: number(good), bad: number(bad) })
            }
        })
    }
}

/// What a run said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Said {
    /// It works.
    Good,
    /// It fails.
    Bad,
    /// It cannot be told here.
    Unknown,
}

/// What came of a trial.
#[derive(Debug, Clone, Serialize)]
pub struct Verdict {
    /// What it said.
    pub said: Said,
    /// The last line of what the command wrote, or why it could not be run.
    pub detail: String,
}

/// Runs the commands in one generation, to the first that does not succeed.
fn ran(context: &Context, current: &Current, commands: &[Vec<OsString>]) -> Result<Verdict, Error> {
    for words in commands {
        let ended = child::run(context, current, words)?;
        if ended.code == Some(0) {
            continue;
        }
        let said = if ended.code == Some(CANNOT_TELL) { Said::Unknown } else { Said::Bad };
        return Ok(Verdict { said, detail: ended.last_line() });
    }
    Ok(Verdict { said: Said::Good, detail: String::new() })
}

/// The code by which a command says that it cannot tell.
const CANNOT_TELL: i32 = 125;
