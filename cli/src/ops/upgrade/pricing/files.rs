//! The bytes of files: what is to be fetched of them, and what the disk gets.

use std::collections::BTreeMap;
use std::path::Path;

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::plan::Artifact;
use rocmenv_manifests::upgrade::{Amount, AtLeast, Counted, Gap};
use rocmenv_store::cache::DiskCatalog;

use crate::ops::stores::Stores;

/// Files that were counted, each once.
pub(super) struct Files<'f> {
    catalog: &'f DiskCatalog,
    stores: &'f Stores,
    /// Whether a generation links into the store; else it holds a copy of everything.
    links: bool,
    /// What stages before have brought, with what it unpacks to.
    brought: BTreeMap<String, Option<u64>>,
}

/// A sum of which some parts may not be known.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    bytes: u64,
    known: u32,
    all: u32,
}

impl<'f> Files<'f> {
    /// None yet, for a project in `folder`.
    pub(super) fn new(catalog: &'f DiskCatalog, stores: &'f Stores, folder: &Path) -> Self {
        let links = stores.is_on_disk_of(folder);
        Self { catalog, stores, links, brought: BTreeMap::new() }
    }

    /// Bytes to download and bytes on the disk for these files, which are here for later stages
    /// then.
    pub(super) fn add(&mut self, artifacts: &[Artifact]) -> (Sum, Sum) {
        let (mut download, mut disk) = (Sum::default(), Sum::default());
        for artifact in artifacts {
            let (fetched, written) = self.one(artifact);
            download.add(fetched);
            disk.add(written);
        }
        (download, disk)
    }

    fn one(&mut self, artifact: &Artifact) -> (Option<u64>, Option<u64>) {
        if let Some(digest) = artifact.sha256.filter(|digest| self.stores.holds(digest)) {
            return (Some(0), self.of_stored(&digest));
        }
        let weight = self.catalog.weight(artifact);
        let key = match weight.sha256 {
            Some(digest) => digest.to_string(),
            None => format!("{} {}", artifact.index, artifact.file),
        };
        if let Some(unpacked) = self.brought.get(&key) {
            return (Some(0), if self.links { Some(0) } else { *unpacked });
        }
        if let Some(digest) = weight.sha256.filter(|digest| self.stores.holds(digest)) {
            return (Some(0), self.of_stored(&digest));
        }
        self.brought.insert(key, weight.unpacked);
        let copies = if self.links { 1 } else { 2 };
        (weight.download, weight.unpacked.and_then(|bytes| bytes.checked_mul(copies)))
    }

    /// What the disk gets of a file that is in a store: its copy, where it cannot be linked.
    fn of_stored(&self, digest: &Sha256) -> Option<u64> {
        let is_linked = self.links || self.stores.is_shared(digest);
        if is_linked { Some(0) } else { self.stores.unpacked(digest) }
    }
}

impl Sum {
    fn add(&mut self, bytes: Option<u64>) {
        self.all += 1;
        if let Some(bytes) = bytes {
            self.known += 1;
            self.bytes = self.bytes.saturating_add(bytes);
        }
    }

    /// The sum as an amount; `gap` says why a file has none.
    pub(super) fn amount(self, gap: Gap) -> Amount {
        let Self { bytes, known, all } = self;
        if known == all {
            Amount::All(bytes)
        } else if known == 0 {
            Amount::Unknown(gap)
        } else {
            Amount::AtLeast(AtLeast { bytes, of: Counted::Files { known, all } })
        }
    }
}
