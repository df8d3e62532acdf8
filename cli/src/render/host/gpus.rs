//! GPUs, a line each; the partitions of one GPU share a line.

use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::host::facts::{GfxSource, Gpu, GpuKind};

use super::{Row, gib, row};

pub(super) fn rows(facts: &HostFacts) -> Vec<Row> {
    let Some(gpus) = &facts.gpus else {
        return vec![row("not known", "")];
    };
    if gpus.is_empty() {
        return vec![row("no AMD GPU found", "")];
    }
    let firsts =
        gpus.iter().filter(|gpu| gpu.partition.as_ref().is_none_or(|part| part.index == 0));
    firsts.map(|gpu| row(name(gpu), details(gpu))).collect()
}

fn name(gpu: &Gpu) -> String {
    match (&gpu.product, &gpu.marketing_name, gpu.product_candidates.as_slice()) {
        (None, None, [first, rest @ ..]) if !rest.is_empty() => {
            format!("{first} or {}", rest.join(" or "))
        }
        _ => gpu.name(),
    }
}

fn details(gpu: &Gpu) -> String {
    let mut parts = Vec::new();
    parts.push(match (gpu.gfx, gpu.gfx_source) {
        (Some(gfx), Some(GfxSource::PciTable)) => format!("{gfx} (by its PCI id)"),
        (Some(gfx), _) => gfx.to_string(),
        (None, _) => "gfx target not known".to_owned(),
    });
    match gpu.kind {
        Some(GpuKind::Integrated) => parts.push("integrated".to_owned()),
        Some(GpuKind::Discrete) => parts.push("discrete".to_owned()),
        None => {}
    }
    parts.extend(gpu.vram_bytes.map(gib));
    parts.extend(gpu.compute_units.map(|units| format!("{units} CU")));
    if let Some(part) = gpu.partition.as_ref().filter(|part| part.count > 1) {
        let mode = part.compute_mode.as_deref().unwrap_or("unknown mode");
        parts.push(format!("each of {} partitions ({mode})", part.count));
    }
    match (gpu.pci, gpu.address) {
        (Some(pci), Some(address)) => parts.push(format!("{pci} at {address}")),
        (Some(pci), None) => parts.push(pci.to_string()),
        (None, _) => {}
    }
    // a GPU that was given has no node and is no fault
    if gpu.kfd_node.is_none() && gpu.gfx_source != Some(GfxSource::Given) {
        parts.push(match gpu.kernel_driver.as_deref() {
            Some("amdgpu") => "not shown by KFD".to_owned(),
            Some("amdkmdag") => "driven by Windows".to_owned(),
            Some(other) => format!("held by {other}, out of ROCm's reach"),
            None => "no driver holds it".to_owned(),
        });
    }
    parts.join(", ")
}
