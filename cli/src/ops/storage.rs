//! `cache` and `gc`: what the store and the cache take, and what of it can go.

use std::path::PathBuf;

use rocmenv_store::fs::DiskError;
use rocmenv_store::gc::{self, Collector, GcPlan, Usage};
use rocmenv_store::generation::{EnvWriter, generations_in_use};
use rocmenv_store::layout::StoreLayout;

use super::generations::{self, GenerationsError};
use crate::context::{Context, NoFolder};
use crate::error::{Exit, Failure};

/// What `gc` was asked.
#[derive(Debug, Clone, Default)]
pub struct GcOptions {
    /// Generations below these paths are gone for good.
    pub forget: Vec<PathBuf>,
    /// First remove old generations of this project's environment beyond so many.
    pub keep: Option<usize>,
}

/// What `gc` did, or would do.
#[derive(Debug, Clone)]
pub struct GcOutcome {
    /// Generations of this project's environment that were removed first.
    pub generations: Vec<u32>,
    /// What goes from the store.
    pub plan: GcPlan,
}

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
pub fn measure(context: &Context) -> Result<StorageOutcome, StorageError> {
    let store = StoreLayout::new(&context.data()?);
    let cache = context.cache()?;
    let usage = gc::usage(&store, &cache)?;
    Ok(StorageOutcome { store: store.root().to_owned(), cache, usage })
}

/// Removes what no generation holds. With `--dry-run` only says what that is.
///
/// # Errors
/// The store cannot be read or written.
pub fn collect(context: &Context, options: &GcOptions) -> Result<GcOutcome, StorageError> {
    let store = StoreLayout::new(&context.data()?);
    if !store.root().exists() {
        return Ok(GcOutcome { generations: Vec::new(), plan: GcPlan::default() });
    }
    let old = options.keep.map(|keep| Old::find(context, keep)).transpose()?;
    let without = old.as_ref().map(Old::folders).unwrap_or_default();
    let collector = Collector::lock(store.clone())?;
    let now = u64::try_from(context.now.as_second()).unwrap_or(0);
    let forget = options.forget.iter().map(|path| context.cwd.join(path)).collect();
    let plan = collector.plan(&gc::GcOptions { now, forget, without })?;
    if !context.settings.dry_run {
        if let Some(old) = &old {
            old.writer.remove(&store, &old.numbers).map_err(GenerationsError::from)?;
        }
        gc::execute(&collector, &plan)?;
    }
    Ok(GcOutcome { generations: old.map(|old| old.numbers).unwrap_or_default(), plan })
}

/// Generations of this project's environment that go first, and the lock under which they do.
struct Old {
    writer: EnvWriter,
    numbers: Vec<u32>,
}

impl Old {
    fn find(context: &Context, keep: usize) -> Result<Self, StorageError> {
        let (_, layout) = generations::layout(context)?;
        let in_use = generations_in_use(&layout, std::path::Path::new("/proc"));
        let writer = EnvWriter::lock(layout)?;
        let numbers = writer.removable(keep, &in_use).map_err(GenerationsError::from)?;
        Ok(Self { writer, numbers })
    }

    fn folders(&self) -> Vec<PathBuf> {
        let layout = self.writer.layout();
        let real = fs_err::canonicalize(layout.generations());
        let folder = real.unwrap_or_else(|_| layout.generations());
        self.numbers.iter().map(|number| folder.join(number.to_string())).collect()
    }
}

/// The store or the cache could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// No place for them.
    #[error(transparent)]
    Folder(#[from] NoFolder),
    /// The disk.
    #[error("cannot use the store")]
    Disk(#[from] DiskError),
    /// The generations of the project.
    #[error(transparent)]
    Generations(#[from] GenerationsError),
}

impl StorageError {
    fn inner(&self) -> &dyn Failure {
        match self {
            Self::Folder(inner) => inner,
            Self::Disk(inner) => inner,
            Self::Generations(inner) => inner,
        }
    }
}

impl Failure for StorageError {
    fn exit(&self) -> Exit {
        self.inner().exit()
    }

    fn code(&self) -> Option<&'static str> {
        self.inner().code()
    }

    fn help(&self) -> Option<String> {
        self.inner().help()
    }
}
