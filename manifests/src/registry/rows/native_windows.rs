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
