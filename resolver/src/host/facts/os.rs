//! The operating system and its distribution.

use rocmenv_manifests::platform::{OsFamily, OsRelease};
use serde::{Deserialize, Serialize};

/// Operating system, from `/etc/os-release` on Linux (freedesktop.org os-release).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Os {
    /// Linux or Windows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<OsFamily>,
    /// Distribution and version (`ubuntu-24.04`, `arch`, `windows-11-25H2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<OsRelease>,
    /// Ids of the distributions that this one derives from (`ID_LIKE`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub like: Vec<String>,
    /// Code name (`noble`, `bookworm`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codename: Option<String>,
    /// The name that the distribution shows to people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pretty_name: Option<String>,
}
