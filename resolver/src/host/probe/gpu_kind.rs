//! Integrated or discrete.
//!
//! KFD does not say it: since the Renoir generation an APU has a node of its own with a
//! memory bank (what the firmware set aside), just like a card, and its PCI class is the
//! same. What tells, in this order:
//! 1. the registry's products of this PCI id, when all are of one kind;
//! 2. a KFD node that has processor cores and SIMD units: an APU of an older generation;
//! 3. sysfs: amdgpu shows `pcie_bw` for cards alone, and `mem_busy_percent`, beside
//!    `gpu_busy_percent`, for what has memory of its own. Exceptions in the driver
//!    (drivers/gpu/drm/amd/pm/amdgpu_pm.c): the latter is there on MI300A too and missing on
//!    Vega 10, so it decides nothing for gfx942 and gfx900;
//! 4. the registry's products of this instruction set, when all are of one kind.
//!
//! The size of the memory is no sign: firmware sets aside up to 96 GiB.

use super::Reader;
use super::pci::Device;
use crate::host::facts::{Gpu, GpuKind};
use crate::host::lookup::{Product, ProductLookup};

pub(super) fn kind(
    gpu: &Gpu,
    products: &[Product],
    has_processor: bool,
    device: Option<Device>,
    reader: &Reader<'_>,
    table: &dyn ProductLookup,
) -> Option<GpuKind> {
    of_products(products)
        .or_else(|| has_processor.then_some(GpuKind::Integrated))
        .or_else(|| by_attributes(gpu, device?, reader))
        .or_else(|| table.kind_of(gpu.gfx?))
}

fn of_products(products: &[Product]) -> Option<GpuKind> {
    let first = products.first()?.kind?;
    products.iter().all(|product| product.kind == Some(first)).then_some(first)
}

fn by_attributes(gpu: &Gpu, device: Device, reader: &Reader<'_>) -> Option<GpuKind> {
    if device.has(reader, "pcie_bw") {
        return Some(GpuKind::Discrete);
    }
    let gfx = gpu.gfx?.to_string();
    if AMBIGUOUS.contains(&gfx.as_str()) || !device.has(reader, "gpu_busy_percent") {
        return None;
    }
    let own_memory = device.has(reader, "mem_busy_percent");
    Some(if own_memory { GpuKind::Discrete } else { GpuKind::Integrated })
}

const AMBIGUOUS: &[&str] = &["gfx900", "gfx942"];
