//! Variables of an environment that do not follow from its files: the targets that extensions are
//! compiled for, the ROCm of the host where that one is used, and `[tune]`, which comes last.

use rocmenv_manifests::lock::{LockedTarget, Predicate};
use rocmenv_manifests::version::Dotted;
use rocmenv_shims::activation::Change;

use crate::ops::lock::Inputs;

/// The variables of an environment for `target`.
pub(super) fn of(inputs: &Inputs, target: &LockedTarget) -> Vec<Change> {
    let mut changes = Vec::new();
    for item in &target.contract.items {
        match &item.predicate {
            // what PyTorch's extension builder and its own build read
            Predicate::GfxWithin(targets) => {
                let names: Vec<String> = targets.iter().map(ToString::to_string).collect();
                changes.push(Change::Set("PYTORCH_ROCM_ARCH".to_owned(), names.join(";")));
            }
            Predicate::HostRocm(series) => changes.extend(host_rocm(inputs, series)),
            _ => {}
        }
    }
    changes.extend(wsl(inputs, target));
    let tune = inputs.opened.project.tune.iter();
    changes.extend(tune.map(|(name, value)| Change::Set(name.clone(), value.clone())));
    changes
}

/// What releases that do not look for the GPU of WSL2 by themselves have to be told.
fn wsl(inputs: &Inputs, target: &LockedTarget) -> Vec<Change> {
    let Some(rocm) = target.rocm.as_ref().filter(|_| inputs.host.wsl.is_some()) else {
        return Vec::new();
    };
    let needed = inputs.registry.wsl_variables(rocm);
    needed
        .iter()
        .map(|(name, value)| Change::Set((*name).to_owned(), (*value).to_owned()))
        .collect()
}

/// The ROCm of this host that is of the series that the lock counts on.
fn host_rocm(inputs: &Inputs, series: &Dotted) -> Vec<Change> {
    let fits = |version: &Option<String>| {
        let version = version.as_deref().and_then(Dotted::leading);
        version.is_some_and(|version| version.starts_with(series))
    };
    let Some(found) = inputs.host.rocm.iter().find(|one| fits(&one.version)) else {
        return Vec::new();
    };
    vec![
        Change::Set("ROCM_PATH".to_owned(), found.path.clone()),
        Change::Set("HIP_PATH".to_owned(), found.path.clone()),
        Change::Prepend("CMAKE_PREFIX_PATH".to_owned(), found.path.clone()),
    ]
}
