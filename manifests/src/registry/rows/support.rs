//! What AMD supports where: product x system, gfx x system, distribution x release.

use serde::{Deserialize, Serialize};

use super::super::pattern::ReleasePattern;
use super::super::vocabulary::{GfxTarget, RocmVersion};
use super::gpus::GpuScope;
use super::sources::{Confidence, SourceKeys};

/// `product-support.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ProductSupportTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// Releases for which the table is complete.
    pub closed: Vec<RocmVersion>,
    /// Products with the same systems.
    pub group: Vec<ProductGroup>,
    /// Systems and the groups that they hold for.
    pub row: Vec<ProductSupport>,
    /// Products that a release adds without saying for which systems.
    pub added: Vec<ProductAdded>,
}

/// Products that have the same systems.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProductGroup {
    /// What rows name it by.
    pub name: String,
    /// The products.
    pub products: Vec<String>,
}

/// One system of one release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProductSupport {
    /// The release.
    pub release: RocmVersion,
    /// The system.
    pub os: SystemName,
    /// The kernel that AMD names for it.
    #[serde(default)]
    pub kernel: Option<String>,
    /// The groups of products.
    pub groups: Vec<String>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// How sure it is.
    #[serde(default)]
    pub confidence: Confidence,
    /// Who says so.
    pub source: SourceKeys,
}

/// Products that a release adds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProductAdded {
    /// The release.
    pub release: RocmVersion,
    /// The products.
    pub products: Vec<String>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// `gpu-support.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct GpuSupportTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// ROCm.
    pub row: Vec<GpuSupport>,
    /// The HIP SDK on Windows.
    pub hip_sdk: Vec<GpuSupport>,
    /// What TheRock builds and tests.
    pub therock: Vec<TheRockStatus>,
}

/// What a table says of a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SupportStatus {
    /// Supported.
    Supported,
    /// In a technology preview.
    Preview,
    /// Supported and marked for removal.
    Deprecated,
    /// The HIP runtime without the libraries.
    RuntimeOnly,
    /// Said not to be supported.
    Unsupported,
    /// Works, with failures that AMD knows of.
    Unstable,
    /// An earlier point release that this version no longer lists.
    Replaced,
    /// Documents disagree.
    Conflict,
}

impl SupportStatus {
    /// Whether a table names the thing as one that can be used.
    pub fn is_listed(self) -> bool {
        matches!(self, Self::Supported | Self::Preview | Self::Deprecated)
    }
}

/// Families of systems in the gfx table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Platform {
    /// Linux, bare or in a container.
    Linux,
    /// Native Windows.
    Windows,
    /// Linux under WSL2.
    Wsl,
}

/// gfx targets of one release on one platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GpuSupport {
    /// The releases.
    pub release: ReleasePattern,
    /// The platform.
    pub os: Platform,
    /// What is said.
    pub status: SupportStatus,
    /// Of which targets.
    pub gfx: Vec<GfxTarget>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// How sure it is.
    #[serde(default)]
    pub confidence: Confidence,
    /// Who says so.
    pub source: SourceKeys,
}

/// TheRock's own status of a target, which is not AMD support.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TheRockStatus {
    /// The day of the repository that was read.
    pub snapshot: String,
    /// The platform.
    pub os: Platform,
    /// `release-ready` or `build-only`.
    pub status: String,
    /// The targets.
    pub gfx: Vec<GfxTarget>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// `os-support.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct OsSupportTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// Distributions.
    pub row: Vec<OsSupport>,
    /// Kernels of RDNA3.5 APUs.
    pub rdna35: Vec<ApuKernel>,
}

/// One system and the releases that speak of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct OsSupport {
    /// The system.
    pub os: SystemName,
    /// The releases.
    pub releases: Vec<ReleasePattern>,
    /// Kernels as printed.
    #[serde(default)]
    pub kernel: Option<String>,
    /// What is said.
    pub status: SupportStatus,
    /// For which GPUs.
    #[serde(default)]
    pub gpus: GpuScope,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// How sure it is.
    #[serde(default)]
    pub confidence: Confidence,
    /// Who says so.
    pub source: SourceKeys,
}

/// What a release says of a kernel for RDNA3.5 APUs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ApuKernel {
    /// The releases.
    pub releases: Vec<ReleasePattern>,
    /// Ubuntu's kernels from which on the row holds; empty where it is for other distributions.
    #[serde(default)]
    pub ubuntu: Vec<UbuntuKernel>,
    /// The first kernel that the row holds for.
    #[serde(default)]
    pub kernel_from: Option<String>,
    /// The first kernel that it no longer holds for.
    #[serde(default)]
    pub kernel_below: Option<String>,
    /// What is said.
    pub status: SupportStatus,
    /// Of which targets.
    pub gfx: Vec<GfxTarget>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// A kernel of an Ubuntu release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct UbuntuKernel {
    /// The release of Ubuntu.
    pub version: String,
    /// The kernel family (`hwe`, `oem`); `None` for the release's own kernel.
    #[serde(default)]
    pub flavour: Option<String>,
    /// The first kernel, with Ubuntu's ABI number.
    #[serde(default)]
    pub kernel: Option<String>,
}

/// A system as tables name it: `ubuntu-24.04.4`, `windows-11-25H2`, `wsl-ubuntu-24.04`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SystemName(pub String);

impl SystemName {
    /// Whether it is a distribution under WSL2.
    pub fn is_wsl(&self) -> bool {
        self.0.starts_with("wsl-")
    }

    /// The distribution's os-release ID (`ubuntu`), or `windows`.
    pub fn distribution(&self) -> &str {
        self.plain().split_once('-').map_or(self.plain(), |(name, _)| name)
    }

    /// Its version, if the row names one.
    pub fn version(&self) -> Option<&str> {
        self.plain().split_once('-').map(|(_, version)| version)
    }

    fn plain(&self) -> &str {
        self.0.strip_prefix("wsl-").unwrap_or(&self.0)
    }
}
