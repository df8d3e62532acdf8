//! Frameworks, and the versions that AMD lists for a release.

use serde::{Deserialize, Serialize};

use super::super::pattern::ReleasePattern;
use super::super::vocabulary::RocmVersion;
use super::gpus::GpuScope;
use super::sources::{Confidence, SourceKeys};
use super::support::Platform;

/// `frameworks.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct FrameworksTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The frameworks.
    pub framework: Vec<FrameworkRow>,
    /// Releases for which AMD's list of a framework is complete.
    pub closed: Vec<ClosedFramework>,
    /// What AMD lists.
    pub listed: Vec<ListedFramework>,
    /// Series that belong together.
    pub pair: Vec<TorchPair>,
}

/// A framework that a user asks for by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FrameworkRow {
    /// The name in rocm.toml.
    pub name: String,
    /// As its makers write it.
    pub title: String,
    /// Other names that users give.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The package whose version is the framework's.
    pub package: String,
    /// All packages that it brings; may hold `{major}` of ROCm.
    #[serde(default)]
    pub packages: Vec<String>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// Releases for which the list of a framework was read whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ClosedFramework {
    /// The framework.
    pub framework: String,
    /// The releases.
    pub rocm: Vec<RocmVersion>,
}

/// Versions of a framework that AMD lists for releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ListedFramework {
    /// The framework.
    pub framework: String,
    /// The releases.
    pub rocm: Vec<ReleasePattern>,
    /// The versions as printed; two parts stand for all patches. Empty: any that exists.
    #[serde(default)]
    pub versions: Vec<String>,
    /// The platforms.
    pub os: Vec<Platform>,
    /// Python series; empty where the source does not state them.
    #[serde(default)]
    pub pythons: Vec<String>,
    /// For which GPUs.
    #[serde(default)]
    pub gpus: GpuScope,
    /// Another framework that it needs (`pytorch==2.13.0`).
    #[serde(default)]
    pub requires: Option<String>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// How sure it is.
    #[serde(default)]
    pub confidence: Confidence,
    /// Who says so.
    pub source: SourceKeys,
}

/// The series that belong to a series of torch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TorchPair {
    /// Of torch.
    pub torch: String,
    /// Of torchvision.
    pub torchvision: String,
    /// Of torchaudio.
    pub torchaudio: String,
    /// Of apex, where built.
    #[serde(default)]
    pub apex: Option<String>,
    /// Who says so.
    pub source: SourceKeys,
}
