//! Tuning rules: which setting helps which workload on which GPUs, why, and at what risk.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::pattern::ReleasePattern;
use super::super::vocabulary::GfxTarget;
use super::sources::SourceKeys;

/// `tuning.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct TuningTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The rules.
    pub rule: Vec<TuningRule>,
}

/// What a machine is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    /// Training on one GPU.
    Training,
    /// Training over several GPUs.
    MultiGpuTraining,
    /// Serving models.
    Inference,
}

/// What a rule asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TuningKind {
    /// Variables that `tune --apply` can set.
    Set,
    /// Something for the program's own text or arguments.
    Advice,
    /// Something of the machine that needs root: printed, never done.
    Machine,
    /// Something that must not be done, or that is known to go wrong.
    Avoid,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TuningRule {
    /// Its stable name.
    pub name: String,
    /// What it is about, in a few words.
    pub title: String,
    /// What it asks for.
    pub kind: TuningKind,
    /// The workloads that it is for; empty means all.
    #[serde(default)]
    pub workloads: Vec<Workload>,
    /// The GPUs that it is for; empty means all.
    #[serde(default)]
    pub gfx: Vec<GfxTarget>,
    /// The ROCm releases that it is for; empty means all.
    #[serde(default)]
    pub rocm: Vec<ReleasePattern>,
    /// The frameworks that it is for; empty means all.
    #[serde(default)]
    pub frameworks: Vec<String>,
    /// `linux` or `windows`; absent means both.
    #[serde(default)]
    pub os: Option<String>,
    /// It needs at least this many GPUs.
    #[serde(default)]
    pub gpus_at_least: Option<u32>,
    /// It needs fewer GPUs than this.
    #[serde(default)]
    pub gpus_below: Option<u32>,
    /// The variables.
    #[serde(default)]
    pub set: BTreeMap<String, String>,
    /// Commands for root, for a person to run.
    #[serde(default)]
    pub commands: Vec<String>,
    /// Why.
    pub reason: String,
    /// What to expect.
    pub effect: String,
    /// What may go wrong.
    pub risk: String,
    /// Whether only the model can tell the right value.
    #[serde(default)]
    pub depends_on_model: bool,
    /// Who says so.
    pub source: SourceKeys,
}
