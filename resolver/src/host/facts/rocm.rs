//! ROCm installations of the host itself.

use serde::{Deserialize, Serialize};

/// One ROCm installation found on the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RocmInstall {
    /// Where it was found (`/opt/rocm`).
    pub path: String,
    /// Where that leads once links are followed (`/opt/rocm-6.2.0`), if elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub real_path: Option<String>,
    /// Release (`6.2.0`), from `.info/version` or `core/.info/version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The whole line of that file (`6.2.0-66`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
}
