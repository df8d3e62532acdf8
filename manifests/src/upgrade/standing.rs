//! Where a project stands on the roadmap: patches, how far behind, when to look again.

use serde::{Deserialize, Serialize};

use crate::version::RocmVersion;

/// Where a project stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Standing {
    /// The release in use.
    pub current: Option<ReleaseRef>,
    /// The newest patch of the same X.Y, where it is newer.
    pub patch: Option<ReleaseRef>,
    /// The newest production release, where it is newer.
    pub newest: Option<ReleaseRef>,
    /// How far the minor is behind, where that is more than the policy allows.
    pub behind: Option<Behind>,
    /// Whether releases should be looked for.
    pub check: CheckDue,
    /// How old the registry is.
    pub registry: RegistryAge,
    /// Where the channels that the environment uses have ended or been frozen.
    pub continuations: Vec<Continuation>,
}

/// A release with its day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ReleaseRef {
    /// The release.
    pub version: RocmVersion,
    /// Its day (YYYY-MM-DD), where one was found.
    pub date: Option<String>,
}

/// A minor that is behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Behind {
    /// Days between the first release of the X.Y in use and that of the newest X.Y.
    pub days: u32,
    /// The months that the policy allows.
    pub limit_months: u32,
}

/// When releases are looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CheckDue {
    /// The day of the last look: that of the registry, or a later one of the user's.
    pub last: String,
    /// Every how many days.
    pub every_days: u32,
    /// The day on which it is due.
    pub due_on: Option<String>,
    /// Whether that day has come.
    pub is_due: bool,
}

/// The age of what the registry knows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RegistryAge {
    /// The day on which it was collected.
    pub date: String,
    /// Days since then; `None` where either day cannot be read.
    pub days: Option<u32>,
    /// Whether that is longer than the check interval.
    pub is_old: bool,
}

/// A channel that has ended or been frozen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Continuation {
    /// The channel, by the registry's name.
    pub channel: String,
    /// The last release that it serves, where it has ended.
    pub until: Option<RocmVersion>,
    /// Whether nothing new appears there.
    pub is_frozen: bool,
    /// The channel that goes on, and its address where that is no template.
    pub continues_at: Option<String>,
    /// The address of the channel that goes on.
    pub url: Option<String>,
}
