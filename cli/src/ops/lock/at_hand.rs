//! The series of Python that the host has, for a project that does not say which it wants.

use rocmenv_manifests::project::Environment;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::Dotted;

use crate::context::Context;
use crate::ops::host::{self, HostError, HostOptions};

/// Whether it matters: interpreters are only run where nobody says which Python is wanted.
pub(super) fn matters(env: &Environment) -> bool {
    env.python.is_none() && !(env.packages.is_empty() && env.frameworks.is_empty())
}

/// The series of the host's usual interpreters.
pub(super) fn series(context: &Context, registry: &Registry) -> Result<Vec<Dotted>, HostError> {
    let options = HostOptions { interpreters: true, ..HostOptions::default() };
    let facts = host::facts(context, registry, &options)?;
    let usable =
        facts.python.iter().filter(|one| one.implementation == "cpython" && !one.free_threaded);
    let series = usable.filter_map(|one| match one.version.release() {
        [major, minor, ..] => format!("{major}.{minor}").parse().ok(),
        _ => None,
    });
    Ok(series.collect())
}
