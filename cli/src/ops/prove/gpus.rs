//! Which GPUs are asked about: those named, else the target's.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::lock::{Contract, Predicate};
use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::project::Accelerator;
use rocmenv_resolver::target::from_spec;

use crate::ops::lock::Inputs;

/// The GPUs of a target: those that its contract was made for, else those of its description,
/// else this host's. A project of Python packages alone has no word of GPUs in its contract, and
/// may hold device code all the same.
pub fn of_target(name: &TargetName, contract: &Contract, inputs: &Inputs) -> Vec<GfxTarget> {
    for item in &contract.items {
        match &item.predicate {
            Predicate::GfxWithin(targets) => return targets.clone(),
            Predicate::NoGpu => return Vec::new(),
            _ => {}
        }
    }
    match inputs.opened.project.targets.iter().find(|spec| spec.name == *name) {
        Some(spec) if spec.accelerator != Accelerator::Rocm => Vec::new(),
        Some(spec) => {
            from_spec(spec, &inputs.registry).map(|target| target.gfx_targets()).unwrap_or_default()
        }
        None => inputs.host.gfx_targets().into_iter().collect(),
    }
}

/// The named ones, else these.
pub(super) fn chosen(named: &[GfxTarget], else_these: Vec<GfxTarget>) -> Vec<GfxTarget> {
    if named.is_empty() { else_these } else { named.to_vec() }
}
