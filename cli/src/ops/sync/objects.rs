//! From artifacts to objects of the store: what is there is taken, the rest is fetched and
//! unpacked while other downloads go on.

use futures::{StreamExt as _, TryStreamExt as _};
use rocmenv_manifests::plan::Artifact;
use rocmenv_store::fetch::{Downloaded, FetchError, find_download};
use rocmenv_store::fs::DiskError;
use rocmenv_store::object::{InUse, Object, ObjectError};
use rocmenv_store::report::{Progress, Reporter, Task, TaskKind};
use rocmenv_store::unpack::UnpackError;

use crate::error::{Exit, Failure};
use crate::failures::exit_of_fetch;
use crate::ops::world::World;

/// What an artifact became.
pub(super) struct Brought {
    /// The artifact, with its digest.
    pub(super) artifact: Artifact,
    /// Its object.
    pub(super) object: Object,
}

/// Sees to it that every artifact is an object, in the order of the artifacts.
pub(super) async fn bring(
    artifacts: &[Artifact],
    store: &InUse<'_>,
    world: &World,
    reporter: &dyn Reporter,
) -> Result<Vec<Brought>, BringError> {
    futures::stream::iter(artifacts)
        .map(|artifact| bring_one(artifact, store, world, reporter))
        .buffered(AT_ONCE)
        .try_collect()
        .await
}

async fn bring_one(
    artifact: &Artifact,
    store: &InUse<'_>,
    world: &World,
    reporter: &dyn Reporter,
) -> Result<Brought, BringError> {
    if let Some(digest) = &artifact.sha256
        && let Some(object) = store.find(digest)?
    {
        return Ok(Brought { artifact: artifact.clone(), object });
    }
    let found = download(artifact, world, reporter).await?;
    let artifact =
        Artifact { sha256: Some(found.sha256), size: Some(found.size), ..artifact.clone() };
    let object = tokio::task::block_in_place(|| {
        let task =
            Task { kind: TaskKind::Unpack, name: artifact.file.clone(), total: artifact.size };
        let progress = Progress::start(reporter, &task);
        store.ensure(&found.path, &artifact, &|bytes| progress.advance(bytes))
    })?;
    Ok(Brought { artifact, object })
}

/// A download that is there needs no address, and so no index.
pub(crate) async fn download(
    artifact: &Artifact,
    world: &World,
    reporter: &dyn Reporter,
) -> Result<Downloaded, BringError> {
    if let Some(digest) = &artifact.sha256 {
        let name = artifact.file.rsplit('/').next().unwrap_or(&artifact.file);
        if let Some(found) = find_download(&world.downloads, name, digest).await? {
            return Ok(found);
        }
    }
    let request = world.catalog.locate(artifact, reporter).await?;
    Ok(world.fetcher.download(&request, &world.downloads, reporter).await?)
}

/// An artifact could not be had.
#[derive(Debug, thiserror::Error)]
pub enum BringError {
    /// Fetching.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// Unpacking.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The store.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// An index.
    #[error(transparent)]
    Catalog(#[from] rocmenv_store::cache::CatalogError),
}

impl Failure for BringError {
    fn exit(&self) -> Exit {
        match self {
            Self::Fetch(inner) => exit_of_fetch(inner),
            Self::Object(inner) if !is_of_disk(inner) => Exit::Integrity,
            Self::Object(_) | Self::Disk(_) => Exit::Unmet,
            Self::Catalog(inner) => inner.exit(),
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Fetch(inner) => inner.code(),
            Self::Object(inner) if !is_of_disk(inner) => Some("archive-refused"),
            Self::Object(_) | Self::Disk(_) => Some("store-not-usable"),
            Self::Catalog(inner) => inner.code(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Fetch(inner) => inner.help(),
            Self::Catalog(inner) => inner.help(),
            Self::Object(_) | Self::Disk(_) => None,
        }
    }
}

/// Whether the archive is good and its files could not be written.
fn is_of_disk(error: &ObjectError) -> bool {
    let unpack = |error: &UnpackError| matches!(error, UnpackError::Disk(_));
    matches!(error, ObjectError::Disk(_))
        || matches!(error, ObjectError::Unpack { source, .. } if unpack(source))
}

/// How many artifacts are on their way at once; downloads have a limit of their own.
const AT_ONCE: usize = 16;
