//! Roots: what a generation holds of the store, written there before its first link, so that gc
//! knows what is needed without looking into projects.

use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::digest::Sha256;
use serde::{Deserialize, Serialize};

use crate::fs::{DiskError, Waiting, replace};
use crate::layout::StoreLayout;

/// What one generation holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    /// The generation's folder.
    pub path: PathBuf,
    /// The objects that it links.
    pub objects: Vec<Sha256>,
    /// The managed interpreter that it uses.
    pub python: Option<String>,
    /// When gc first found that the path is gone (seconds since 1970).
    pub missing_since: Option<u64>,
}

impl Root {
    /// Writes the root, durably.
    pub fn write(&self, store: &StoreLayout) -> Result<(), DiskError> {
        replace(&store.root_of(&self.path), &self.to_text()?)
    }

    /// Writes the root of a generation that is only about to be built. Its content is durable, so
    /// that no power cut leaves a file that is no root; its name is with the flush that comes
    /// before the generation can be used.
    pub(super) fn write_first(&self, store: &StoreLayout) -> Result<(), DiskError> {
        let waiting = Waiting::new(&store.root_of(&self.path), &self.to_text()?)?;
        waiting.flush()?;
        waiting.take_place()
    }

    /// Takes the root of a generation away.
    pub fn remove(store: &StoreLayout, generation: &Path) -> Result<(), DiskError> {
        match fs::remove_file(store.root_of(generation)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            removed => Ok(removed?),
        }
    }

    /// All roots of a store, sorted by path. A file that is no root is an error: to pass it over
    /// would be to remove what it holds.
    pub fn all(store: &StoreLayout) -> Result<Vec<Self>, DiskError> {
        let mut roots = Vec::new();
        for entry in fs::read_dir(store.roots())? {
            let path = entry?.path();
            // A half-written file of an atomic replacement.
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let root: Self = serde_json::from_slice(&fs::read(&path)?).map_err(|error| {
                let text = format!("`{}` is no root: {error}", path.display());
                std::io::Error::new(std::io::ErrorKind::InvalidData, text)
            })?;
            roots.push(root);
        }
        roots.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(roots)
    }

    fn to_text(&self) -> Result<Vec<u8>, DiskError> {
        Ok(serde_json::to_vec(self).map_err(std::io::Error::from)?)
    }
}
