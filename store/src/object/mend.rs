//! Taking damaged objects out of the store, so that they are made anew.
//!
//! As root, or where files were made writable, a write goes through a hard link into the store.
//! Generations that link a damaged file keep it: nothing of theirs is changed, and the object that
//! is made anew has files of its own.

use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::digest::Sha256;

use super::{InUse, Manifest, Object, damaged_files, touched_files};
use crate::fs::{DiskError, remove_tree};
use crate::layout::ObjectLayout;
use crate::lock_file::LockFile;

impl InUse<'_> {
    /// Takes a damaged object of the writable store away with all that was made of it, so that the
    /// next [`Self::ensure`] makes it anew.
    pub fn discard(&self, digest: &Sha256) -> Result<(), DiskError> {
        let _lock = LockFile::exclusive(&self.layout().lock_of(&digest.to_string()))?;
        take_away(&self.layout().object(digest))?;
        for folder in self.made_of(digest) {
            remove_tree(&folder)?;
        }
        Ok(())
    }

    /// Reads every byte of an object of the writable store and of what was made of it, and takes
    /// away what is damaged. Whether something was.
    pub fn mend(&self, digest: &Sha256) -> Result<bool, DiskError> {
        if is_damaged(&self.layout().object(digest))? {
            self.discard(digest)?;
            return Ok(true);
        }
        let mut found = false;
        for folder in self.made_of(digest) {
            for place in places_in(&folder)? {
                if is_damaged(&place)? {
                    let name = place.root().file_name().unwrap_or_default().to_string_lossy();
                    let key = format!("{digest}-{name}");
                    let _lock = LockFile::exclusive(&self.layout().lock_of(&key))?;
                    take_away(&place)?;
                    found = true;
                }
            }
        }
        Ok(found)
    }

    /// Whether an object that was found may be linked: nothing of it was written to. Costs a look
    /// at each file, which linking it costs anyway; only what looks otherwise is read. Objects of
    /// other people's stores are theirs to mend.
    pub fn is_as_made(&self, object: &Object) -> bool {
        object.foreign
            || touched_files(&object.layout, &object.manifest).is_empty()
            || damaged_files(&object.layout, &object.manifest).is_empty()
    }

    /// Where compiled modules and copies with other search paths of an object lie.
    fn made_of(&self, digest: &Sha256) -> [PathBuf; 2] {
        let store = self.layout();
        [store.bytecode(), store.rewritten()].map(|folder| folder.join(digest.to_string()))
    }
}

/// Whether there is an object and it is not what its list says. Without a list that can be read
/// there is none.
fn is_damaged(place: &ObjectLayout) -> Result<bool, DiskError> {
    let manifest = Manifest::read(&place.manifest())?;
    Ok(manifest.is_some_and(|manifest| !damaged_files(place, &manifest).is_empty()))
}

fn take_away(place: &ObjectLayout) -> Result<(), DiskError> {
    remove_tree(&place.manifest())?;
    remove_tree(place.root())
}

fn places_in(folder: &Path) -> Result<Vec<ObjectLayout>, DiskError> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    entries.map(|entry| Ok(ObjectLayout::at(entry?.path()))).collect()
}
