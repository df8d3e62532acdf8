//! Whether a lock has what the source had.

use rocmenv_manifests::lock::{ArtifactKind, Lock};
use rocmenv_manifests::name::PackageName;

use super::{Foreign, ImportError};

/// Where the lock could not follow the source.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// The package.
    pub name: String,
    /// The version that the source pins.
    pub pinned: String,
    /// What the lock has; none where nothing needs the package any more.
    pub locked: Option<String>,
}

/// The differences, by name.
///
/// # Errors
/// A version is the same and its file is none of those that the source names.
pub(super) fn differences(foreign: &Foreign, lock: &Lock) -> Result<Vec<Difference>, ImportError> {
    let mut found = Vec::new();
    for (name, pin) in &foreign.pins {
        let wheels = lock.packages.iter().filter(|package| package.kind == ArtifactKind::Wheel);
        let own: Vec<_> = wheels.filter(|package| is_named(&package.name, name)).collect();
        let same = own.iter().find(|package| package.version.parse().as_ref() == Ok(&pin.version));
        let Some(package) = same else {
            let locked = own.first().map(|package| package.version.clone());
            let pinned = pin.version.to_string();
            found.push(Difference { name: name.to_string(), pinned, locked });
            continue;
        };
        for file in &package.files {
            if let Some(sha256) = file.sha256.filter(|_| !pin.hashes.is_empty())
                && !pin.hashes.contains(&sha256)
            {
                return Err(ImportError::OtherFile {
                    name: name.to_string(),
                    version: package.version.clone(),
                    file: file.name.clone(),
                    found: sha256.to_string(),
                });
            }
        }
    }
    Ok(found)
}

fn is_named(text: &str, name: &PackageName) -> bool {
    text == name.as_ref()
}
