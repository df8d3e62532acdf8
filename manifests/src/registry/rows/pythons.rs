//! Interpreters that can be fetched.

use serde::{Deserialize, Serialize};

use super::super::vocabulary::Sha256;
use super::sources::SourceKeys;
use super::support::SystemName;

/// `pythons.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PythonsTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The builds, newest first.
    pub build: Vec<PythonBuild>,
    /// What AMD's install page names.
    pub named: Vec<NamedPython>,
}

/// One relocatable build of python-build-standalone, x86-64.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PythonBuild {
    /// The version of CPython (PEP 440).
    pub version: String,
    /// The release of python-build-standalone, a date.
    pub build: String,
    /// `linux` (GNU) or `windows` (MSVC).
    pub target: String,
    /// `install_only_stripped` or `install_only`.
    pub flavor: String,
    /// The archive's digest.
    pub sha256: Sha256,
    /// Who says so.
    pub source: SourceKeys,
}

/// The Python that AMD's install page names for a system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NamedPython {
    /// The system.
    pub os: SystemName,
    /// The series.
    pub python: String,
    /// Who says so.
    pub source: SourceKeys,
}
