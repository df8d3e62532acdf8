//! Drivers: windows in both directions, their three numbers, Windows drivers, firmware.

use serde::{Deserialize, Serialize};

use super::super::pattern::{DriverPattern, ReleasePattern};
use super::super::vocabulary::DriverVersion;
use super::gpus::GpuScope;
use super::sources::{Confidence, SourceKeys};

/// `drivers.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DriversTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// Releases for which the matrix is complete.
    pub closed_rocm: Vec<ReleasePattern>,
    /// AMD's matrix of its driver and ROCm.
    pub matrix: Vec<DriverWindow>,
    /// Drivers that a release's own table lists.
    pub listed: Vec<DriverList>,
    /// Drivers that release notes list for single products.
    pub per_gpu: Vec<DriverPerGpu>,
    /// Where documents disagree, or a document is silent where another speaks.
    pub conflict: Vec<DriverConflict>,
    /// Drivers that AMD says to avoid somewhere.
    pub avoid: Vec<DriverAvoid>,
    /// Pairs of which nothing was read.
    pub unknown: Vec<DriverUnknown>,
    /// The driver that came out with a release.
    pub pairing: Vec<DriverPairing>,
    /// Rules in words.
    pub rule: Vec<DriverRule>,
    /// Release, module version and dkms build of a driver.
    pub number: Vec<DriverNumber>,
    /// Windows drivers.
    pub windows: Vec<WindowsDriver>,
    /// What bridges WSL2.
    pub wsl_bridge: Vec<WslBridge>,
    /// Virtualisation drivers of the host.
    pub sriov_host: Vec<SriovHost>,
    /// Firmware of Instinct cards.
    pub firmware: Vec<Firmware>,
}

/// The releases that AMD's matrix lists for a driver series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DriverWindow {
    /// The driver.
    pub driver: DriverPattern,
    /// The releases.
    pub rocm: Vec<ReleasePattern>,
    /// Who says so.
    pub source: SourceKeys,
}

/// The drivers that a release lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DriverList {
    /// The release.
    pub rocm: ReleasePattern,
    /// The drivers.
    pub drivers: Vec<DriverPattern>,
    /// For which GPUs.
    #[serde(default)]
    pub gpus: GpuScope,
    /// Who says so.
    pub source: SourceKeys,
}

/// The drivers that a release lists for products.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DriverPerGpu {
    /// The release.
    pub rocm: ReleasePattern,
    /// The products.
    pub products: Vec<String>,
    /// The drivers.
    pub drivers: Vec<DriverPattern>,
    /// Who says so.
    pub source: SourceKeys,
}

/// A pair on which documents disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DriverConflict {
    /// The driver.
    pub driver: DriverPattern,
    /// The release.
    pub rocm: ReleasePattern,
    /// `conflict` or `not listed`.
    pub status: String,
    /// What each says.
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// A driver that AMD says to avoid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DriverAvoid {
    /// The driver.
    pub driver: DriverPattern,
    /// With which releases.
    pub rocm: ReleasePattern,
    /// Where.
    pub scope: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// A pair of which the table was not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DriverUnknown {
    /// The driver.
    pub driver: DriverPattern,
    /// The release.
    pub rocm: ReleasePattern,
    /// Why.
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// The driver that came out with a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DriverPairing {
    /// The driver.
    pub driver: DriverVersion,
    /// The release.
    pub rocm: ReleasePattern,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// How sure it is.
    #[serde(default)]
    pub confidence: Confidence,
    /// Who says so.
    pub source: SourceKeys,
}

/// A rule that AMD gives in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DriverRule {
    /// Of which drivers, as printed.
    pub driver: String,
    /// And which releases, as printed.
    pub rocm: String,
    /// `window` or `required`.
    pub rule: String,
    /// Where it holds.
    pub scope: String,
    /// The rule.
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// One driver's three numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DriverNumber {
    /// AMD's release, where known.
    #[serde(default)]
    pub release: Option<DriverPattern>,
    /// What `/sys/module/amdgpu/version` says.
    pub module: DriverVersion,
    /// The build id of the dkms package.
    #[serde(default)]
    pub dkms_build: Option<String>,
    /// The releases that it came with.
    pub shipped_with: ReleasePattern,
    /// How sure it is.
    #[serde(default)]
    pub confidence: Confidence,
    /// Who says so.
    pub source: SourceKeys,
}

/// A Windows driver and a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WindowsDriver {
    /// `adrenalin`, `oem` or `pro`.
    pub kind: String,
    /// Its number.
    pub driver: DriverVersion,
    /// The releases.
    pub rocm: ReleasePattern,
    /// `HIP SDK`, where the release is one of that.
    #[serde(default)]
    pub product: Option<String>,
    /// `supported`, `required` or `bundled`.
    pub status: String,
    /// `windows` or `wsl`.
    pub scope: String,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// How sure it is.
    #[serde(default)]
    pub confidence: Confidence,
    /// Who says so.
    pub source: SourceKeys,
}

/// What brings ROCm to the Windows driver under WSL2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WslBridge {
    /// What it is.
    pub component: String,
    /// For which releases.
    pub rocm: ReleasePattern,
    /// `required` or `bundled`.
    pub status: String,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// The virtualisation driver of a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SriovHost {
    /// Its version.
    pub version: String,
    /// For which releases.
    pub rocm: ReleasePattern,
    /// Where.
    pub scope: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// Firmware that a release lists for products.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Firmware {
    /// PLDM bundle, IFWI or VBIOS, as printed.
    pub versions: String,
    /// For which releases.
    pub rocm: ReleasePattern,
    /// For which products.
    pub products: Vec<String>,
    /// Who says so.
    pub source: SourceKeys,
}
