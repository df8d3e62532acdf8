//! What the device code of native files means for a GPU and for a set of packages.

use serde::{Deserialize, Serialize};

use super::sources::SourceKeys;

/// `device-code.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DeviceCodeTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// Files that decide alone.
    pub essential: Vec<EssentialFile>,
    /// Libraries with data of their own.
    pub library: Vec<LibraryRule>,
    /// Features of targets.
    pub mode: Vec<ModeRule>,
    /// Packages that belong together.
    pub one_build: Vec<OneBuild>,
}

/// A file without whose code for a GPU its package is of no use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EssentialFile {
    /// What its name begins with.
    pub file: String,
    /// The package that it is of; may hold `*`. For people: the name of the file decides.
    pub package: String,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// What becomes of a process where a library has no data for the GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LibraryRule {
    /// The library's name.
    pub name: String,
    /// What happens.
    pub without: Without,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// What happens without a library's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Without {
    /// What uses the library fails.
    Fails,
    /// Other, slower ways are taken.
    Slower,
}

/// What a feature of a target is set to where nobody sets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ModeRule {
    /// The feature.
    pub feature: Feature,
    /// What it is.
    pub default: Setting,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// A feature that a target may have on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// Retry on page faults.
    Xnack,
    /// Correction of memory.
    Sramecc,
}

/// How a feature is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Setting {
    /// On.
    On,
    /// Off.
    Off,
}

/// Packages that are of one build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct OneBuild {
    /// The packages; the first is the one that the others follow.
    pub packages: Vec<String>,
    /// Modules of which an environment holds one provider.
    #[serde(default)]
    pub modules: Vec<String>,
    /// Who says so.
    pub source: SourceKeys,
}
