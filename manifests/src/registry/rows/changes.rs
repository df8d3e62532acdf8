//! What each release changes: additions, removals, renames, moves, ends of support, plans.

use serde::{Deserialize, Serialize};

use super::super::vocabulary::{GfxTarget, RocmVersion};
use super::sources::{Confidence, SourceKeys};
use super::support::Platform;

/// `changes.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ChangesTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The changes, newest release first.
    pub change: Vec<ReleaseChange>,
}

/// What happens to something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// A key change that is none of the others.
    Key,
    /// It is new.
    Added,
    /// It has another name.
    Renamed,
    /// It is in another place.
    Moved,
    /// It is still there and going to end.
    Deprecated,
    /// It is gone.
    Removed,
    /// Its support has ended, or is said to end.
    EndOfSupport,
    /// A rule for going to the release.
    Rule,
    /// It is announced.
    Planned,
}

/// What it happens to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeSubject {
    /// A release or a line as a whole.
    Release,
    /// A part of ROCm.
    Component,
    /// The names of packages.
    Package,
    /// An index or a repository of packages.
    Index,
    /// A folder.
    Path,
    /// The way in which ROCm is installed.
    Method,
    /// The kernel driver.
    Driver,
    /// A GPU.
    Gpu,
    /// An operating system.
    System,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ReleaseChange {
    /// The first release that it holds for; `None` where no release is named.
    #[serde(default)]
    pub since: Option<RocmVersion>,
    /// What happens.
    pub kind: ChangeKind,
    /// To what.
    pub subject: ChangeSubject,
    /// Its name, or what it was.
    pub from: String,
    /// What it is afterwards, or what to use in its place.
    #[serde(default)]
    pub to: Option<String>,
    /// The targets, where it is about GPUs.
    #[serde(default)]
    pub gfx: Vec<GfxTarget>,
    /// The framework that it is about; `None` where it is about ROCm itself.
    #[serde(default)]
    pub framework: Option<String>,
    /// The platforms that it is about; empty where it is about all.
    #[serde(default)]
    pub os: Vec<Platform>,
    /// The day or quarter that a document gives, as printed.
    #[serde(default)]
    pub when: Option<String>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// How sure it is.
    #[serde(default)]
    pub confidence: Confidence,
    /// Who says so.
    pub source: SourceKeys,
}
