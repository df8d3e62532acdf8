//! What is true of a Windows: edition and build, settings that stand in ROCm's way, display
//! adapters of every vendor, and the HIP runtimes that a program may meet.

use rocmenv_manifests::version::Dotted;
use serde::{Deserialize, Serialize};

use super::pci::PciId;

/// Windows itself, or under WSL the Windows outside.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Windows {
    /// `EditionID` (`Professional`, `Core`, `IoTEnterpriseS`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// Build (`26200`), which says the feature release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<u32>,
    /// Update revision of the build (`UBR`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Whether programs may use paths of over 260 characters (`LongPathsEnabled`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub long_paths: Option<bool>,
    /// Smart App Control, which blocks unsigned libraries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smart_app_control: Option<SmartAppControl>,
    /// The Visual C++ runtime for x64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vc_runtime: Option<Installed>,
    /// The Windows Subsystem for Linux.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wsl: Option<Installed>,
    /// Display adapters of all vendors, in the order in which Windows lists them, which is not
    /// the order of HIP's devices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub adapters: Vec<DisplayAdapter>,
    /// HIP runtimes in System32 and in HIP SDKs. Several may lie side by side.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hip_runtimes: Vec<HipRuntime>,
}

/// State of Smart App Control (`VerifiedAndReputablePolicyState`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SmartAppControl {
    /// 0.
    Off,
    /// 1: it blocks.
    On,
    /// 2: it watches, and may turn itself on.
    Evaluation,
}

/// Something that was looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Installed {
    /// Whether it is there.
    pub installed: bool,
    /// Its version, where it says one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// One display adapter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct DisplayAdapter {
    /// Its name; an AMD card need not have `AMD` in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// PCI vendor, hexadecimal (`1002` is AMD).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vendor: Option<String>,
    /// PCI device and revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pci: Option<PciId>,
    /// Windows' own number of the driver (`32.0.31041.1004`). It belongs to another number line
    /// than the Adrenalin version and is compared with nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver_number: Option<String>,
    /// Day of the driver (`2026-06-28`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver_date: Option<String>,
    /// Adrenalin version, where the driver recorded one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adrenalin: Option<Dotted>,
    /// Memory of its own in bytes, where the driver recorded it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Error code of the device manager; 0 is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<u32>,
}

impl DisplayAdapter {
    /// Whether it is AMD's, by the PCI vendor and by nothing else.
    pub fn is_amd(&self) -> bool {
        self.vendor.as_deref() == Some("1002")
    }
}

/// A HIP runtime library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct HipRuntime {
    /// Its path.
    pub path: String,
    /// Its file version, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}
