//! Interpreters that can be fetched.

use serde::{Deserialize, Serialize};

use super::super::vocabulary::{Arch, Dotted, OsFamily, Sha256};
use super::sources::SourceKeys;
use super::support::SystemName;

/// `pythons.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PythonsTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// What builds run on.
    pub target: Vec<PythonTarget>,
    /// The builds, newest first.
    pub build: Vec<PythonBuild>,
    /// What AMD's install page names.
    pub named: Vec<NamedPython>,
}

/// A kind of machine that python-build-standalone builds for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PythonTarget {
    /// The name that builds use.
    pub name: String,
    /// Its operating system.
    pub family: OsFamily,
    /// Its processor.
    pub arch: Arch,
    /// The LLVM triple in file names.
    pub triple: String,
    /// The oldest GNU C library that the builds run with; `None` where they need none.
    #[serde(default)]
    pub libc: Option<Dotted>,
    /// Who says so.
    pub source: SourceKeys,
}

/// One relocatable build of python-build-standalone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PythonBuild {
    /// The version of CPython (PEP 440).
    pub version: String,
    /// The release of python-build-standalone, a date.
    pub build: String,
    /// The name of its target.
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
