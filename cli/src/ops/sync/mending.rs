//! `sync --repair`: what is damaged in the store is taken away before anything is looked for there,
//! so that it is brought anew like something that was never there.

use std::collections::BTreeSet;

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::generation::Generation;
use rocmenv_manifests::plan::Artifact;
use rocmenv_store::fs::DiskError;
use rocmenv_store::object::InUse;
use rocmenv_store::report::{Progress, Reporter, Task, TaskKind};

/// Takes away what is damaged of `artifacts` and of what the current generation holds beside them,
/// its interpreter for instance; the names of what was.
pub(super) fn mend(
    store: &InUse<'_>,
    artifacts: &[Artifact],
    current: Option<&Generation>,
    reporter: &dyn Reporter,
) -> Result<Vec<String>, DiskError> {
    let locked = artifacts.iter().filter_map(|artifact| artifact.sha256);
    let held = current.iter().flat_map(|generation| generation.objects.iter().copied());
    let digests: BTreeSet<Sha256> = locked.chain(held).collect();
    let total = Some(digests.len() as u64);
    let name = "files in the store".to_owned();
    let progress = Progress::start(reporter, &Task { kind: TaskKind::Query, name, total });
    let mut mended = Vec::new();
    for digest in digests {
        if store.mend(&digest)? {
            let own = artifacts.iter().find(|artifact| artifact.sha256 == Some(digest));
            mended.push(own.map_or_else(|| digest.to_string(), |own| own.name.clone()));
        }
        progress.advance(1);
    }
    Ok(mended)
}
