//! Places that serve artifacts.

use serde::{Deserialize, Serialize};

use super::super::pattern::ReleasePattern;
use super::super::vocabulary::RocmVersion;
use super::sources::SourceKeys;

/// `channels.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ChannelsTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The channels.
    pub channel: Vec<Channel>,
}

/// What a channel serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChannelKind {
    /// Python wheels.
    Wheel,
    /// Debian packages.
    Deb,
    /// Archives of a ROCm tree.
    Tarball,
    /// Python interpreters.
    Python,
    /// Installers that the user runs.
    Installer,
    /// The ROCm that the target has.
    Host,
}

/// How a channel is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// A simple index (PEP 503, PEP 691).
    Simple,
    /// One page of links.
    Folder,
    /// An apt repository.
    Apt,
    /// Files at addresses that follow a template.
    Files,
}

/// How finished what a channel serves is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Default,
)]
#[serde(rename_all = "kebab-case")]
pub enum Stability {
    /// Releases.
    #[default]
    Stable,
    /// Release candidates.
    Candidate,
    /// Nightly builds.
    Nightly,
    /// Development builds.
    Development,
}

/// How a channel behaves beside its layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Behaviour {
    /// Pages give no sha256.
    NoHashes,
    /// A package's page answers 301 to another folder.
    Redirects,
    /// 403 means that there is no such package.
    ForbiddenIsAbsent,
    /// Mirrors what its packages need.
    OwnDependencies,
    /// Pages give no upload times.
    NoUploadDates,
    /// Some files lie one folder up.
    RootFiles,
    /// No JSON form.
    HtmlOnly,
    /// No signature.
    Unsigned,
    /// `FILE.metadata` is there for some files and not announced.
    MetadataPerFile,
    /// No ETag and no Last-Modified.
    NoEtag,
    /// Ranged reads work.
    RangeRequests,
    /// Builds are told apart by the local part of the version.
    LocalVersions,
    /// Each folder is one release, whatever the numbers in it say: pre-release numbers are those
    /// of that release, and labels need not name it.
    ReleaseFolders,
}

/// One place that serves artifacts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// What it serves.
    pub kind: ChannelKind,
    /// How it is laid out.
    #[serde(default)]
    pub layout: Option<Layout>,
    /// The name of its index in a lock, a template.
    pub index: String,
    /// Its address, a template; `None` for what the user configures.
    #[serde(default)]
    pub url: Option<String>,
    /// A mirror of it, a template.
    #[serde(default)]
    pub mirror: Option<String>,
    /// The apt suite, a template.
    #[serde(default)]
    pub suite: Option<String>,
    /// The apt components.
    #[serde(default)]
    pub components: Vec<String>,
    /// Where its signing key is published.
    #[serde(default)]
    pub key: Option<String>,
    /// The distribution code names that it knows.
    #[serde(default)]
    pub codenames: Vec<String>,
    /// The distribution folders that it knows.
    #[serde(default)]
    pub profiles: Vec<String>,
    /// The line that it belongs to.
    #[serde(default)]
    pub line: Option<String>,
    /// How finished its content is.
    #[serde(default)]
    pub stability: Stability,
    /// The releases that it serves.
    #[serde(default)]
    pub rocm: Vec<ReleasePattern>,
    /// The version parts of its indexes.
    #[serde(default)]
    pub series: Vec<String>,
    /// The GPU families of its indexes.
    #[serde(default)]
    pub families: Vec<String>,
    /// The first release on it.
    #[serde(default)]
    pub from: Option<RocmVersion>,
    /// The last release on it.
    #[serde(default)]
    pub until: Option<RocmVersion>,
    /// The channel that follows.
    #[serde(default)]
    pub continues_at: Option<String>,
    /// Whether nothing new appears on it.
    #[serde(default)]
    pub frozen: bool,
    /// Leading folders of its archives to strip.
    #[serde(default)]
    pub strip: Option<u32>,
    /// `linux`, `windows`, `wsl`; empty means all.
    #[serde(default)]
    pub platforms: Vec<String>,
    /// How it behaves.
    #[serde(default)]
    pub behaviours: Vec<Behaviour>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}
