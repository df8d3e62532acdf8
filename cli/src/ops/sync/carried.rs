//! Files that were carried here in bundles: what of them is needed goes among the downloads, where
//! all else looks for it first.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::plan::Artifact;
use rocmenv_store::bundle::{self, BundleError, BundleFile};
use rocmenv_store::fs::DiskError;
use rocmenv_store::object::InUse;

use crate::error::{Exit, Failure};

/// Checks the bundles whole, and takes what the store has not. A bundle is refused for any byte
/// that is not what it was, also of files that are not needed here.
pub(super) fn take(
    from: &[PathBuf],
    target: &TargetName,
    artifacts: &[Artifact],
    store: &InUse<'_>,
    downloads: &Path,
) -> Result<(), CarriedError> {
    let mut needed: BTreeSet<Sha256> = artifacts.iter().filter_map(|one| one.sha256).collect();
    let mut listed: Vec<BundleFile> = Vec::new();
    for at in from {
        listed.extend(bundle::read(at)?.files);
    }
    let is_interpreter =
        |file: &&BundleFile| file.kind == ArtifactKind::Python && file.targets.contains(target);
    needed.extend(listed.iter().filter(is_interpreter).map(|file| file.sha256));
    let mut wanted = BTreeSet::new();
    for digest in needed {
        if store.find(&digest)?.is_none() {
            wanted.insert(digest);
        }
    }
    for at in from {
        tokio::task::block_in_place(|| bundle::take(at, &wanted, downloads))?;
    }
    let here: BTreeSet<Sha256> =
        listed.iter().filter(|file| file.here).map(|file| file.sha256).collect();
    let earlier = listed.iter().filter(|file| wanted.contains(&file.sha256));
    let earlier: BTreeSet<&str> = earlier
        .filter(|file| !here.contains(&file.sha256))
        .map(|file| file.name.as_str())
        .collect();
    match earlier.first() {
        Some(first) => {
            Err(CarriedError::Earlier { first: (*first).to_owned(), count: earlier.len() })
        }
        None => Ok(()),
    }
}

/// A bundle cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum CarriedError {
    /// It is none, or damaged.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// The store.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// It was made against an earlier one, which is not here.
    #[error(
        "{count} file(s) lie in the earlier bundle that this one was made against, `{first}` for one"
    )]
    Earlier {
        /// One of them.
        first: String,
        /// How many.
        count: usize,
    },
}

impl Failure for CarriedError {
    fn exit(&self) -> Exit {
        match self {
            Self::Bundle(inner) => inner.exit(),
            Self::Disk(inner) => inner.exit(),
            Self::Earlier { .. } => Exit::Unmet,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Bundle(inner) => inner.code(),
            Self::Disk(inner) => inner.code(),
            Self::Earlier { .. } => Some("bundle-incomplete"),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Bundle(inner) => inner.help(),
            Self::Disk(inner) => inner.help(),
            Self::Earlier { .. } => {
                Some("rocmenv sync --offline --from EARLIER --from THIS".to_owned())
            }
        }
    }
}
