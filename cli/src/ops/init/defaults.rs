//! What `init` writes where nobody asked: the newest release, and a Python that AMD lists.

use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::releases::ReleaseKind;
use rocmenv_manifests::version::{Dotted, Requirement};

/// The newest production series (`10.1`). The distribution has whatever release it has.
pub fn newest_rocm(registry: &Registry, channel: Option<&str>) -> Option<Requirement> {
    if channel == Some("distro") {
        return Some(Requirement::any());
    }
    let releases = registry.releases().release.iter();
    let production = releases.filter(|release| release.kind == ReleaseKind::Production);
    let newest = production.map(|release| &release.version).max()?;
    newest.series().to_string().parse().ok()
}

/// The newest Python series that AMD lists for every one of the frameworks with that ROCm, where
/// it lists any.
pub fn python_for<'a>(
    registry: &Registry,
    frameworks: impl IntoIterator<Item = &'a str>,
    rocm: Option<&Requirement>,
) -> Requirement {
    let mut common: Option<Vec<Dotted>> = None;
    for framework in frameworks {
        let listed = pythons(registry, framework, rocm);
        if listed.is_empty() {
            continue;
        }
        common = Some(match common {
            Some(common) => common.into_iter().filter(|one| listed.contains(one)).collect(),
            None => listed,
        });
    }
    let newest = common.and_then(|common| common.into_iter().max());
    let text = newest.map_or_else(|| FALLBACK_PYTHON.to_owned(), |newest| newest.to_string());
    text.parse().unwrap_or_else(|_| Requirement::any())
}

fn pythons(registry: &Registry, framework: &str, rocm: Option<&Requirement>) -> Vec<Dotted> {
    let asked = |pattern: &rocmenv_manifests::registry::ReleasePattern| {
        let releases = registry.releases().release.iter().map(|release| &release.version);
        let mut named = releases.filter(|version| pattern.contains(version.dotted().parts()));
        rocm.is_none_or(|rocm| named.any(|version| rocm.matches(&version.dotted())))
    };
    let rows = registry.frameworks().listed.iter().filter(|row| row.framework == framework);
    let rows = rows.filter(|row| row.rocm.iter().any(asked));
    let series = rows.flat_map(|row| row.pythons.iter()).filter_map(|text| text.parse().ok());
    series.collect()
}

/// What `init` takes for somebody who says nothing: the framework that most people come for.
pub const FALLBACK_FRAMEWORK: &str = "pytorch";

/// The series that the most wheels of the registry are built for.
const FALLBACK_PYTHON: &str = "3.12";
