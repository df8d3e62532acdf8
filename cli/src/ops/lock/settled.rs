//! Whether the whole question of a lock was asked before, with what the lock holds as its answer.
//!
//! A solve is a function of its question: rocm.toml with what lies over it, the lock as it is, the
//! targets, the registry's facts, the indexes, and their pages. All but the pages go into one
//! digest; the pages are the same as long as none of them would be asked for again, and of folders
//! of one's own wheels, which are always read, the digest holds what lies in them. So a registry
//! that is another one now, an `exclude-newer` that was moved, a host with another driver or an
//! index somewhere else is another question, which is solved.

use std::path::Path;

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::Lock;
use rocmenv_resolver::solve::Moves;
use rocmenv_store::cache::{DiskCatalog, Refresh, Settled};

use super::{Inputs, LockOptions, ProjectTarget, asked, gaps, installed};
use crate::context::Context;
use crate::settings::Network;

/// Everything that a question is made of.
pub(super) struct Question<'a> {
    pub(super) context: &'a Context,
    pub(super) inputs: &'a Inputs,
    pub(super) options: &'a LockOptions,
    /// The lock as it is, and its text.
    pub(super) old: Option<(&'a Lock, &'a str)>,
    pub(super) targets: &'a [ProjectTarget<'a>],
    pub(super) catalog: &'a DiskCatalog,
}

/// A question, and where it is kept that it was asked.
pub(super) struct Place {
    settled: Settled,
    digest: Sha256,
    refresh: Refresh,
    now: i64,
}

impl Question<'_> {
    /// `None` where something is wanted beside an answer: newer versions, other ones, or the
    /// hashes of files.
    pub(super) fn place(&self) -> Option<Place> {
        let (old, old_text) = self.old?;
        let is_plain = self.options.moves == Moves::Nothing
            && self.options.pins.is_empty()
            && self.options.from.is_empty()
            && gaps::names(old).is_empty();
        let cache = self.context.cache().ok().filter(|_| is_plain)?;
        let settings = &self.context.settings;
        let refresh = match settings.network {
            Network::Offline => Refresh::Never,
            Network::Allowed => Refresh::WhenOld,
        };
        let only = (&settings.target.as_ref().map(|target| &target.value), settings.is_env_asked);
        let folder = self.inputs.opened.root.folder().display();
        let place = format!("{folder} {only:?} {}", settings.env);
        Some(Place {
            settled: Settled::of(&cache, place.as_bytes()),
            digest: self.digest(old_text),
            refresh,
            now: self.context.now.as_second(),
        })
    }

    fn digest(&self, old_text: &str) -> Sha256 {
        let Inputs { opened, registry, host: _ } = self.inputs;
        let targets: Vec<_> = self.targets.iter().map(|one| &one.target).collect();
        // what the distribution has installed is part of a question about its packages
        let is_of_distribution = asked::uses_distribution(&opened.project);
        let packages = is_of_distribution.then(|| stamp(Path::new(installed::DPKG_STATUS)));
        let text = format!(
            "{}\0{}\0{}\0{:?}\0{old_text}\0{targets:?}\0{}\0{packages:?}",
            env!("CARGO_PKG_VERSION"),
            registry.fingerprint(),
            opened.text,
            opened.local,
            self.catalog.identity_of_all(),
        );
        Sha256::of(text.as_bytes())
    }
}

impl Place {
    /// Whether it was asked, and a solve would find the same.
    pub(super) fn is_known(&self) -> bool {
        self.settled.knows(&self.digest, &self.refresh, self.now)
    }

    /// Keeps it after a solve that came to what the lock holds.
    pub(super) fn keep(&self, catalog: &DiskCatalog) {
        self.settled.keep(&self.digest, catalog.good_until());
    }
}

/// What tells a file from another in its place.
fn stamp(path: &Path) -> Option<(u64, std::time::SystemTime)> {
    let metadata = fs_err::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}
