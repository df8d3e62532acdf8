//! The machine against the environment matrix: minimum, recommended, what it has, the verdict.
//!
//! The rows of the registry are the baseline. What AMD's own tables say of the system and the GPU
//! for a release wins over them, and both are shown. What cannot be read is not known.

mod judge;
mod processor;
mod workload;

use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::requirements::Item;
use rocmenv_manifests::version::RocmVersion;
use serde::Serialize;

use super::facts::Facts;

pub use workload::{Precision, Workload, WorkloadError};

/// What is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// What the machine is for.
    pub workload: Workload,
    /// The release whose tables are asked; the newest one whose table was read where none is said.
    pub rocm: Option<RocmVersion>,
    /// The power supply in W, where somebody says it.
    pub power_supply: Option<u32>,
}

/// One line of the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Line {
    /// What it is about.
    pub item: Item,
    /// The baseline's minimum.
    pub minimum: String,
    /// What the baseline recommends.
    pub recommended: String,
    /// What this machine has.
    pub has: String,
    /// The verdict that counts.
    pub verdict: Verdict,
    /// The baseline's own verdict, where AMD's table says something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Verdict>,
    /// Why, and who says so.
    pub why: String,
}

/// A verdict, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// At least what is recommended.
    FullySupported,
    /// At least the minimum.
    Supported,
    /// Nobody knows.
    NotKnown,
    /// Less than the minimum.
    BelowMinimum,
    /// AMD's table of the release says no.
    StatedNo,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Answer {
    /// The workload, as text.
    pub workload: String,
    /// The release whose tables were asked.
    pub rocm: String,
    /// The lines.
    pub lines: Vec<Line>,
    /// What would run instead, where AMD says no.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instead: Vec<String>,
}

impl Answer {
    /// Whether something is below the minimum or stated no.
    pub fn is_refused(&self) -> bool {
        self.lines.iter().any(|line| line.verdict >= Verdict::BelowMinimum)
    }
}

/// Holds a machine against the matrix.
pub fn check(facts: &Facts, question: &Question, registry: &Registry) -> Answer {
    let newest = || registry.releases().release.iter().map(|row| row.version.clone()).max();
    let rocm = question.rocm.clone().or_else(|| present(registry)).or_else(newest);
    let rocm = rocm.unwrap_or_else(|| RocmVersion::new(0, 0, 0));
    judge::judge(facts, question, &rocm, registry)
}

/// The newest release whose table of products and systems was read as a whole, so that what is
/// not in it is stated not to be supported: AMD's present table.
fn present(registry: &Registry) -> Option<RocmVersion> {
    registry.product_support().closed.iter().max().cloned()
}
