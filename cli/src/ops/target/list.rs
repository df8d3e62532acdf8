//! `target list`: the targets, and how this host stands to each.

use rocmenv_manifests::lock::{Lock, LockedTarget};
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_resolver::target::{Target, fit, from_host};

use crate::context::Context;
use crate::error::Error;
use crate::ops::files;
use crate::ops::lock::{self, Inputs};

/// One target.
#[derive(Debug, Clone)]
pub struct ListedTarget {
    /// Its name.
    pub name: TargetName,
    /// The host that it describes.
    pub target: Target,
    /// Whether it is described, or the host itself.
    pub is_described: bool,
    /// The environments that are locked for it.
    pub locked: Vec<EnvName>,
    /// How this host stands to it.
    pub standing: Standing,
}

/// How this host stands to a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It fits.
    Fits,
    /// It does not, with the predicates that fail.
    DoesNotFit(Vec<String>),
    /// Nothing is locked, so nothing is asked of a host.
    NotLocked,
}

/// The targets, in the order in which `sync` looks at them.
///
/// # Errors
/// The project, its lock or the registry cannot be read.
pub fn list(context: &Context) -> Result<Vec<ListedTarget>, Error> {
    let inputs = Inputs::read(context)?;
    let text = files::read_optional(&inputs.opened.root.lock())?;
    let lock = text.as_deref().map(Lock::parse).transpose()?.unwrap_or_default();
    let host = from_host(TargetName::host(), &inputs.host, &inputs.registry);
    let all = lock::targets(&inputs.opened.project, &inputs.registry, &inputs.host, None)?;
    let listed = all.into_iter().map(|one| {
        let parts: Vec<&LockedTarget> =
            lock.targets.iter().filter(|part| part.name == one.target.name).collect();
        ListedTarget {
            name: one.target.name.clone(),
            is_described: one.spec.is_some(),
            locked: parts.iter().map(|part| part.env.clone()).collect(),
            standing: standing(&parts, &host),
            target: one.target,
        }
    });
    Ok(listed.collect())
}

fn standing(parts: &[&LockedTarget], host: &Target) -> Standing {
    if parts.is_empty() {
        return Standing::NotLocked;
    }
    let failing = parts.iter().flat_map(|part| fit(&part.contract, host));
    let mut failing: Vec<String> = failing.map(|mismatch| mismatch.to_string()).collect();
    failing.sort();
    failing.dedup();
    if failing.is_empty() { Standing::Fits } else { Standing::DoesNotFit(failing) }
}
