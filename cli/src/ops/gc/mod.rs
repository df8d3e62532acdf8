//! `gc`: takes away what no generation holds, after saying what that really frees.
//!
//! With `--max-size S`, further old generations go until the store is as small as that, whichever
//! environment they are of. With `--keep N`, old generations of every environment that the store knows of go first; those
//! that are current, were current before, are pinned or are used by a process stay in any case.
//! The locks of the environments are taken before the store's, the order in which `sync` takes
//! them.

mod shrink;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rocmenv_manifests::name::EnvName;
use rocmenv_shims::locate::PROJECT_FOLDER;
use rocmenv_store::gc::{Collector, GcOptions, GcPlan, execute};
use rocmenv_store::generation::{self, EnvWriter, Root, generations_in_use};
use rocmenv_store::layout::{EnvLayout, StoreLayout};

use super::stores::Stores;
use crate::context::{Context, NoFolder};
use crate::error::Error;

/// What to collect.
#[derive(Debug, Clone, Default)]
pub struct CollectOptions {
    /// Keep no more than this many of the newest generations of each environment.
    pub keep: Option<usize>,
    /// Remove further old generations, the oldest first, until the store takes no more bytes.
    pub max_size: Option<u64>,
    /// Projects that are gone for good.
    pub forget: Vec<PathBuf>,
}

/// A collection that is planned and can be carried out; nobody else changes the store meanwhile.
#[derive(Debug)]
pub struct Prepared {
    /// What goes; `None` where there is no store yet.
    pub plan: GcPlan,
    /// The generations that go, by environment.
    pub generations: Vec<Retiring>,
    /// Environments that cannot be changed by this user and were left alone.
    pub left_alone: Vec<PathBuf>,
    /// Environments whose state cannot be read: nothing says what of them is to be kept, so all is.
    pub unreadable: Vec<PathBuf>,
    /// Paths to forget that still exist.
    pub still_there: Vec<PathBuf>,
    /// What the store will take where a size was asked for.
    pub stays: Option<Stays>,
    /// The store.
    pub store: StoreLayout,
    collector: Option<Collector>,
}

/// The old generations of one environment.
#[derive(Debug)]
pub struct Retiring {
    /// The environment's folder.
    pub environment: PathBuf,
    /// The numbers that go.
    pub numbers: Vec<u32>,
    /// Those that may go, too, with the time at which each was made.
    spare: Vec<(String, u32)>,
    writer: EnvWriter,
}

/// What is left of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stays {
    /// Bytes of objects, of what was made of them and of interpreters.
    pub bytes: u64,
    /// How many there should be at most.
    pub max: u64,
}

/// The stores that a call collects in, one after the other: all that this user writes, that of the
/// project first. A layer is never among them.
///
/// # Errors
/// The user has no data folder.
pub fn stores(context: &Context) -> Result<Vec<StoreLayout>, NoFolder> {
    Stores::written(context)
}

/// Plans for one store.
///
/// # Errors
/// The store cannot be read or locked.
pub fn prepare(
    context: &Context,
    options: &CollectOptions,
    store: StoreLayout,
) -> Result<Prepared, Error> {
    let (there, forget): (Vec<_>, Vec<_>) = options
        .forget
        .iter()
        .map(|path| canonical(&context.cwd.join(path)))
        .partition(|path| path.exists());
    let mut prepared = Prepared {
        plan: GcPlan::default(),
        generations: Vec::new(),
        left_alone: Vec::new(),
        unreadable: Vec::new(),
        still_there: there,
        stays: None,
        store,
        collector: None,
    };
    if prepared.store.roots().exists() {
        let now = u64::try_from(context.now.as_second()).unwrap_or_default();
        prepared.decide(now, &forget, options)?;
    }
    Ok(prepared)
}

impl Prepared {
    /// Carries it out: first the generations, then what they alone held. Gives back the folders of
    /// generations that stay for now, because programs have files of them open (Windows).
    ///
    /// # Errors
    /// The disk failed; what is half removed is known as such and goes with the next collection.
    pub fn execute(self) -> Result<Vec<PathBuf>, Error> {
        let mut in_use = Vec::new();
        for retiring in &self.generations {
            let waiting = retiring.writer.remove(&self.store, &retiring.numbers)?;
            let folder = retiring.environment.join("generations");
            in_use.extend(waiting.iter().map(|number| folder.join(number.to_string())));
        }
        if let Some(collector) = &self.collector {
            execute(collector, &self.plan)?;
        }
        Ok(in_use)
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.generations.is_empty()
            && self.plan.folders.is_empty()
            && self.plan.files.is_empty()
            && self.plan.roots.is_empty()
    }

    /// The generations that are gone and still count, by the outermost folder that is gone: how
    /// many, and for how many seconds at most.
    pub fn waiting(&self) -> BTreeMap<&Path, (usize, u64)> {
        let mut gone: BTreeMap<&Path, (usize, u64)> = BTreeMap::new();
        for (path, seconds) in &self.plan.waiting {
            let outermost = path.ancestors().take_while(|folder| !folder.exists()).last();
            let (count, longest) = gone.entry(outermost.unwrap_or(path)).or_default();
            *count += 1;
            *longest = (*longest).max(*seconds);
        }
        gone
    }

    fn decide(
        &mut self,
        now: u64,
        forget: &[PathBuf],
        options: &CollectOptions,
    ) -> Result<(), Error> {
        if options.keep.is_some() || options.max_size.is_some() {
            self.retire(options)?;
        }
        let collector = Collector::lock(self.store.clone())?;
        let plan = |generations: &[Retiring]| {
            let without = generations.iter().flat_map(Retiring::folders).collect();
            collector.plan(&GcOptions { now, forget: forget.to_vec(), without })
        };
        self.plan = match options.max_size {
            Some(max) => {
                let found = shrink::until(&mut self.generations, max, &collector, &plan)?;
                self.stays = Some(Stays { bytes: found.stays, max });
                found.plan
            }
            None => plan(&self.generations)?,
        };
        self.generations.retain(|retiring| !retiring.numbers.is_empty());
        self.collector = Some(collector);
        Ok(())
    }

    /// The old generations of every environment that has a root, sorted, so that two collections
    /// cannot wait for each other.
    fn retire(&mut self, options: &CollectOptions) -> Result<(), Error> {
        let roots = Root::all(&self.store)?;
        let environments: BTreeSet<PathBuf> =
            roots.iter().filter_map(|root| environment_of(&root.path)).collect();
        for environment in environments.into_iter().filter(|path| path.exists()) {
            let Some(layout) = layout_of(&environment) else { continue };
            let in_use = generations_in_use(&layout, Path::new(PROCESSES));
            let Ok(writer) = EnvWriter::lock(layout.clone()) else {
                self.left_alone.push(environment);
                continue;
            };
            // an environment whose store was moved has generations of another one, too
            let own = |number: &u32| {
                let folder = environment.join("generations").join(number.to_string());
                roots.iter().any(|root| root.path == folder)
            };
            let removable = |newest: Option<usize>| {
                newest.map_or(Ok(Vec::new()), |newest| writer.removable(newest, &in_use))
            };
            let none_kept = options.max_size.map(|_| 0);
            let (Ok(mut numbers), Ok(mut further)) =
                (removable(options.keep), removable(none_kept))
            else {
                self.unreadable.push(environment);
                continue;
            };
            numbers.retain(own);
            further.retain(own);
            let spare = spare(&layout, &numbers, further);
            if !numbers.is_empty() || !spare.is_empty() {
                self.generations.push(Retiring { environment, numbers, spare, writer });
            }
        }
        Ok(())
    }
}

impl Retiring {
    /// The folders of the generations that go.
    fn folders(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let folder = self.environment.join("generations");
        self.numbers.iter().map(move |number| folder.join(number.to_string()))
    }
}

/// The generations that may go beside those that do, with their times. One whose record cannot be
/// read counts as the oldest.
fn spare(layout: &EnvLayout, going: &[u32], removable: Vec<u32>) -> Vec<(String, u32)> {
    let created = |number: u32| {
        let record = generation::read(&layout.generation(number));
        record.map(|record| record.created).unwrap_or_default()
    };
    let further = removable.into_iter().filter(|number| !going.contains(number));
    further.map(|number| (created(number), number)).collect()
}

/// `ENV` of `ENV/generations/N`.
fn environment_of(generation: &Path) -> Option<PathBuf> {
    let generations = generation.parent()?;
    generations.ends_with("generations").then(|| generations.parent().map(Path::to_owned))?
}

/// The layout of `PROJECT/.rocmenv/<target>[/<env>]`.
fn layout_of(environment: &Path) -> Option<EnvLayout> {
    let name = |path: &Path| Some(path.file_name()?.to_str()?.to_owned());
    let above = environment.parent()?;
    if above.ends_with(PROJECT_FOLDER) {
        let target = name(environment)?.parse().ok()?;
        return Some(EnvLayout::new(above.parent()?, &target, &EnvName::default_env()));
    }
    let folder = above.parent().filter(|folder| folder.ends_with(PROJECT_FOLDER))?;
    let (target, env) = (name(above)?.parse().ok()?, name(environment)?.parse().ok()?);
    Some(EnvLayout::new(folder.parent()?, &target, &env))
}

/// The path without links as far as it exists: roots are written so.
fn canonical(path: &Path) -> PathBuf {
    let existing =
        path.ancestors().find_map(|up| Some((up, rocmenv_store::fs::canonical(up).ok()?)));
    match existing {
        Some((up, real)) => match path.strip_prefix(up) {
            Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
            _ => real,
        },
        None => path.to_owned(),
    }
}

const PROCESSES: &str = "/proc";
