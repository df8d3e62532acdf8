//! Parts of ROCm that a user asks for, and the packages that bring them.

use serde::{Deserialize, Serialize};

use super::sources::SourceKeys;

/// `components.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ComponentsTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The components.
    pub component: Vec<Component>,
    /// Which packages bring them.
    pub provides: Vec<Provides>,
    /// Distribution packages that are always the host's.
    pub host_only: Vec<String>,
    /// The C library that a suite's binaries need.
    pub suite_libc: Vec<SuiteLibc>,
}

/// A part of ROCm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Component {
    /// Its name in rocm.toml.
    pub name: String,
    /// What it holds.
    pub what: String,
}

/// The packages that bring a component from a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Provides {
    /// The component.
    pub component: String,
    /// The channel.
    pub channel: String,
    /// The distribution's suites for which the row holds; empty means all.
    #[serde(default)]
    pub suites: Vec<String>,
    /// The packages; may hold `{series}`.
    pub packages: Vec<String>,
    /// The package that a GPU needs beside them; holds `{gfx}`.
    #[serde(default)]
    pub per_gfx: Option<String>,
    /// The version that was seen.
    #[serde(default)]
    pub version: Option<String>,
    /// The ROCm that this version is of.
    #[serde(default)]
    pub rocm: Option<String>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// What a suite's binaries need.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SuiteLibc {
    /// The suite.
    pub suite: String,
    /// The version of the GNU C library.
    pub libc: String,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}
