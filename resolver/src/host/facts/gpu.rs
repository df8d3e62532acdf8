//! One AMD GPU, as KFD, the PCI bus and the registry see it.

use std::collections::BTreeMap;

use rocmenv_manifests::gfx::GfxTarget;
use serde::{Deserialize, Serialize};

use super::pci::{PciAddress, PciId};

/// One GPU that a program can open: a card, one die of a two-die card, an integrated GPU,
/// or one partition of an Instinct.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Gpu {
    /// Instruction set. `None`: neither KFD nor a table says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gfx: Option<GfxTarget>,
    /// Who says the instruction set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gfx_source: Option<GfxSource>,
    /// Number of the KFD topology node; `None`: only the PCI bus shows this GPU, ROCm
    /// cannot use it as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kfd_node: Option<u32>,
    /// Product by the registry's table of PCI ids, where it names exactly one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<String>,
    /// The products that share this PCI id, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub product_candidates: Vec<String>,
    /// Name that libdrm's `amdgpu.ids` has for device and revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marketing_name: Option<String>,
    /// Name in the card's own product memory (`product_name`, Instinct only).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board_name: Option<String>,
    /// PCI device and revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pci: Option<PciId>,
    /// PCI address; partitions of one GPU share it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<PciAddress>,
    /// The kernel driver that holds it (`amdgpu`, `vfio-pci`), `None` where none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel_driver: Option<String>,
    /// N of `/dev/dri/renderDN`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub render_minor: Option<u32>,
    /// Integrated or discrete, where that can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<GpuKind>,
    /// Local memory in bytes. Of an integrated GPU it is the part that the firmware set
    /// aside, not all that it can use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vram_bytes: Option<u64>,
    /// The part of it that the CPU reaches through the PCI BAR, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visible_vram_bytes: Option<u64>,
    /// Main memory that it may use besides (GTT), in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gtt_bytes: Option<u64>,
    /// SIMD units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simd_count: Option<u32>,
    /// Compute units: SIMD units by those in each compute unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compute_units: Option<u32>,
    /// How it is split, of a GPU that can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<Partition>,
    /// Firmware versions by block (`mec`, `smc`, `vcn` ...), as sysfs shows them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub firmware: BTreeMap<String, String>,
}

impl Gpu {
    /// The best name there is: product, else marketing name, else the board's, else the
    /// instruction set, else the PCI id.
    pub fn name(&self) -> String {
        let named = [&self.product, &self.marketing_name, &self.board_name];
        if let Some(name) = named.into_iter().flatten().next() {
            return name.clone();
        }
        match (self.gfx, self.pci) {
            (Some(gfx), _) => gfx.to_string(),
            (None, Some(pci)) => format!("AMD GPU {pci}"),
            (None, None) => "AMD GPU".to_owned(),
        }
    }
}

/// Who says which instruction set a GPU has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GfxSource {
    /// The line `gfx_target_version` of its KFD node.
    Kfd,
    /// The registry's table of PCI ids, because the kernel is too old for that line or the
    /// GPU has no KFD node.
    PciTable,
    /// The user.
    Given,
}

/// Integrated or discrete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GpuKind {
    /// Part of the processor, in the same memory (iGPU, APU).
    Integrated,
    /// A device with memory of its own (dGPU).
    Discrete,
}

/// One part of a GPU that can be split; index 0 of 1 is the whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Partition {
    /// Which of them, from 0.
    pub index: u32,
    /// How many the GPU has.
    pub count: u32,
    /// Compute mode (`CPX`, `DPX` ...), where sysfs says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compute_mode: Option<String>,
    /// Memory mode (`NPS1`, `NPS4`), where sysfs says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mode: Option<String>,
}
