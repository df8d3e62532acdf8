//! Whether this host still is what a generation was made for.

use rocmenv_manifests::lock::{Contract, Lock, LockedTarget};
use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::target::{Mismatch, fit, from_host};
use rocmenv_store::layout::GenerationLayout;

use super::files;
use super::place::Place;
use crate::error::Error;

/// What the generation's own lock asks of a host and this one does not give.
///
/// # Errors
/// The lock that the generation keeps cannot be read.
pub fn mismatches(
    place: &Place,
    layout: &GenerationLayout,
    facts: &HostFacts,
    registry: &Registry,
) -> Result<Vec<Mismatch>, Error> {
    Ok(failing(&contract(place, layout)?, facts, registry))
}

/// The contract that a generation was made under; empty where its lock has none.
///
/// # Errors
/// The lock that the generation keeps cannot be read.
pub fn contract(place: &Place, layout: &GenerationLayout) -> Result<Contract, Error> {
    let lock = Lock::parse(&files::read(&layout.lock_file())?)?;
    let of_this = |one: &LockedTarget| one.name == place.target && one.env == place.env;
    let locked = lock.targets.into_iter().find(of_this);
    Ok(locked.map(|locked| locked.contract).unwrap_or_default())
}

/// The predicates that this host fails.
pub fn failing(contract: &Contract, facts: &HostFacts, registry: &Registry) -> Vec<Mismatch> {
    fit(contract, &from_host(TargetName::host(), facts, registry))
}
