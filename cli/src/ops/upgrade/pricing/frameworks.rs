//! The frameworks' own wheels, from pages of the cache.

use rocmenv_manifests::catalog::{Answer, Catalog};
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::name::{IndexName, PackageName};
use rocmenv_manifests::plan::Artifact;
use rocmenv_manifests::python::Version;
use rocmenv_manifests::upgrade::{EnvironmentStep, FrameworkVersion};
use rocmenv_manifests::version::Dotted;
use rocmenv_resolver::solve::own_wheel;
use rocmenv_resolver::target::Target;

/// The wheels of the builds that a stage names, as far as a page lists them.
pub(super) fn wheels(
    catalog: &dyn Catalog,
    target: &Target,
    step: &EnvironmentStep,
) -> Vec<Artifact> {
    let series = step.python.as_deref().and_then(|python| python.parse::<Dotted>().ok());
    let minor = series.and_then(|series| u16::try_from(series.part(1)).ok());
    let Some(minor) = minor else { return Vec::new() };
    let of = |framework: &FrameworkVersion| wheel(catalog, target, minor, framework);
    step.frameworks.iter().filter_map(of).collect()
}

fn wheel(
    catalog: &dyn Catalog,
    target: &Target,
    minor: u16,
    framework: &FrameworkVersion,
) -> Option<Artifact> {
    let (name, version) = framework.build.as_deref()?.split_once(' ')?;
    let index: IndexName = framework.index.as_deref()?.parse().ok()?;
    let package: PackageName = name.parse().ok()?;
    let Answer::Ready(page) = catalog.python_page(&index, &package) else { return None };
    let file = own_wheel(&page, &version.parse::<Version>().ok()?, minor, target)?;
    Some(Artifact {
        name: name.to_owned(),
        version: version.to_owned(),
        index,
        kind: ArtifactKind::Wheel,
        file: file.name.clone(),
        sha256: file.sha256,
        size: file.size,
    })
}
