//! `cache`: what the store and the cache take, and emptying the cache.

use std::path::PathBuf;

use rocmenv_store::fs::remove_tree;
use rocmenv_store::gc::{self, Freed, Usage};
use rocmenv_store::layout::StoreLayout;

use crate::context::Context;
use crate::error::Error;

/// Folders and what they take.
#[derive(Debug, Clone)]
pub struct StorageOutcome {
    /// The store.
    pub store: PathBuf,
    /// The cache.
    pub cache: PathBuf,
    /// Bytes.
    pub usage: Usage,
}

/// What the store and the cache take: every inode once, by the blocks that it really has.
///
/// # Errors
/// A folder cannot be read.
pub fn measure(context: &Context) -> Result<StorageOutcome, Error> {
    let store = StoreLayout::new(&context.data()?);
    let cache = context.cache()?;
    let usage = gc::usage(&store, &cache)?;
    Ok(StorageOutcome { store: store.root().to_owned(), cache, usage })
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
