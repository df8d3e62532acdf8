//! What a runtime lists: `rocminfo` on Linux, `hipInfo` on Windows.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::platform::OsFamily;

use crate::diagnose::facts::{Facts, RuntimeGpu};
use crate::host::facts::{GfxSource, Gpu, GpuKind, PciId};
use crate::host::lookup::ProductLookup;
use crate::host::rocminfo::{RocmInfo, RocmInfoModule};

pub(super) fn parse(text: &str, found: &mut Facts, products: &dyn ProductLookup) {
    rocminfo(text, found, products);
    hipinfo(text, found, products);
}

fn rocminfo(text: &str, found: &mut Facts, products: &dyn ProductLookup) {
    let info = RocmInfo::parse(text);
    match &info.module {
        Some(RocmInfoModule::NotLoaded) => found.host.driver.loaded = Some(false),
        Some(RocmInfoModule::Loaded { version }) => {
            found.host.driver.loaded = Some(true);
            found.host.driver.module_version.clone_from(version);
        }
        Some(RocmInfoModule::Wsl) | None => {}
    }
    let mut gpus = Vec::new();
    for (agent, gfx) in info.gpus() {
        let name = agent.marketing_name.clone().unwrap_or_else(|| agent.name.clone());
        found.around.runtime_gpus.push(RuntimeGpu {
            name: name.clone(),
            gfx: Some(gfx),
            compute_units: agent.compute_units,
        });
        let pci = agent.chip_id.and_then(|id| u16::try_from(id).ok()).filter(|id| *id > 0);
        let pci = pci.map(|device| PciId { device, revision: None });
        // an override makes the runtime lie about the instruction set; the chip cannot
        let table = pci.map(|id| products.by_pci(id)).unwrap_or_default();
        let own: Vec<GfxTarget> = table.iter().map(|product| product.gfx).collect();
        let true_gfx = own.first().filter(|first| own.iter().all(|gfx| gfx == *first));
        let kind = match agent.is_apu {
            Some(true) => Some(GpuKind::Integrated),
            _ => products.kind_of(*true_gfx.unwrap_or(&gfx)),
        };
        gpus.push(Gpu {
            gfx: Some(*true_gfx.unwrap_or(&gfx)),
            gfx_source: Some(if true_gfx.is_some() { GfxSource::PciTable } else { GfxSource::Kfd }),
            kfd_node: agent.node.or(u32::try_from(gpus.len() + 1).ok()),
            marketing_name: Some(name),
            pci,
            kind,
            compute_units: agent.compute_units,
            ..Gpu::default()
        });
    }
    if !gpus.is_empty() {
        found.host.gpus.get_or_insert(gpus);
    }
}

/// Blocks that begin with `device#`. hipInfo's numbers of multiprocessors are pairs of units.
fn hipinfo(text: &str, found: &mut Facts, products: &dyn ProductLookup) {
    let mut devices: Vec<RuntimeGpu> = Vec::new();
    for line in text.lines() {
        let Some((key, value)) = line.trim().split_once([' ', ':']) else { continue };
        let value = value.trim_start_matches([':', ' ']).trim();
        match key {
            "device#" => devices.push(RuntimeGpu::default()),
            "Name" | "Name:" if !devices.is_empty() => {
                set(&mut devices, |gpu| value.clone_into(&mut gpu.name));
            }
            "gcnArchName" | "gcnArchName:" => {
                let name = value.split(':').next().and_then(|name| name.parse().ok());
                set(&mut devices, |gpu| gpu.gfx = gpu.gfx.or(name));
            }
            "multiProcessorCount" | "multiProcessorCount:" => {
                let units = value.parse().ok();
                set(&mut devices, |gpu| gpu.compute_units = units);
            }
            _ => {}
        }
    }
    if devices.is_empty() {
        return;
    }
    found.host.os.family.get_or_insert(OsFamily::Windows);
    let gpus = devices.iter().map(|device| gpu_of(device, products)).collect();
    found.host.gpus.get_or_insert(gpus);
    found.around.runtime_gpus = devices;
}

fn set(devices: &mut [RuntimeGpu], change: impl FnOnce(&mut RuntimeGpu)) {
    if let Some(last) = devices.last_mut() {
        change(last);
    }
}

/// A GPU by its name alone; the plain `AMD Radeon(TM) Graphics` is always an integrated one.
pub(super) fn gpu_of(device: &RuntimeGpu, products: &dyn ProductLookup) -> Gpu {
    let name = device.name.replace("(TM)", "").replace("  ", " ");
    let name = name.trim();
    let product = products.by_name(name);
    let plain = matches!(name, "AMD Radeon Graphics" | "Radeon Graphics");
    let gfx = device.gfx.or(product.as_ref().map(|product| product.gfx));
    let kind = if plain {
        Some(GpuKind::Integrated)
    } else {
        product.as_ref().and_then(|product| product.kind).or_else(|| products.kind_of(gfx?))
    };
    Gpu {
        gfx,
        gfx_source: gfx.map(|_| GfxSource::Given),
        kind,
        product: product.map(|product| product.name),
        marketing_name: Some(device.name.clone()),
        ..Gpu::default()
    }
}
