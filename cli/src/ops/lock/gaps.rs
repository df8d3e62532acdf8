//! Files whose index gives no hash: what is known of them is kept, the rest is hashed or named.

use std::collections::BTreeMap;

use rocmenv_manifests::lock::{Lock, LockedFile};
use rocmenv_manifests::name::{IndexName, TargetName};
use rocmenv_manifests::plan::Artifact;
use rocmenv_manifests::registry::Registry;
use rocmenv_store::cache::CatalogError;
use rocmenv_store::fetch::FetchError;
use rocmenv_store::report::Reporter;

use crate::error::{Exit, Failure};
use crate::ops::world::World;

/// Takes the hashes of the old lock over for files that it had under the same index and name.
/// Where an index now gives another hash than the lock had, the new one stands; `sync` will not
/// find the old file and says so.
pub(super) fn carry(lock: &mut Lock, old: Option<&Lock>) {
    let Some(old) = old else { return };
    let mut known: BTreeMap<(&IndexName, &str), &LockedFile> = BTreeMap::new();
    for package in &old.packages {
        for file in &package.files {
            known.insert((&package.index, &file.name), file);
        }
    }
    for package in &mut lock.packages {
        for file in package.files.iter_mut().filter(|file| file.sha256.is_none()) {
            if let Some(before) = known.get(&(&package.index, file.name.as_str())) {
                file.sha256 = before.sha256;
                file.size = file.size.or(before.size);
            }
        }
    }
}

/// Takes the digests that the registry knows; a file that differs will then not be taken.
pub(super) fn known(lock: &mut Lock, registry: &Registry) {
    for package in &mut lock.packages {
        for file in package.files.iter_mut().filter(|file| file.sha256.is_none()) {
            file.sha256 = registry.known_sha256(&package.index, &file.name);
        }
    }
}

/// The lock with the digests of artifacts that were fetched since.
pub fn filled(lock: &Lock, artifacts: &[Artifact]) -> Lock {
    let mut lock = lock.clone();
    for package in &mut lock.packages {
        for file in package.files.iter_mut().filter(|file| file.sha256.is_none()) {
            let same = |artifact: &&Artifact| {
                artifact.index == package.index && artifact.file == file.name
            };
            if let Some(artifact) = artifacts.iter().find(same) {
                (file.sha256, file.size) = (artifact.sha256, artifact.size);
            }
        }
    }
    lock
}

/// Downloads and hashes the gaps of some targets.
pub(super) async fn fill(
    lock: &mut Lock,
    world: &World,
    targets: &[TargetName],
    reporter: &dyn Reporter,
) -> Result<(), GapError> {
    for package in &mut lock.packages {
        for at in 0..package.files.len() {
            let file = &package.files[at];
            let wanted = file.targets.iter().any(|target| targets.contains(target));
            if file.sha256.is_some() || !wanted {
                continue;
            }
            let artifact = Artifact {
                name: package.name.clone(),
                version: package.version.clone(),
                index: package.index.clone(),
                kind: package.kind,
                file: file.name.clone(),
                sha256: None,
                size: file.size,
            };
            let request = world.catalog.locate(&artifact, reporter).await?;
            let found = world.fetcher.download(&request, &world.downloads, reporter).await?;
            let file = &mut package.files[at];
            (file.sha256, file.size) = (Some(found.sha256), Some(found.size));
        }
    }
    Ok(())
}

/// A file without a hash could not be fetched.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(super) enum GapError {
    /// Its index does not say where it is.
    Catalog(#[from] CatalogError),
    /// The transfer failed.
    Fetch(#[from] FetchError),
}

impl Failure for GapError {
    fn exit(&self) -> Exit {
        self.inner().exit()
    }

    fn code(&self) -> Option<&'static str> {
        self.inner().code()
    }

    fn help(&self) -> Option<String> {
        self.inner().help()
    }
}

impl GapError {
    fn inner(&self) -> &dyn Failure {
        match self {
            Self::Catalog(inner) => inner,
            Self::Fetch(inner) => inner,
        }
    }
}

/// The files that have no hash, by name.
pub(super) fn names(lock: &Lock) -> Vec<String> {
    let files = lock.packages.iter().flat_map(|package| &package.files);
    files.filter(|file| file.sha256.is_none()).map(|file| file.name.clone()).collect()
}
