//! The amdgpu kernel driver and its three numbers.
//!
//! AMD's release (30.20.1), the module version (6.16.6) and the dkms build id (2255209)
//! name the same driver. They are kept apart here and never compared with one another.

use rocmenv_manifests::version::Dotted;
use serde::{Deserialize, Serialize};

/// The GPU driver of a host.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Driver {
    /// Whether the module is in the running kernel (`/sys/module/amdgpu`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loaded: Option<bool>,
    /// Whose driver it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flavour: Option<DriverFlavour>,
    /// AMD's release, where the package of the very module that runs names it, or where
    /// it was given. On Windows the Adrenalin version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<Dotted>,
    /// Module version, from `/sys/module/amdgpu/version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module_version: Option<String>,
    /// Windows' own number of the driver (`32.0.31041.1004`), which is compared with no release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub windows_number: Option<String>,
    /// Its day on Windows (`2026-06-28`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub windows_date: Option<String>,
    /// The installed `amdgpu-dkms` package, which need not be the module that runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<DriverPackage>,
    /// The trees under `/var/lib/dkms/amdgpu`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dkms: Vec<DkmsTree>,
}

impl Driver {
    /// The dkms build id of the module that runs: of the package or else of the only dkms
    /// tree that has its module version.
    pub fn dkms_build(&self) -> Option<&str> {
        let module = self.module_version.as_deref()?;
        let package = self
            .package
            .as_ref()
            .filter(|package| package.module_version.as_deref() == Some(module));
        if let Some(build) = package.and_then(|package| package.build.as_deref()) {
            return Some(build);
        }
        let mut trees =
            self.dkms.iter().filter(|tree| tree.module_version.as_deref() == Some(module));
        let only = trees.next()?;
        trees.next().is_none().then_some(())?;
        only.build.as_deref()
    }
}

/// Whose driver it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DriverFlavour {
    /// AMD's own, built by dkms. Only this one has a module version: the kernel's own
    /// amdgpu declares none.
    Dkms,
    /// The kernel's own.
    InTree,
    /// AMD Software (Adrenalin) on Windows.
    Adrenalin,
}

/// An installed driver package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct DriverPackage {
    /// Package name (`amdgpu-dkms`).
    pub name: String,
    /// Whole version (`1:6.16.6.30200100-2255209.24.04`).
    pub version: String,
    /// The module version in it (`6.16.6`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_version: Option<String>,
    /// AMD's release in it (`30.20.1`, up to 6.4 the number of the ROCm release).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<Dotted>,
    /// The build id in it (`2255209`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
}

/// One source tree under `/var/lib/dkms/amdgpu`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct DkmsTree {
    /// Folder name (`6.16.6-2255209.24.04`).
    pub version: String,
    /// The module version in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_version: Option<String>,
    /// The build id in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// Whether `source/dkms.conf` is there; without it dkms can build nothing.
    pub has_source: bool,
    /// Kernel releases that a module was built for.
    #[serde(default)]
    pub kernels: Vec<String>,
}
