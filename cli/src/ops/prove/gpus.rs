//! Which GPUs are asked about: those named, else the target's.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::lock::{Contract, Predicate};

/// The GPUs of a contract; none where it was made without one.
pub fn of_contract(contract: &Contract) -> Vec<GfxTarget> {
    let within = contract.items.iter().filter_map(|item| match &item.predicate {
        Predicate::GfxWithin(targets) => Some(targets.clone()),
        _ => None,
    });
    within.flatten().collect()
}

/// The named ones, else these.
pub(super) fn chosen(named: &[GfxTarget], else_these: Vec<GfxTarget>) -> Vec<GfxTarget> {
    if named.is_empty() { else_these } else { named.to_vec() }
}
