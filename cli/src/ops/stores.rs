//! Which store a call writes to, and which it only reads.
//!
//! A user has one store a disk, so that files can be linked into projects on it: the one in the
//! data folder, and those that `ROCMENV_STORES` names. An administrator's stores are layers: what
//! they hold is neither fetched nor unpacked again, by however many users.

use std::path::{Path, PathBuf};

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::generation::RewrittenObject;
use rocmenv_store::fs::{DiskError, same_file_system};
use rocmenv_store::layout::{ObjectLayout, StoreLayout};
use rocmenv_store::object::{Manifest, Store};

use super::files;
use crate::context::{Context, NoFolder};

/// The stores of one project.
#[derive(Debug, Clone)]
pub struct Stores {
    /// The one that is written.
    pub own: StoreLayout,
    /// Those that are read before it.
    pub layers: Vec<StoreLayout>,
}

impl Stores {
    /// The stores for a project in `folder`.
    ///
    /// # Errors
    /// The user has no data folder.
    pub fn of(context: &Context, folder: &Path) -> Result<Self, NoFolder> {
        let own = StoreLayout::new(&data_for(context, folder)?);
        let mut layers: Vec<StoreLayout> =
            layers(context).iter().map(|data| StoreLayout::new(data)).collect();
        // An administrator's own call: what is written is no layer of itself.
        layers.retain(|layer| layer.root() != own.root());
        Ok(Self { own, layers })
    }

    /// The stores for the project of a call; where there is none, for its folder.
    ///
    /// # Errors
    /// The user has no data folder.
    pub fn of_call(context: &Context) -> Result<Self, NoFolder> {
        match context.project() {
            Ok(root) => Self::of(context, root.folder()),
            Err(_) => Self::of(context, &context.start()),
        }
    }

    /// All stores that this user writes, that of the call's project first. Layers are not among
    /// them: what an administrator made is only read.
    ///
    /// # Errors
    /// The user has no data folder.
    pub fn written(context: &Context) -> Result<Vec<StoreLayout>, NoFolder> {
        let stores = Self::of_call(context)?;
        let further = further(context).map(|data| StoreLayout::new(&data));
        let usual = StoreLayout::new(&context.data()?);
        let mut all = vec![stores.own];
        for store in std::iter::once(usual).chain(further) {
            let is_new = all.iter().all(|known| known.root() != store.root());
            let is_layer = stores.layers.iter().any(|layer| layer.root() == store.root());
            if is_new && !is_layer && store.root().exists() {
                all.push(store);
            }
        }
        Ok(all)
    }

    /// Opens them.
    ///
    /// # Errors
    /// The writable one cannot be made.
    pub fn open(self) -> Result<Store, DiskError> {
        Store::open(self.own, self.layers)
    }

    /// Where an object lies; in the writable store if nowhere.
    pub fn object(&self, digest: &Sha256) -> ObjectLayout {
        self.place(|store| store.object(digest))
    }

    /// Where copies of an object's files with other search paths lie; in the writable store if
    /// nowhere.
    pub fn rewritten(&self, copies: &RewrittenObject) -> ObjectLayout {
        self.place(|store| store.rewritten_of(&copies.object, &copies.key))
    }

    fn place(&self, of: impl Fn(&StoreLayout) -> ObjectLayout) -> ObjectLayout {
        let shared = self.layers.iter().map(&of).find(|object| object.sealed().exists());
        shared.unwrap_or_else(|| of(&self.own))
    }

    /// Whether an object is there. One that is not known to be on the disk yet is compared with
    /// its digests before it is used, which is not done here.
    pub fn holds(&self, digest: &Sha256) -> bool {
        let place = self.object(digest);
        place.sealed().exists() || Manifest::read(&place.manifest()).is_ok_and(|one| one.is_some())
    }

    /// Whether a layer has an object; its files are then linked by name from every disk.
    pub fn is_shared(&self, digest: &Sha256) -> bool {
        self.layers.iter().any(|layer| layer.object(digest).sealed().exists())
    }

    /// Bytes of the files of an object, if it is there.
    pub fn unpacked(&self, digest: &Sha256) -> Option<u64> {
        let manifest = Manifest::read(&self.object(digest).manifest()).ok()??;
        Some(manifest.bytes())
    }

    /// Whether files of the writable store can be linked into a folder.
    pub fn is_on_disk_of(&self, folder: &Path) -> bool {
        is_on_disk_of(self.own.root(), folder)
    }
}

/// The data folder on the disk of `folder`; the usual one where none is.
fn data_for(context: &Context, folder: &Path) -> Result<PathBuf, NoFolder> {
    let usual = context.data()?;
    let mut all = std::iter::once(usual.clone()).chain(further(context));
    Ok(all.find(|data| is_on_disk_of(data, folder)).unwrap_or(usual))
}

/// The data folders that the user has beside the usual one.
fn further(context: &Context) -> impl Iterator<Item = PathBuf> + '_ {
    context.settings.folders.stores.iter().map(|path| context.cwd.join(path))
}

fn is_on_disk_of(data: &Path, folder: &Path) -> bool {
    let there = data.ancestors().find(|path| path.exists());
    there.is_some_and(|there| same_file_system(there, folder).unwrap_or(false))
}

/// The data folders of administrators: of the variable, else of the system's file.
fn layers(context: &Context) -> Vec<PathBuf> {
    if let Some(named) = &context.settings.folders.layers {
        return named.iter().map(|path| context.cwd.join(path)).collect();
    }
    let text = files::read_optional(Path::new(SYSTEM_LAYERS)).ok().flatten().unwrap_or_default();
    let lines = text.lines().map(str::trim);
    lines.filter(|line| line.starts_with('/')).map(PathBuf::from).collect()
}

/// One folder a line; other lines are comments.
const SYSTEM_LAYERS: &str = "/etc/rocmenv/layers";
