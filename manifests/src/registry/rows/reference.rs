//! Reference tables: environment variables and published peaks.

use serde::{Deserialize, Serialize};

use super::super::vocabulary::GfxTarget;
use super::sources::{Confidence, SourceKeys};

/// `env-vars.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EnvVarsTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The variables, by name.
    pub variable: Vec<EnvVar>,
}

/// A variable that tunes, isolates or diagnoses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EnvVar {
    /// Its name.
    pub name: String,
    /// `isolation`, `memory`, `performance`, `diagnosis` ...
    pub category: String,
    /// What it does.
    pub what: String,
    /// What it takes.
    #[serde(default)]
    pub values: String,
    /// Its default, where stated.
    #[serde(default)]
    pub default: Option<String>,
    /// When to set it.
    #[serde(default)]
    pub advice: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// `peaks.toml`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PeaksTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The peaks.
    pub peak: Vec<Peak>,
}

/// A published theoretical peak of a GPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Peak {
    /// The product, or a group in words.
    pub gpu: String,
    /// Its targets.
    #[serde(default)]
    pub gfx: Vec<GfxTarget>,
    /// `fp16-matrix`, `memory-bandwidth` ...
    pub metric: String,
    /// The value, where it is a number.
    #[serde(default)]
    pub value: Option<f64>,
    /// The value, where it is none.
    #[serde(default)]
    pub text: Option<String>,
    /// `TFLOPS`, `TOPS`, `GB/s` ...
    #[serde(default)]
    pub unit: String,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// How sure it is.
    #[serde(default)]
    pub confidence: Confidence,
    /// Who says so.
    pub source: SourceKeys,
}
