//! Keys of AMD's apt repositories that nobody vouched for: which a refused lock lacks, what lies
//! where they are published, and the line of rocm.toml that trusts one.
//!
//! Nothing is trusted here because it was found. A key counts once a person has said its
//! fingerprint, and that is kept in rocm.toml, where the next person can read it.

use std::collections::BTreeMap;

use rocmenv_manifests::catalog::Query;
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::project::Fingerprint;
use rocmenv_resolver::solve::Cause;
use rocmenv_store::cache::Refresh;
use rocmenv_store::index::{PublishedError, published_keys};
use rocmenv_store::report::Reporter;
use rocmenv_store::sign::KeyName;
use url::Url;

use super::edit::document::{Change, ManifestText};
use super::edit::{self, EditError};
use super::lock::{Inputs, fixing};
use super::world::{WorldError, WorldOptions, amd_repositories, world};
use crate::context::Context;
use crate::error::Error;

/// One or more repositories of a channel that nobody vouched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unvouched {
    /// The name under which rocm.toml says the fingerprint: the repository's, or where several
    /// of one channel are needed, the channel's.
    pub index: IndexName,
    /// The repositories' addresses.
    pub repositories: Vec<String>,
    /// Where the key is published.
    pub key: Url,
    /// The document that names these addresses.
    pub named_by: Option<String>,
}

/// The first of what a refused lock lacks a vouched key for; `None` where it is refused for
/// something else.
pub fn unvouched(inputs: &Inputs, error: &Error) -> Option<Unvouched> {
    let refused = fixing::refused(error)?;
    let lacks = |name: &IndexName| {
        refused.refusal.causes.iter().any(|cause| match cause {
            Cause::Unreadable { query: Query::Debs { repository }, .. } => repository == name,
            _ => false,
        })
    };
    let Inputs { opened, registry, host } = inputs;
    let trusted = &opened.project.trusted_keys;
    let mut channels: BTreeMap<&str, Unvouched> = BTreeMap::new();
    for one in amd_repositories(registry, &opened.project, host.os.codename.as_deref()) {
        let channel: IndexName = one.channel.name.parse().ok()?;
        let is_trusted = trusted.contains_key(&one.name) || trusted.contains_key(&channel);
        let Some(key) = one.key.and_then(|key| Url::parse(key).ok()) else { continue };
        if is_trusted || !lacks(&one.name) {
            continue;
        }
        if let Some(known) = channels.get_mut(one.channel.name.as_str()) {
            known.index = channel;
            known.repositories.push(one.url);
            continue;
        }
        let evidence = registry.evidence(&one.channel.source, "", &None);
        let unvouched = Unvouched {
            index: one.name,
            repositories: vec![one.url],
            key,
            named_by: evidence.first().map(ToString::to_string),
        };
        channels.insert(&one.channel.name, unvouched);
    }
    channels.into_values().next()
}

/// The keys that lie where this one is published.
///
/// # Errors
/// None can be shown.
pub async fn published(
    context: &Context,
    inputs: &Inputs,
    unvouched: &Unvouched,
    reporter: &dyn Reporter,
) -> Result<Vec<KeyName>, VouchError> {
    let Inputs { opened, registry, host } = inputs;
    let options = WorldOptions {
        root: &opened.root,
        project: &opened.project,
        registry,
        arch: host.arch.unwrap_or_default(),
        codename: host.os.codename.as_deref(),
        refresh: Refresh::WhenOld,
    };
    let world = world(context, &options)?;
    Ok(published_keys(&unvouched.key, &world.fetcher, reporter).await?)
}

/// Writes into rocm.toml that this is the key.
///
/// # Errors
/// rocm.toml cannot be changed.
pub fn trust(
    context: &Context,
    inputs: &Inputs,
    index: &IndexName,
    key: &Fingerprint,
) -> Result<Change, EditError> {
    let mut text = ManifestText::new(&inputs.opened.text).map_err(|_| EditError::NotEditable)?;
    let table = ["indexes".to_owned(), index.to_string()];
    let change = text.set(&table, "fingerprint", key.to_string());
    edit::write(context, &inputs.opened, &text.text())?;
    Ok(change)
}

/// No key can be shown to be vouched for.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum VouchError {
    /// The user's configuration of indexes.
    World(#[from] WorldError),
    /// What is published.
    Published(#[from] PublishedError),
}
