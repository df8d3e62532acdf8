//! `cache`: what the store and the cache take, and emptying the cache.

use std::path::PathBuf;

use rocmenv_store::fs::remove_tree;
use rocmenv_store::gc::{self, Freed, StoreUsage};
use rocmenv_store::layout::StoreLayout;

use super::stores::Stores;
use crate::context::Context;
use crate::error::Error;

/// Folders and what they take.
#[derive(Debug, Clone)]
pub struct StorageOutcome {
    /// The stores that this user writes, that of the project first.
    pub stores: Vec<(PathBuf, StoreUsage)>,
    /// The stores of administrators, which are only read; what they take is not counted.
    pub layers: Vec<PathBuf>,
    /// The cache.
    pub cache: PathBuf,
    /// Bytes in it.
    pub cached: u64,
    /// Of these, bytes of downloads.
    pub downloads: u64,
}

/// What the stores and the cache take: every inode once, by the blocks that it really has.
///
/// # Errors
/// A folder cannot be read.
pub fn measure(context: &Context) -> Result<StorageOutcome, Error> {
    let stores = Stores::written(context)?;
    let layers = Stores::of_call(context)?.layers;
    let cache = context.cache()?;
    let usage = gc::usage(&stores, &cache)?;
    let root = |store: &StoreLayout| store.root().to_owned();
    Ok(StorageOutcome {
        stores: stores.iter().map(root).zip(usage.stores).collect(),
        layers: layers.iter().map(root).collect(),
        cache,
        cached: usage.cache,
        downloads: usage.downloads,
    })
}

/// Removes what can be fetched again from the cache, and says what that frees. Other things that
/// lie in the folder are not rocmenv's and stay.
///
/// # Errors
/// Something cannot be removed.
pub fn clean(context: &Context) -> Result<(PathBuf, Freed), Error> {
    let cache = context.cache()?;
    let own: Vec<PathBuf> = OWN.iter().map(|name| cache.join(name)).collect();
    let freed = gc::freed_by(&own)?;
    if !context.settings.dry_run {
        for path in &own {
            remove_tree(path)?;
        }
    }
    Ok((cache, freed))
}

/// What rocmenv keeps in the cache.
const OWN: [&str; 5] = ["apt", "downloads", "metadata", "pages", "settled"];
