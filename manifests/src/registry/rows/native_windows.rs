//! What AMD says that native Windows has, as a whole.

use serde::{Deserialize, Serialize};

use super::super::pattern::ReleasePattern;
use super::sources::SourceKeys;

/// `native-windows.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct NativeWindowsTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The statements.
    pub only: Vec<NativeWindowsOnly>,
    /// What AMD says that does not go under WSL2.
    pub under_wsl: Vec<NotUnderWsl>,
}

/// A statement that is complete for its releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NativeWindowsOnly {
    /// The releases.
    pub rocm: Vec<ReleasePattern>,
    /// The frameworks that there are.
    pub frameworks: Vec<String>,
    /// The document, in words.
    pub says: String,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// A framework that does not go under WSL2, by AMD's word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NotUnderWsl {
    /// The framework.
    pub framework: String,
    /// The releases.
    pub rocm: Vec<ReleasePattern>,
    /// What AMD says, in words.
    pub what: String,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}
