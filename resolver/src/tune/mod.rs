//! Which tuning rules hold for a target and a workload, and what its memory can hold.
//!
//! Nothing is measured and nothing is set here. A rule speaks only where all of its conditions are
//! known to hold: an unknown GPU, release or framework keeps it away.

mod memory;

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::tuning::{TuningRule, Workload};
use rocmenv_manifests::version::RocmVersion;

pub use memory::{Batch, ModelSize, Serving, batch_size, llm_batch, serving};

/// What advice is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Setting {
    /// The GPUs' targets, one each.
    pub gfx: Vec<GfxTarget>,
    /// The ROCm release, where known.
    pub rocm: Option<RocmVersion>,
    /// The frameworks that are asked for.
    pub frameworks: Vec<String>,
    /// Whether the target is Windows.
    pub is_windows: bool,
    /// What it is used for; none: any.
    pub workload: Option<Workload>,
}

/// The rules that hold, in the registry's order.
pub fn advice<'r>(registry: &'r Registry, setting: &Setting) -> Vec<&'r TuningRule> {
    registry.tuning().rule.iter().filter(|rule| holds(rule, setting)).collect()
}

fn holds(rule: &TuningRule, setting: &Setting) -> bool {
    let gpus = u32::try_from(setting.gfx.len()).unwrap_or(u32::MAX);
    // Advice for one GPU of several is wrong for the others: all of them have to be named.
    let fits_gpus = rule.gfx.is_empty()
        || (!setting.gfx.is_empty() && setting.gfx.iter().all(|gfx| rule.gfx.contains(gfx)));
    let fits_rocm = rule.rocm.is_empty()
        || setting.rocm.as_ref().is_some_and(|rocm| {
            rule.rocm.iter().any(|pattern| pattern.contains(rocm.dotted().parts()))
        });
    let fits_framework = rule.frameworks.is_empty()
        || rule.frameworks.iter().any(|name| setting.frameworks.contains(name));
    let fits_os = match rule.os.as_deref() {
        Some("windows") => setting.is_windows,
        Some(_) => !setting.is_windows,
        None => true,
    };
    let fits_workload = rule.workloads.is_empty()
        || setting.workload.is_none_or(|workload| rule.workloads.contains(&workload));
    fits_gpus
        && fits_rocm
        && fits_framework
        && fits_os
        && fits_workload
        && rule.gpus_at_least.is_none_or(|least| gpus >= least)
        && rule.gpus_below.is_none_or(|below| gpus > 0 && gpus < below)
}
