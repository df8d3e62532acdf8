//! From artifacts to objects of the store: what is there is taken, the rest is fetched and
//! unpacked while other downloads go on.

use std::path::PathBuf;
use std::thread::{Scope, available_parallelism};

use futures::{StreamExt as _, TryStreamExt as _};
use rocmenv_manifests::generation::Interpreter;
use rocmenv_manifests::plan::Artifact;
use rocmenv_store::environment::BytecodeError;
use rocmenv_store::fetch::{Downloaded, FetchError, find_download};
use rocmenv_store::fs::DiskError;
use rocmenv_store::object::{InUse, Object, ObjectError};
use rocmenv_store::report::{Progress, Reporter, Task, TaskKind};
use rocmenv_store::unpack::UnpackError;
use tokio::sync::Semaphore;

use super::compiling::Compiling;
use crate::error::{Exit, Failure};
use crate::failures::exit_of_fetch;
use crate::ops::world::{LazyWorld, World, WorldError};

/// What an artifact became.
pub(super) struct Brought {
    /// The artifact, with its digest.
    pub(super) artifact: Artifact,
    /// Its object.
    pub(super) object: Object,
    /// The one that was in the store was damaged.
    pub(super) anew: bool,
}

/// What brings objects, and to where.
#[derive(Clone, Copy)]
pub(super) struct Supplies<'a> {
    /// The store that they go to.
    pub(super) store: &'a InUse<'a>,
    /// What brings archives, where some have to be fetched.
    pub(super) world: &'a LazyWorld<'a>,
    /// Hears of each step.
    pub(super) reporter: &'a dyn Reporter,
}

impl Supplies<'_> {
    /// Sees to it that every artifact is an object, in the order of the artifacts, and compiles
    /// their modules if there is a `compiler`.
    ///
    /// Unpacking has threads of its own: all downloads are one task, which must not stand still
    /// while an archive is unpacked.
    pub(super) fn bring(
        &self,
        artifacts: &[Artifact],
        compiler: Option<&Interpreter>,
    ) -> Result<(Vec<Brought>, Vec<Object>), BringError> {
        tokio::task::block_in_place(|| {
            std::thread::scope(|scope| {
                let turns = Semaphore::new(available_parallelism().map_or(1, usize::from));
                let compiling = compiler.map(|python| Compiling::start(scope, self.store, python));
                let bringer = Bringer { scope, supplies: self, turns, compiling };
                let brought = futures::stream::iter(artifacts)
                    .map(|artifact| bringer.bring(artifact))
                    .buffered(AT_ONCE)
                    .try_collect();
                let brought: Vec<Brought> = tokio::runtime::Handle::current().block_on(brought)?;
                let Some(compiling) = bringer.compiling else { return Ok((brought, Vec::new())) };
                let objects = brought.iter().map(|one| &one.object);
                let bytecode = self.store.while_flushing(objects, || compiling.finish())?;
                Ok((brought, bytecode))
            })
        })
    }
}

struct Bringer<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    supplies: &'env Supplies<'env>,
    /// As many archives are unpacked at once as there are processors: each takes memory.
    turns: Semaphore,
    compiling: Option<Compiling<'scope>>,
}

impl Bringer<'_, '_> {
    async fn bring(&self, artifact: &Artifact) -> Result<Brought, BringError> {
        let brought = self.found_or_made(artifact).await?;
        if let Some(compiling) = &self.compiling {
            compiling.add(&brought.object);
        }
        Ok(brought)
    }

    async fn found_or_made(&self, artifact: &Artifact) -> Result<Brought, BringError> {
        let Supplies { store, world, reporter } = *self.supplies;
        let mut anew = false;
        if let Some(digest) = &artifact.sha256
            && let Some(object) = store.find(digest)?
        {
            if store.is_as_made(&object) {
                return Ok(Brought { artifact: artifact.clone(), object, anew });
            }
            // Not into one more environment.
            store.discard(digest)?;
            anew = true;
        }
        let found = download(artifact, world.get()?, reporter).await?;
        let artifact =
            Artifact { sha256: Some(found.sha256), size: Some(found.size), ..artifact.clone() };
        Ok(Brought { anew, ..self.unpack(found.path, artifact).await? })
    }

    async fn unpack(&self, archive: PathBuf, artifact: Artifact) -> Result<Brought, BringError> {
        let Supplies { store, reporter, .. } = *self.supplies;
        let _turn = self.turns.acquire().await;
        let (done, result) = tokio::sync::oneshot::channel();
        self.scope.spawn(move || {
            let task =
                Task { kind: TaskKind::Unpack, name: artifact.file.clone(), total: artifact.size };
            let progress = Progress::start(reporter, &task);
            let object = store.ensure(&archive, &artifact, &|bytes| progress.advance(bytes));
            drop(progress);
            // nobody waits any more where another artifact has failed
            let _ = done.send(object.map(|object| Brought { artifact, object, anew: false }));
        });
        match result.await {
            Ok(brought) => Ok(brought?),
            Err(stopped) => Err(DiskError::from(std::io::Error::other(stopped)).into()),
        }
    }
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
    /// Compiling.
    #[error(transparent)]
    Bytecode(#[from] BytecodeError),
    /// The store.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// An index.
    #[error(transparent)]
    Catalog(#[from] rocmenv_store::cache::CatalogError),
    /// The user's configuration of indexes.
    #[error(transparent)]
    World(#[from] WorldError),
}

impl Failure for BringError {
    fn exit(&self) -> Exit {
        match self {
            Self::Fetch(inner) => exit_of_fetch(inner),
            Self::Object(inner) if !is_of_disk(inner) => Exit::Integrity,
            Self::Object(_) | Self::Bytecode(_) | Self::Disk(_) => Exit::Unmet,
            Self::Catalog(inner) => inner.exit(),
            Self::World(inner) => inner.exit(),
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Fetch(inner) => inner.code(),
            Self::Object(inner) if !is_of_disk(inner) => Some("archive-refused"),
            Self::Object(_) | Self::Disk(_) => Some("store-not-usable"),
            Self::Bytecode(_) => Some("environment-not-built"),
            Self::Catalog(inner) => inner.code(),
            Self::World(inner) => inner.code(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Fetch(inner) => inner.help(),
            Self::Catalog(inner) => inner.help(),
            Self::World(inner) => inner.help(),
            Self::Bytecode(_) => Some("rocmenv sync".to_owned()),
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
