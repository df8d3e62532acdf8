//! Versions in the form that Renovate's custom data sources read: an object with `releases`, each
//! with a `version`, and where known when it came out and whether it is a production release.

use std::collections::BTreeMap;

use rocmenv_manifests::project::{did_you_mean, nearest};
use rocmenv_manifests::python::version::is_prerelease;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::releases::ReleaseKind;
use serde::Serialize;

use crate::error::{Exit, Failure};

/// What Renovate reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Description {
    /// The versions, oldest first.
    pub releases: Vec<Version>,
}

/// One version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// Its number.
    pub version: String,
    /// Its day (YYYY-MM-DD), where the registry knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release_timestamp: Option<String>,
    /// Whether it is a production release.
    pub is_stable: bool,
}

/// The versions of `rocm`, or of a framework that the registry knows builds of.
///
/// # Errors
/// It is neither.
pub fn of(registry: &Registry, name: &str) -> Result<Description, UnknownName> {
    if name == "rocm" {
        let known = registry.releases().release.iter().rev();
        let known = known.filter(|row| row.kind != ReleaseKind::NamedOnly);
        let releases = known.map(|row| Version {
            version: row.version.to_string(),
            release_timestamp: row.date.clone(),
            is_stable: row.kind == ReleaseKind::Production,
        });
        return Ok(Description { releases: releases.collect() });
    }
    let Some(row) = registry.framework_named(name) else {
        let names = registry.frameworks().framework.iter().map(|row| row.name.as_str());
        let near = nearest(name, names.chain(["rocm"])).map(str::to_owned);
        return Err(UnknownName { name: name.to_owned(), nearest: near });
    };
    // one version has builds for several releases; the day is that of the first
    let mut versions = BTreeMap::new();
    for build in registry.builds_of(&row.package) {
        let Some(version) = build.public_version() else { continue };
        let day: &mut Option<String> = versions.entry(version).or_default();
        let earlier = day.iter().chain(&build.uploaded).min().cloned();
        *day = earlier;
    }
    let releases = versions.into_iter().map(|(version, release_timestamp)| Version {
        is_stable: !is_prerelease(&version),
        version: version.to_string(),
        release_timestamp,
    });
    Ok(Description { releases: releases.collect() })
}

/// The registry knows no versions of it.
#[derive(Debug, thiserror::Error)]
#[error("the registry knows no framework `{name}`{}", did_you_mean(.nearest.as_deref()))]
pub struct UnknownName {
    name: String,
    nearest: Option<String>,
}

impl Failure for UnknownName {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn code(&self) -> Option<&'static str> {
        Some("unknown-framework")
    }

    fn help(&self) -> Option<String> {
        Some(format!("rocmenv registry --renovate {}", self.nearest.as_deref().unwrap_or("rocm")))
    }
}
