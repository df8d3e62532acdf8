//! Files of packages that are missing in the environment, or were written to there.
//!
//! What is linked and was written to shows in the store as well, until the store is mended: this
//! environment keeps the damaged file then.

use std::path::Path;
use std::time::SystemTime;

use fs_err as fs;
use rocmenv_manifests::generation::Generation;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_store::fs::DiskError;
use rocmenv_store::layout::GenerationLayout;
use rocmenv_store::object::Manifest;

use super::Finding;
use super::foreign::is_same;
use crate::ops::packages;
use crate::ops::stores::Stores;

/// What is missing, and what was written to unless the store says so already (`touched`).
pub(super) fn in_environment(
    generation: &Generation,
    place: &GenerationLayout,
    stores: &Stores,
    touched: &[Finding],
) -> Result<Vec<Finding>, DiskError> {
    // It is written after the last file.
    let made = fs::metadata(place.record()).and_then(|record| record.modified()).ok();
    let mut found = Vec::new();
    if let Some(folder) = packages::site_packages(place) {
        for package in packages::installed(&folder) {
            // What somebody put in the place of another version is told as that.
            let is_ours = generation
                .artifacts
                .iter()
                .any(|one| one.name == package.name && is_same(&one.version, &package.version));
            if is_ours {
                let rows = package.files.iter().flatten();
                let files = rows.map(|row| (row.path.as_str(), row.size));
                found.push((package.name.clone(), look(&folder, files, made)));
            }
        }
    }
    for artifact in &generation.artifacts {
        let in_prefix = matches!(artifact.kind, ArtifactKind::Deb | ArtifactKind::Tarball);
        let Some(digest) = artifact.sha256.filter(|_| in_prefix) else { continue };
        let manifest = Manifest::read(&stores.object(&digest).manifest())?;
        let entries = manifest.iter().flat_map(|manifest| &manifest.entries);
        // Copies with other search paths have other sizes.
        let files = entries.map(|entry| (entry.path.as_str(), None));
        let prefix = place.root().join("rocm");
        found.push((artifact.name.clone(), look(&prefix, files, made)));
    }
    let is_told = |name: &str| {
        let mut names = touched.iter().filter_map(|one| match one {
            Finding::Touched { package, .. } => Some(package),
            _ => None,
        });
        names.any(|told| told == name)
    };
    let mut findings = Vec::new();
    for (package, looked) in found {
        if !looked.written.is_empty() && !is_told(&package) {
            findings.push(Finding::Touched { package: package.clone(), files: looked.written });
        }
        if !looked.missing.is_empty() {
            findings.push(Finding::MissingFiles { package, files: looked.missing });
        }
    }
    Ok(findings)
}

#[derive(Default)]
struct Looked {
    missing: Vec<String>,
    written: Vec<String>,
}

fn look<'f>(
    folder: &Path,
    files: impl Iterator<Item = (&'f str, Option<u64>)>,
    made: Option<SystemTime>,
) -> Looked {
    let mut looked = Looked::default();
    for (path, size) in files {
        match fs::symlink_metadata(folder.join(path)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                looked.missing.push(path.to_owned());
            }
            Ok(found) if found.is_file() => {
                let is_later = found.modified().is_ok_and(|time| made.is_some_and(|it| time > it));
                if is_later || size.is_some_and(|size| size != found.len()) {
                    looked.written.push(path.to_owned());
                }
            }
            _ => {}
        }
    }
    looked
}
