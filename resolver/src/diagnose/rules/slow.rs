//! What works and is slower than it could be.

use rocmenv_manifests::registry::Registry;

use super::Confidence::{Certain, Likely, Possible};
use super::{Finding, Rule, found, told};
use crate::diagnose::facts::{Facts, Signal, gpu_label};
use crate::host::facts::{Gpu, GpuKind};

pub(super) const RULES: &[Rule] = &[
    miopen_first_run,
    hipblaslt_fallback,
    debug_variables,
    pcie_narrow,
    small_bar,
    thermal,
    numa_balancing,
    ttm_limit,
    memory_below,
];

fn miopen_first_run(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::MiopenDatabase], "D-miopen-first-run", Certain)
}

fn hipblaslt_fallback(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::HipblasltFallback], "D-hipblaslt-fallback", Certain)
}

/// Variables that serialize or trace; what only prints a line at start is not among them.
const SLOWING: &[&str] = &[
    "AMD_SERIALIZE_KERNEL",
    "AMD_SERIALIZE_COPY",
    "HIP_LAUNCH_BLOCKING",
    "AMD_LOG_LEVEL",
    "HSAKMT_DEBUG_LEVEL",
    "MIOPEN_ENABLE_LOGGING",
    "MIOPEN_ENABLE_LOGGING_CMD",
    "MIOPEN_DISABLE_CACHE",
    "PYTORCH_NO_HIP_MEMORY_CACHING",
    "HSA_DISABLE_CACHE",
    "HSA_DISABLE_FRAGMENT_ALLOCATOR",
    "ROCBLAS_LAYER",
    "HSA_ENABLE_SDMA",
];

fn debug_variables(facts: &Facts, _: &Registry) -> Option<Finding> {
    let slows = |name: &str, value: &str| match name {
        // the other way round: 0 switches the copy engines off
        "HSA_ENABLE_SDMA" => value == "0",
        _ => !matches!(value, "" | "0"),
    };
    let set: Vec<_> = facts
        .host
        .environment
        .iter()
        .filter(|one| SLOWING.contains(&one.name.as_str()) && slows(&one.name, &one.value))
        .collect();
    if set.is_empty() {
        return None;
    }
    let names: Vec<&str> = set.iter().map(|one| one.name.as_str()).collect();
    let finding = found("D-debug-variables", Certain).with("variables", names.join(" "));
    Some(
        set.iter()
            .fold(finding, |finding, one| finding.because(format!("{}={}", one.name, one.value))),
    )
}

fn pcie_narrow(facts: &Facts, _: &Registry) -> Option<Finding> {
    let narrow: Vec<_> = facts
        .around
        .links
        .iter()
        .filter(|(_, link)| link.width > 0 && link.width < link.maximum)
        .collect();
    let (address, _) = narrow.first()?;
    let finding = found("D-pcie-narrow", Likely).with("address", (*address).clone());
    Some(narrow.iter().fold(finding, |finding, (address, link)| {
        finding.because(format!("{address}: x{} of x{}", link.width, link.maximum))
    }))
}

fn cards(facts: &Facts) -> impl Iterator<Item = &Gpu> {
    facts.gpus().iter().filter(|gpu| facts.kind_of(gpu) == Some(GpuKind::Discrete))
}

fn small_bar(facts: &Facts, _: &Registry) -> Option<Finding> {
    let windowed: Vec<_> = cards(facts)
        .filter_map(|gpu| Some((gpu, gpu.visible_vram_bytes?, gpu.vram_bytes?)))
        .filter(|(_, visible, whole)| visible.saturating_mul(2) < *whole)
        .collect();
    let finding = windowed.first().map(|_| found("D-small-bar", Certain))?;
    Some(windowed.iter().fold(finding, |finding, (gpu, visible, whole)| {
        let (visible, whole) = (visible >> 20, whole >> 20);
        finding.because(format!("{}: {visible} MiB of {whole} MiB are visible", gpu_label(gpu)))
    }))
}

fn thermal(facts: &Facts, _: &Registry) -> Option<Finding> {
    let said = facts.said(Signal::Throttling).is_some();
    if !said && facts.around.hot.is_empty() {
        return None;
    }
    let finding = found("D-thermal", Likely).shown_by(facts, &[Signal::Throttling]);
    Some(facts.around.hot.iter().fold(finding, |finding, line| finding.because(line.clone())))
}

fn numa_balancing(facts: &Facts, _: &Registry) -> Option<Finding> {
    let instinct = facts.has_target(&["gfx908", "gfx90a", "gfx942", "gfx950"]);
    let several = facts.host.cpu.numa_nodes.is_some_and(|nodes| nodes > 1);
    (instinct && several && facts.around.numa_balancing == Some(true))
        .then(|| found("D-numa-balancing", Certain).because("/proc/sys/kernel/numa_balancing is 1"))
}

/// The default is half of the memory; who wants more has to say so.
fn ttm_limit(facts: &Facts, _: &Registry) -> Option<Finding> {
    let memory = facts.host.memory.total_bytes?;
    let gtt =
        facts.gpus().iter().find(|gpu| facts.is_apu() && gpu.gtt_bytes.is_some())?.gtt_bytes?;
    (memory >= LARGE && gtt <= memory / 2 + (memory >> 5)).then(|| {
        let pages = (memory / 4096) / 8 * 7;
        found("D-ttm-limit", Possible)
            .because(format!("the GPU may use {} GiB of {} GiB", gtt >> 30, memory >> 30))
            .with("pages", pages.to_string())
    })
}

/// Below this nobody computes on an APU's memory in earnest.
const LARGE: u64 = 30 << 30;

fn memory_below(facts: &Facts, _: &Registry) -> Option<Finding> {
    let memory = facts.host.memory.total_bytes?;
    let (gpu, vram) = cards(facts)
        .filter_map(|gpu| Some((gpu, gpu.vram_bytes?)))
        .max_by_key(|(_, vram)| *vram)?;
    (memory < vram / 10 * 9).then(|| {
        found("D-memory-below", Likely).because(format!(
            "{} GiB of memory, {} has {} GiB",
            memory >> 30,
            gpu_label(gpu),
            vram >> 30
        ))
    })
}
