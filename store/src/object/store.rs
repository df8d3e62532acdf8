//! The store itself: finding objects, making them, sealing them.

use std::io;
use std::path::Path;
use std::sync::Arc;

use fs_err as fs;
use rayon::prelude::*;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::plan::Artifact;

use super::manifest::{Manifest, ManifestError};
use super::{damaged_files, pool, recipe};
use crate::fs::{DiskError, flush, remove_tree, rename};
use crate::layout::{ObjectLayout, StoreLayout};
use crate::lock_file::LockFile;
use crate::unpack::{OnBytes, UnpackError};
use crate::wheel::{self, WheelError};

/// One writable store and the read-only ones that are looked into before it.
#[derive(Debug, Clone)]
pub struct Store {
    layout: StoreLayout,
    layers: Vec<StoreLayout>,
}

/// A store that gc keeps its hands off, as long as this lives.
#[derive(Debug)]
pub struct InUse<'s> {
    store: &'s Store,
    _lock: LockFile,
}

/// An unpacked artifact.
#[derive(Debug, Clone)]
pub struct Object {
    /// The digest of the artifact.
    pub digest: Sha256,
    /// Where it lies.
    pub layout: ObjectLayout,
    /// What it consists of.
    pub manifest: Arc<Manifest>,
    /// It lies in a store that belongs to somebody else.
    pub foreign: bool,
    sealed: bool,
}

/// An object could not be made or used.
#[derive(Debug, thiserror::Error)]
pub enum ObjectError {
    /// The lock has no digest for it.
    #[error("`{file}` has no digest yet, so it cannot be kept by digest")]
    NoDigest {
        /// The artifact's file.
        file: String,
    },
    /// Its archive is bad.
    #[error("cannot unpack `{file}`")]
    Unpack {
        /// The artifact's file.
        file: String,
        /// Why.
        #[source]
        source: UnpackError,
    },
    /// It is not the wheel that it says it is.
    #[error("`{file}` is not a valid wheel")]
    Wheel {
        /// The artifact's file.
        file: String,
        /// Why.
        #[source]
        source: WheelError,
    },
    /// Its list could not be written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl Store {
    /// The store at `layout`, made if it is not there, and read-only layers before it.
    pub fn open(layout: StoreLayout, layers: Vec<StoreLayout>) -> Result<Self, DiskError> {
        for folder in layout.folders() {
            // As root on a read-only disk this tells before anything was begun.
            fs::create_dir_all(folder)?;
        }
        Ok(Self { layout, layers })
    }

    /// Where the writable store lies.
    pub fn layout(&self) -> &StoreLayout {
        &self.layout
    }

    /// Keeps gc away; waits while one runs.
    pub fn in_use(&self) -> Result<InUse<'_>, DiskError> {
        let lock = LockFile::shared(&self.layout.gc_lock())?;
        Ok(InUse { store: self, _lock: lock })
    }
}

impl InUse<'_> {
    /// Where the writable store lies.
    pub fn layout(&self) -> &StoreLayout {
        &self.store.layout
    }

    /// The object of an artifact, if it is there and whole.
    pub fn find(&self, digest: &Sha256) -> Result<Option<Object>, DiskError> {
        self.find_in_any(digest, |store| store.object(digest))
    }

    /// The compiled Python of an object, if some store has it whole.
    pub(crate) fn find_bytecode(
        &self,
        digest: &Sha256,
        compiler: &str,
    ) -> Result<Option<Object>, DiskError> {
        self.find_in_any(digest, |store| store.bytecode_of(digest, compiler))
    }

    /// The copies of an object's files with other search paths, if some store has them whole.
    pub(crate) fn find_rewritten(
        &self,
        digest: &Sha256,
        key: &Sha256,
    ) -> Result<Option<Object>, DiskError> {
        self.find_in_any(digest, |store| store.rewritten_of(digest, key))
    }

    /// What lies at a place of some store, those of others first.
    fn find_in_any(
        &self,
        digest: &Sha256,
        place: impl Fn(&StoreLayout) -> ObjectLayout,
    ) -> Result<Option<Object>, DiskError> {
        for layer in &self.store.layers {
            // A layer that cannot be read is no reason to fail: the object can be made here.
            if let Ok(Some(object)) = read(place(layer), digest, true)
                && object.sealed
            {
                return Ok(Some(object));
            }
        }
        self.find_at(place(&self.store.layout), digest)
    }

    /// The read-only stores.
    pub(crate) fn layers(&self) -> &[StoreLayout] {
        &self.store.layers
    }

    /// The object at a place of the writable store, if it is there and whole.
    pub(crate) fn find_at(
        &self,
        place: ObjectLayout,
        digest: &Sha256,
    ) -> Result<Option<Object>, DiskError> {
        let Some(mut object) = read(place, digest, false)? else { return Ok(None) };
        if !object.sealed {
            if !damaged_files(&object.layout, &object.manifest).is_empty() {
                return Ok(None);
            }
            self.seal(std::slice::from_ref(&object))?;
            object.sealed = true;
        }
        Ok(Some(object))
    }

    /// The object of `artifact`, unpacked from `archive` if it is not there yet. The archive's
    /// own digest was checked when it was fetched. The object is not sealed by this.
    pub fn ensure(
        &self,
        archive: &Path,
        artifact: &Artifact,
        on_bytes: OnBytes<'_>,
    ) -> Result<Object, ObjectError> {
        let file = || artifact.file.clone();
        let digest = artifact.sha256.ok_or_else(|| ObjectError::NoDigest { file: file() })?;
        if let Some(object) = self.find(&digest)? {
            return Ok(object);
        }
        let _lock = LockFile::exclusive(&self.store.layout.lock_of(&digest.to_string()))?;
        // Another process may have made it while this one waited.
        if let Some(object) = self.find(&digest)? {
            return Ok(object);
        }
        let staging = tempfile::Builder::new()
            .prefix(&digest.to_string()[..12])
            .tempdir_in(self.store.layout.staging())
            .map_err(DiskError::from)?;
        let half = ObjectLayout::at(staging.path().join("object"));
        let tree = half.tree();
        let entries = recipe::unpack(artifact.kind, archive, &tree, on_bytes)
            .map_err(|source| ObjectError::Unpack { file: file(), source })?;
        let mut manifest = Manifest::new(artifact.kind, &artifact.name, &artifact.version, entries);
        if artifact.kind == ArtifactKind::Wheel {
            manifest.notes = wheel::check(&tree, &manifest.entries)
                .map_err(|source| ObjectError::Wheel { file: file(), source })?;
        }
        self.finish(&half, &self.store.layout.object(&digest), manifest, digest)
    }

    /// Does what keeps the processors busy while the disk takes what was just unpacked, so that the
    /// flush before the switch has less to wait for. That one counts: what became of this one does
    /// not.
    pub fn while_flushing<'o, T>(
        &self,
        mut objects: impl Iterator<Item = &'o Object>,
        act: impl FnOnce() -> T,
    ) -> T {
        if objects.all(Object::is_sealed) {
            return act();
        }
        std::thread::scope(|scope| {
            scope.spawn(|| flush(self.store.layout.root()));
            act()
        })
    }

    /// Makes objects durable: one flush for all of them, then their marks.
    pub fn seal(&self, objects: &[Object]) -> Result<(), DiskError> {
        if objects.iter().all(|object| object.sealed) {
            return Ok(());
        }
        flush(self.store.layout.root())?;
        mark_sealed(objects)
    }

    /// Shares the large files of a half-made object, writes its list, gives it its name.
    pub(crate) fn finish(
        &self,
        half: &ObjectLayout,
        at: &ObjectLayout,
        manifest: Manifest,
        digest: Sha256,
    ) -> Result<Object, ObjectError> {
        let tree = half.tree();
        manifest
            .entries
            .par_iter()
            .try_for_each(|entry| pool::share(&self.store.layout, &tree, entry))?;
        manifest.write(&half.manifest())?;
        // Something under the name here was torn by a power cut.
        remove_tree(at.root())?;
        if let Some(folder) = at.root().parent() {
            fs::create_dir_all(folder).map_err(DiskError::from)?;
        }
        rename(half.root(), at.root()).map_err(DiskError::from)?;
        let (layout, manifest) = (at.clone(), Arc::new(manifest));
        Ok(Object { digest, layout, manifest, foreign: false, sealed: false })
    }
}

impl Object {
    /// Whether it is known to be on the disk.
    pub fn is_sealed(&self) -> bool {
        self.sealed
    }
}

/// Marks objects as being on the disk, after a flush of the store's file system.
pub(crate) fn mark_sealed(objects: &[Object]) -> Result<(), DiskError> {
    for object in objects.iter().filter(|object| !object.sealed) {
        fs::write(object.layout.sealed(), b"")?;
    }
    Ok(())
}

fn read(layout: ObjectLayout, digest: &Sha256, foreign: bool) -> Result<Option<Object>, DiskError> {
    let Some(manifest) = Manifest::read(&layout.manifest())? else { return Ok(None) };
    let sealed = match fs::symlink_metadata(layout.sealed()) {
        Ok(_) => true,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(error.into()),
    };
    Ok(Some(Object { digest: *digest, layout, manifest: Arc::new(manifest), foreign, sealed }))
}
