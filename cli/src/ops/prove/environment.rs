//! The packages of an environment, as the store holds them.

use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::plan::Artifact;
use rocmenv_resolver::proof::{Package, Site};
use rocmenv_store::object::{InUse, Store};
use rocmenv_store::proof::facts_of;

use super::report::Subject;
use super::{Gathered, ProveOptions, gpus, host};
use crate::context::Context;
use crate::error::Error;
use crate::ops::lock::Inputs;
use crate::ops::place::Place;
use crate::ops::stores::Stores;
use crate::ops::sync::SyncError;
use crate::ops::{fitness, verify};

/// The current generation's.
pub(super) fn gather(context: &Context, options: &ProveOptions) -> Result<Gathered, Error> {
    let inputs = Inputs::read(context)?;
    let place = Place::find(context)?;
    let (record, layout) = place.current()?;
    let contract = fitness::contract(&place, &layout)?;
    let store = open(context)?;
    let store = store.in_use().map_err(SyncError::Disk)?;
    let packages = record.artifacts.iter().map(|artifact| of_store(&store, artifact));
    let packages = packages.collect::<Result<_, Error>>()?;
    Ok(Gathered {
        subject: Subject::Environment(place.name(), record.number),
        gpus: gpus::chosen(&options.gpus, gpus::of_target(&place.target, &contract, &inputs)),
        packages,
        reads: Vec::new(),
        host: host::Host::of(context, &inputs.registry, &contract)?,
        verified: verify::last(&layout),
        registry: inputs.registry,
    })
}

pub(super) fn open(context: &Context) -> Result<Store, Error> {
    Ok(Stores::of_call(context)?.open().map_err(SyncError::Disk)?)
}

/// A package with the facts of its object, without them where it is not in the store.
pub(super) fn of_store(store: &InUse<'_>, artifact: &Artifact) -> Result<Package, Error> {
    let object = match &artifact.sha256 {
        Some(digest) => store.find(digest).map_err(SyncError::Disk)?,
        None => None,
    };
    Ok(package(artifact, object.as_ref().map(facts_of)))
}

/// A package with these facts.
pub fn package(
    artifact: &Artifact,
    facts: Option<rocmenv_manifests::device_code::ObjectFacts>,
) -> Package {
    let site = match artifact.kind {
        ArtifactKind::Deb | ArtifactKind::Tarball => Site::Prefix,
        ArtifactKind::Wheel | ArtifactKind::Python | ArtifactKind::RocmMeta => Site::Modules,
    };
    Package { name: artifact.name.clone(), version: artifact.version.clone(), site, facts }
}
