//! What somebody put into the environment with pip and a new one would not have.

use rocmenv_manifests::generation::Generation;
use rocmenv_manifests::plan::Artifact;
use rocmenv_store::layout::EnvLayout;

use crate::ops::guard;
use crate::ops::taken::{self, Foreign};

/// Name and version of each, sorted; none where the new environment has them.
pub(super) fn would_drop(
    generation: &Generation,
    layout: &EnvLayout,
    artifacts: &[Artifact],
) -> Vec<String> {
    let stays = |package: &Foreign| {
        let same = |artifact: &&Artifact| artifact.name == package.name;
        let new = artifacts.iter().find(same);
        new.is_some_and(|artifact| guard::is_same(&artifact.version, &package.version))
    };
    let foreign = taken::foreign(generation, &layout.generation(generation.number));
    let dropped = foreign.iter().filter(|package| !stays(package));
    dropped.map(|package| format!("{} {}", package.name, package.version)).collect()
}
