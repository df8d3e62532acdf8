//! Which interpreter would have to be fetched, without fetching it.

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::plan::Artifact;
use rocmenv_manifests::project::PythonSource;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::host::interpreters::InterpreterWish;

use super::{builds, of_host};
use crate::context::Context;

/// The archive that [`provide`](super::provide) would fetch; `None` where one is kept or the host
/// has one, where the packages of the lock bring it, and where there is none. `holds` says what the
/// store has.
pub(crate) fn to_fetch(
    context: &Context,
    registry: &Registry,
    host: &HostFacts,
    source: PythonSource,
    wish: &InterpreterWish,
    holds: &dyn Fn(&Sha256) -> bool,
) -> Option<Artifact> {
    if matches!(source, PythonSource::Host | PythonSource::Distro) {
        return None;
    }
    let builds = builds(registry, host, wish).ok()?;
    let is_kept = builds.iter().any(|build| build.artifact.sha256.as_ref().is_some_and(holds));
    if is_kept || (source == PythonSource::Auto && of_host(context, wish).is_ok()) {
        return None;
    }
    builds.into_iter().next().map(|build| build.artifact)
}
