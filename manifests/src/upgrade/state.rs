//! A state: one host with one environment, as far as it is described.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::platform::OsRelease;
use crate::version::{DriverVersion, RocmVersion};

/// What an upgrade moves. `None` is not described: it is not checked and never moved, but for
/// `rocm`, where it means that no environment is in use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct State {
    /// The operating system; for WSL the distribution inside.
    pub os: Option<OsRelease>,
    /// The kernel as `uname -r` or a table says it (`6.8.0-45-generic`, `6.17`).
    pub kernel: Option<String>,
    /// The driver.
    pub driver: Option<Driver>,
    /// Firmware of the GPUs as AMD's tables print it (`MU 5 with IFWI 75`).
    pub firmware: Option<String>,
    /// The ROCm that the environment is made of or for.
    pub rocm: Option<RocmVersion>,
    /// The Python series (`3.12`).
    pub python: Option<String>,
    /// The frameworks of the environment, in the order of rocm.toml.
    pub frameworks: Vec<FrameworkVersion>,
}

/// The kernel driver of a host.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Driver {
    /// AMD's driver for Linux, by its release (`30.20.1`).
    Amd(DriverVersion),
    /// AMD's driver for Linux, by a module version that no table maps to a release.
    Module(String),
    /// The kernel's own.
    InTree,
    /// AMD's driver for Windows, by its Adrenalin version.
    Adrenalin(DriverVersion),
}

impl fmt::Display for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Amd(release) => write!(f, "{release}"),
            Self::Module(module) => write!(f, "module {module}"),
            Self::InTree => f.write_str("in-tree"),
            Self::Adrenalin(version) => write!(f, "Adrenalin {version}"),
        }
    }
}

/// A framework as it is, or would be, installed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct FrameworkVersion {
    /// Its name in the registry (`pytorch`, `jax`).
    pub name: String,
    /// Its version without a local part.
    pub version: String,
    /// The package and version of the build (`torch 2.12.0+rocm10.0.0`); `None` where AMD lists
    /// the version and no build of it was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The index that serves the build, by the name that a lock uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
}
