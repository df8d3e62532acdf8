//! Files whose index gives no hash: what is known of them is kept, the rest is hashed or named.

use std::collections::BTreeMap;

use rocmenv_manifests::lock::{ArtifactKind, Lock, LockedFile};
use rocmenv_manifests::name::{IndexName, TargetName};
use rocmenv_store::fetch::{FetchError, FileRequest};
use rocmenv_store::report::Reporter;

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

/// Downloads and hashes the gaps of some targets.
pub(super) async fn fill(
    lock: &mut Lock,
    world: &World,
    targets: &[TargetName],
    reporter: &dyn Reporter,
) -> Result<(), FetchError> {
    for package in &mut lock.packages {
        for file in &mut package.files {
            let wanted = file.targets.iter().any(|target| targets.contains(target));
            if file.sha256.is_some() || !wanted || package.kind != ArtifactKind::Wheel {
                continue;
            }
            let Ok(name) = package.name.parse() else { continue };
            let Some(url) = world.catalog.python_address(&package.index, &name, &file.name) else {
                continue;
            };
            let request =
                FileRequest { url, name: file.name.clone(), sha256: None, size: file.size };
            let found = world.fetcher.download(&request, &world.downloads, reporter).await?;
            file.sha256 = Some(found.sha256);
            file.size = Some(found.size);
        }
    }
    Ok(())
}

/// The files that have no hash, by name.
pub(super) fn names(lock: &Lock) -> Vec<String> {
    let files = lock.packages.iter().flat_map(|package| &package.files);
    files.filter(|file| file.sha256.is_none()).map(|file| file.name.clone()).collect()
}
