//! What the indexes say of the files in a bundle: from pages and headers that a lock has in the
//! cache already; an index is asked only for what is not there.

use std::collections::BTreeSet;

use futures::StreamExt as _;
use rocmenv_store::bundle::Bundle;
use rocmenv_store::cache::CarriedRow;
use rocmenv_store::report::Reporter;

use super::wanted::Fetched;
use crate::ops::world::World;

/// The rows, sorted, and the files of which no index could be asked: those are synced from the
/// bundle as all others are, and no lock can be made with them there.
pub(super) async fn rows(
    fetched: &[Fetched],
    world: &World,
    reporter: &dyn Reporter,
) -> (Vec<CarriedRow>, Vec<String>) {
    let asked = futures::stream::iter(fetched)
        .map(|one| async move {
            let Some(sha256) = one.artifact.sha256 else { return Ok(None) };
            let row = world.catalog.row(&one.artifact, sha256, one.path.as_deref(), reporter);
            row.await.map_err(|_| one.artifact.file.clone())
        })
        .buffered(AT_ONCE)
        .collect::<Vec<_>>()
        .await;
    let (mut rows, mut unknown) = (BTreeSet::new(), Vec::new());
    for row in asked {
        match row {
            Ok(row) => rows.extend(row),
            Err(file) => unknown.push(file),
        }
    }
    (rows.into_iter().collect(), unknown)
}

/// Adds what a bundle that is there says of files that it goes on to hold.
pub(super) fn add_others(bundle: &mut Bundle, there: Vec<CarriedRow>) {
    let held = |row: &CarriedRow| bundle.files.iter().any(|file| file.sha256 == row.sha256);
    let others: Vec<CarriedRow> = there.into_iter().filter(held).collect();
    for row in others {
        let same = |known: &CarriedRow| known.index == row.index && known.file == row.file;
        if !bundle.rows.iter().any(same) {
            bundle.rows.push(row);
        }
    }
    bundle.rows.sort();
}

/// How many files are asked for side by side.
const AT_ONCE: usize = 16;
