//! ROCm releases, their lines, and what changes from one to the next.

use serde::{Deserialize, Serialize};

use super::super::pattern::ReleasePattern;
use super::super::vocabulary::RocmVersion;
use super::sources::{Confidence, SourceKeys};

/// `releases.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ReleasesTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The lines.
    pub line: Vec<Line>,
    /// The releases, newest first.
    pub release: Vec<Release>,
}

/// A family of releases that are made and packaged one way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Line {
    /// `classic`, `preview`, `therock`, `distro`.
    pub name: String,
    /// The releases that belong to it.
    #[serde(default)]
    pub versions: Vec<ReleasePattern>,
    /// `production`, `preview` or `distribution`.
    pub stability: String,
    /// How its packages are named and where they lie.
    pub packages: String,
    /// The line that follows.
    #[serde(default)]
    pub continues_at: Option<String>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// How a release came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseKind {
    /// A production release.
    Production,
    /// A technology preview; needs `preview = true`.
    Preview,
    /// A tag without an entry in the release history.
    Unlisted,
    /// Known by name from another table; nothing else was read.
    NamedOnly,
}

/// One ROCm release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Release {
    /// Its number.
    pub version: RocmVersion,
    /// The line that it belongs to.
    pub line: String,
    /// How it came out.
    pub kind: ReleaseKind,
    /// Its day (YYYY-MM-DD), where found.
    #[serde(default)]
    pub date: Option<String>,
    /// Version of HIP, where found.
    #[serde(default)]
    pub hip: Option<String>,
    /// Version of LLVM, where found.
    #[serde(default)]
    pub llvm: Option<String>,
    /// Its part of the documentation's address.
    #[serde(default)]
    pub docs: Option<String>,
    /// Peculiarities and disagreements of documents.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// `roadmap.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct RoadmapTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The entries, by topic.
    pub entry: Vec<RoadmapEntry>,
}

/// A line change, rename, removal, end of support or upgrade rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RoadmapEntry {
    /// `stream`, `naming`, `upgrade`, `removed`, `eos` ...
    pub topic: String,
    /// What changes, as printed.
    #[serde(default)]
    pub from: String,
    /// Into what.
    #[serde(default)]
    pub to: String,
    /// What happens, or when.
    #[serde(default)]
    pub status: String,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// How sure it is.
    #[serde(default)]
    pub confidence: Confidence,
    /// Who says so.
    pub source: SourceKeys,
}
