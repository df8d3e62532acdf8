//! What lies in an environment and was not put there by `sync`, and what was and is no more.

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::generation::Generation;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::python::Version;
use rocmenv_store::environment::PROJECT_FILE;
use rocmenv_store::fs::DiskError;
use rocmenv_store::layout::GenerationLayout;
use rocmenv_store::object::{Manifest, touched_files};

use super::Finding;
use crate::ops::packages::{self, Installed};
use crate::ops::stores::Stores;

/// Packages and files that differ from the generation's record.
pub(super) fn in_environment(generation: &Generation, place: &GenerationLayout) -> Vec<Finding> {
    let Some(folder) = packages::site_packages(place) else { return Vec::new() };
    let found = packages::installed(&folder);
    let mut findings = packages_of(generation, &found);
    let listed: BTreeSet<&str> = found
        .iter()
        .flat_map(|package| package.files.iter().flatten())
        .filter_map(|row| row.path.split('/').next())
        .collect();
    // What the interpreter writes beside modules that were not compiled ahead is its own affair.
    let own = ["__pycache__", PROJECT_FILE];
    let is_listed = |name: &str| listed.contains(name) || own.contains(&name);
    let names = packages::entries(&folder).into_iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        let is_package = path.extension().is_some_and(|extension| extension == "dist-info");
        (!is_package && !is_listed(&name)).then_some(path)
    });
    findings.extend(names.map(Finding::UnlistedFile));
    findings
}

/// Objects of the store whose files were written to, through a link for instance.
pub(super) fn in_store(
    generation: &Generation,
    stores: &Stores,
) -> Result<Vec<Finding>, DiskError> {
    let mut findings = Vec::new();
    let objects = generation.objects.iter().map(|digest| (digest, stores.object(digest)));
    let rewritten =
        generation.rewritten.iter().map(|copies| (&copies.object, stores.rewritten(copies)));
    for (digest, layout) in objects.chain(rewritten) {
        let Some(manifest) = Manifest::read(&layout.manifest())? else { continue };
        let files: Vec<String> =
            touched_files(&layout, &manifest).into_iter().map(|damage| damage.path).collect();
        if !files.is_empty() {
            findings.push(Finding::Touched { package: name_of(generation, digest), files });
        }
    }
    Ok(findings)
}

/// The package that an object is.
fn name_of(generation: &Generation, digest: &Sha256) -> String {
    let own = generation.artifacts.iter().find(|artifact| artifact.sha256 == Some(*digest));
    own.map_or_else(|| digest.to_string(), |artifact| artifact.name.clone())
}

fn packages_of(generation: &Generation, found: &[Installed]) -> Vec<Finding> {
    let locked: BTreeMap<&str, &str> = generation
        .artifacts
        .iter()
        .filter(|one| matches!(one.kind, ArtifactKind::Wheel | ArtifactKind::RocmMeta))
        .map(|one| (one.name.as_str(), one.version.as_str()))
        .collect();
    let mut findings = Vec::new();
    for package in found {
        match locked.get(package.name.as_str()) {
            None => findings.push(Finding::ForeignPackage {
                name: package.name.clone(),
                version: package.version.clone(),
                installer: package.installer.clone(),
            }),
            Some(version) if !is_same(version, &package.version) => {
                findings.push(Finding::ReplacedPackage {
                    name: package.name.clone(),
                    locked: (*version).to_owned(),
                    version: package.version.clone(),
                    installer: package.installer.clone(),
                });
            }
            Some(_) => {}
        }
    }
    let names: BTreeSet<&str> = found.iter().map(|package| package.name.as_str()).collect();
    let missing = locked.into_iter().filter(|(name, _)| !names.contains(name));
    findings.extend(missing.map(|(name, version)| Finding::MissingPackage {
        name: name.to_owned(),
        version: version.to_owned(),
    }));
    findings
}

/// `1.0` and `1.0.0` are one version.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    one == other
        || matches!((one.parse::<Version>(), other.parse::<Version>()), (Ok(a), Ok(b)) if a == b)
}
