//! The packages that rocm.lock names for a target: from the store, or read in parts where they
//! are served.

use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::plan;
use rocmenv_store::cache::Refresh;
use rocmenv_store::proof::{Depth, Place, read_wheel};
use rocmenv_store::report::Reporter;

use super::environment::{of_store, open, package};
use super::report::{Read, Subject};
use super::{Gathered, ProveError, ProveOptions, gpus, host};
use crate::context::Context;
use crate::error::Error;
use crate::ops::lock::Inputs;
use crate::ops::locked;
use crate::ops::sync::SyncError;
use crate::ops::world::{WorldOptions, world};
use crate::settings::Network;

/// The lock's part for `--target`, else its first.
pub(super) async fn gather(
    context: &Context,
    options: &ProveOptions,
    reporter: &dyn Reporter,
) -> Result<Gathered, Error> {
    let inputs = Inputs::read(context)?;
    let part = locked::open(context, &[])?;
    let lock = locked::read(&inputs.opened.root)?;
    let artifacts = plan::artifacts(&lock, &part.target.name, &part.target.env, &[]);
    let world = world(
        context,
        &WorldOptions {
            root: &inputs.opened.root,
            project: &inputs.opened.project,
            registry: &inputs.registry,
            arch: inputs.host.arch.unwrap_or_default(),
            codename: inputs.host.os.codename.as_deref(),
            refresh: Refresh::WhenOld,
        },
    )?;
    let store = open(context)?;
    let store = store.in_use().map_err(SyncError::Disk)?;
    let depth = if options.whole { Depth::Whole } else { Depth::DeviceCode };
    let (mut packages, mut reads) = (Vec::new(), Vec::new());
    for artifact in &artifacts {
        let mut found = of_store(&store, artifact)?;
        let may_reach = context.settings.network == Network::Allowed;
        if found.facts.is_none() && artifact.kind == ArtifactKind::Wheel && may_reach {
            let request = world.catalog.locate(artifact, reporter).await?;
            let place = Place::Address(&world.fetcher, &request.url);
            let scratch = super::wheel::scratch(context)?;
            let proof = read_wheel(place, depth, &scratch, reporter).await;
            let proof = proof.map_err(ProveError::Wheel)?;
            reads.push(Read::of(&request.name, &proof));
            found = package(artifact, Some(proof.facts));
        }
        packages.push(found);
    }
    Ok(Gathered {
        subject: Subject::Lock(part.target.name.to_string()),
        gpus: gpus::chosen(
            &options.gpus,
            gpus::of_target(&part.target.name, &part.target.contract, &inputs),
        ),
        packages,
        reads,
        host: host::Host::of(context, &inputs.registry, &part.target.contract)?,
        verified: None,
        registry: inputs.registry,
    })
}
