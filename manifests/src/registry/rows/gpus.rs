//! gfx targets and GPU products.

use serde::{Deserialize, Serialize};

use super::super::pattern::ReleasePattern;
use super::super::vocabulary::GfxTarget;
use super::sources::SourceKeys;

/// `gfx.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct GfxTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The targets.
    pub target: Vec<GfxRow>,
}

/// One gfx target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GfxRow {
    /// Its name.
    pub name: GfxTarget,
    /// Major, minor, stepping in decimal.
    pub version: [u32; 3],
    /// `RDNA3`, `CDNA2`, where known.
    #[serde(default)]
    pub architecture: Option<String>,
    /// `supported`, `unsupported` or `default-on`.
    pub xnack: String,
    /// rocm-bootstrap's sub-family (`gfx110x`, `gfx9_4`).
    pub sub_family: String,
    /// rocm-bootstrap's family (`gfx11`).
    pub family: String,
    /// LLVM's generic target that covers it, if any.
    #[serde(default)]
    pub generic: Option<String>,
    /// The distribution that holds its kernels.
    pub device_wheel: String,
    /// The family whose archive of a whole ROCm holds it.
    #[serde(default)]
    pub tarball: Option<String>,
    /// Targets that are packaged with this one.
    #[serde(default)]
    pub variants: Vec<String>,
    /// Who says so.
    pub source: SourceKeys,
}

/// `products.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ProductsTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The products.
    pub product: Vec<ProductRow>,
}

/// AMD's classes of GPU, by which some tables speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GpuClass {
    /// Data-center cards and APUs.
    Instinct,
    /// Radeon and Radeon PRO cards.
    Radeon,
    /// The GPU of a Ryzen APU.
    Ryzen,
}

/// Products that share a gfx target and PCI ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProductRow {
    /// Their names as AMD writes them.
    pub names: Vec<String>,
    /// Their target.
    pub gfx: GfxTarget,
    /// Their class.
    pub class: GpuClass,
    /// `DEVICE:REVISION` in hexadecimal.
    #[serde(default)]
    pub pci: Vec<String>,
    /// Memory in GiB, where it is the card's own.
    #[serde(default)]
    pub vram_gib: Option<u32>,
    /// Compute units.
    #[serde(default)]
    pub compute_units: Option<u32>,
    /// Where an APU's memory comes from.
    #[serde(default)]
    pub memory: Option<String>,
    /// TheRock's family, as its indexes and tarballs name it.
    #[serde(default)]
    pub family_index: Option<String>,
    /// Releases whose support tables do not name these products.
    #[serde(default)]
    pub not_listed: Vec<ReleasePattern>,
    /// More, such as a disagreement of documents.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// The GPUs that a row holds for; empty means all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct GpuScope {
    /// Only these classes.
    pub class: Vec<GpuClass>,
    /// Only these products.
    pub products: Vec<String>,
    /// Not these products.
    pub except: Vec<String>,
    /// Only these targets.
    pub gfx: Vec<GfxTarget>,
    /// Not these targets.
    pub not_gfx: Vec<GfxTarget>,
}
