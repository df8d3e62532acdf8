//! What `verify` found: stages, their findings, and how far each went.

use std::collections::BTreeSet;
use std::time::Instant;

use rocmenv_manifests::gfx::GfxTarget;
use serde::{Deserialize, Serialize};

use super::framework::FRAMEWORK;
use super::host::GPU;

/// How far a stage went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Facts and files were read.
    Read,
    /// Modules and libraries were loaded.
    Loaded,
    /// Programs ran to their end.
    Ran,
}

/// What came of one look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Result {
    /// It is as it should be.
    Passed,
    /// It is not.
    Failed,
    /// It may be wrong, and was accepted before.
    Warned,
    /// Nobody could look.
    Skipped,
}

/// One look of a stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub what: String,
    /// What came of it.
    pub result: Result,
    /// How far it went; `None` where nobody could look, which proves nothing.
    pub level: Option<Level>,
    /// In words, where there is something to say.
    pub detail: String,
    /// How long it took, where that was measured.
    pub seconds: Option<f64>,
    /// Whether something was computed on an AMD GPU for it.
    pub on_gpu: bool,
    /// The target of that GPU, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gfx: Option<GfxTarget>,
}

/// A whole stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageOutcome {
    /// The stage's stable id.
    pub stage: &'static str,
    /// How far it goes at most.
    pub level: Level,
    /// Its findings.
    pub findings: Vec<Finding>,
    /// How long it took.
    pub seconds: f64,
}

/// What `verify` found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerifyOutcome {
    /// The generation that was looked at.
    pub generation: u32,
    /// The stages, in order.
    pub stages: Vec<StageOutcome>,
}

impl VerifyOutcome {
    /// Whether nothing failed.
    pub fn has_passed(&self) -> bool {
        let mut findings = self.stages.iter().flat_map(|stage| &stage.findings);
        findings.all(|finding| finding.result != Result::Failed)
    }

    /// Whether files are not as they were made.
    pub fn has_damaged_files(&self) -> bool {
        let mut files = self.stages.iter().filter(|stage| stage.stage == "files");
        files.any(|stage| stage.findings.iter().any(|one| one.result == Result::Failed))
    }

    /// The targets on which a kernel of a framework ran and was right. What the runtime alone did
    /// there says nothing of the environment's code.
    pub fn ran(&self) -> BTreeSet<GfxTarget> {
        let stages = self.stages.iter().filter(|stage| stage.stage == FRAMEWORK);
        let findings = stages.flat_map(|stage| &stage.findings);
        let ran = findings.filter(|finding| finding.on_gpu && finding.result == Result::Passed);
        ran.filter(|finding| finding.level == Some(Level::Ran)).filter_map(|it| it.gfx).collect()
    }

    /// Whether a GPU was looked for and nothing was computed on one.
    pub fn lacks_gpu_proof(&self) -> bool {
        let findings = || self.stages.iter().flat_map(|stage| &stage.findings);
        let has_computed = |finding: &Finding| finding.on_gpu && finding.result == Result::Passed;
        findings().any(|finding| finding.what == GPU) && !findings().any(has_computed)
    }
}

impl Finding {
    pub(super) fn new(what: impl Into<String>, result: Result, detail: impl Into<String>) -> Self {
        let (what, detail) = (what.into(), detail.into());
        Self { what, result, level: None, detail, seconds: None, on_gpu: false, gfx: None }
    }

    /// A look with the time that it took.
    pub(super) fn timed(look: impl FnOnce() -> Self) -> Self {
        let start = Instant::now();
        let finding = look();
        Self { seconds: Some(start.elapsed().as_secs_f64()), ..finding }
    }
}
