//! The kernel's own driver: floors, and which kind of driver a GPU wants.

use serde::{Deserialize, Serialize};

use super::super::pattern::{DriverPattern, ReleasePattern};
use super::gpus::GpuClass;
use super::sources::SourceKeys;
use super::support::SystemName;

/// `kernels.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct KernelsTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// Which kind of driver AMD wants.
    pub driver_kind: Vec<DriverKindRow>,
    /// Kernel floors.
    pub floor: Vec<KernelFloor>,
    /// Kernels on which a driver was seen to build.
    pub dkms: Vec<DkmsBuild>,
}

/// AMD's own driver or the kernel's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DriverKind {
    /// amdgpu-dkms.
    Amd,
    /// The kernel's in-tree amdgpu.
    InTree,
}

/// The kind of driver that AMD wants for a class of GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DriverKindRow {
    /// The class.
    pub class: GpuClass,
    /// The distribution.
    pub os: SystemName,
    /// The kind.
    pub kind: DriverKind,
    /// For which releases.
    pub rocm: Vec<ReleasePattern>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// The kernel that a release needs for a class of GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct KernelFloor {
    /// The class.
    pub class: GpuClass,
    /// For which releases.
    pub rocm: Vec<ReleasePattern>,
    /// On which system.
    pub os: SystemName,
    /// The first kernel, with Ubuntu's ABI number where it counts.
    pub kernel: String,
    /// Ubuntu's kernel family (`oem`, `hwe`, `ga`).
    #[serde(default)]
    pub flavour: Option<String>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// A kernel on which amdgpu-dkms was built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DkmsBuild {
    /// The drivers.
    pub driver: Vec<DriverPattern>,
    /// The kernel series.
    pub kernel: String,
    /// Whether it built.
    pub builds: bool,
    /// Who saw it: `maintainer`, `reporter` ...
    pub basis: String,
    /// Who says so.
    pub source: SourceKeys,
}
