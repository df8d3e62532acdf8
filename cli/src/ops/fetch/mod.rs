//! `fetch`: everything that a sync needs, for any targets, into one bundle that can be carried to a
//! machine without a network.
//!
//! A lock names every file by its digest, so that a sync asks no index for what is at hand; for a
//! lock there, the bundle also has what the indexes say of its files.

mod rows;
mod wanted;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::{Lock, LockedTarget};
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_manifests::plan::Artifact;
use rocmenv_store::bundle::{self, Bundle, BundleFile};
use rocmenv_store::cache::Refresh;
use rocmenv_store::report::Reporter;

use self::wanted::{Fetched, Wanted};
use super::files;
use super::lock::{self, Inputs};
use super::sync::{SelectError, SyncError};
use super::world::{WorldOptions, world};
use crate::context::Context;
use crate::error::Error;
use crate::settings::LockMode;

/// What to fetch, and where to.
#[derive(Debug, Clone)]
pub struct FetchOptions {
    /// The bundle: a folder, or a file that ends in `.tar`.
    pub to: PathBuf,
    /// A bundle whose files are left out.
    pub since: Option<PathBuf>,
}

/// What was fetched.
#[derive(Debug)]
pub struct FetchOutcome {
    /// The bundle, as it was named.
    pub to: PathBuf,
    /// For which targets and environments.
    pub parts: Vec<(TargetName, EnvName)>,
    /// What it lists; with `--dry-run`, what it would as far as that is known.
    pub bundle: Bundle,
    /// Targets for which nobody serves an interpreter, with the reason.
    pub without_interpreter: Vec<(TargetName, String)>,
    /// Files of which no index could be asked, so that no lock can be made with them there.
    pub without_row: Vec<String>,
    /// Files whose size nobody knows before they were fetched; only with `--dry-run`.
    pub unknown: usize,
}

/// Fetches.
///
/// # Errors
/// The lock does not fit, a file cannot be had, or the bundle cannot be written.
pub async fn fetch(
    context: &Context,
    inputs: &Inputs,
    options: &FetchOptions,
    reporter: &dyn Reporter,
) -> Result<FetchOutcome, Error> {
    let lock = fitting_lock(context, inputs)?;
    let parts = parts(context, &lock)?;
    let mut wanted = Wanted::default();
    for part in &parts {
        wanted.packages(&lock, part);
        wanted.interpreter(inputs, part)?;
    }
    let known = earlier(context, options)?;
    let mut outcome = FetchOutcome {
        to: options.to.clone(),
        parts: parts.iter().map(|part| (part.name.clone(), part.env.clone())).collect(),
        bundle: Bundle::default(),
        without_interpreter: wanted.without_interpreter.clone(),
        without_row: Vec::new(),
        unknown: 0,
    };
    if context.settings.dry_run {
        (outcome.bundle, outcome.unknown) = wanted.expected(&known);
        return Ok(outcome);
    }
    wanted.check_gaps(context)?;
    let world = world(
        context,
        &WorldOptions {
            root: &inputs.opened.root,
            project: &inputs.opened.project,
            registry: &inputs.registry,
            arch: inputs.host.arch.unwrap_or_default(),
            codename: inputs.host.os.codename.as_deref(),
            refresh: Refresh::WhenOld,
        },
    )?;
    let mut fetched = wanted.fetch_packages(&world, &known, reporter).await?;
    let source = inputs.opened.project.python_source.value;
    fetched.extend(wanted.fetch_builds(context, &world, &known, source).await?);
    outcome.without_interpreter = wanted.without_interpreter;
    keep_hashes(context, inputs, &lock, &fetched)?;
    let (mut bundle, sources) = listed(&fetched, &known);
    (bundle.rows, outcome.without_row) = rows::rows(&fetched, &world, reporter).await;
    let to = context.cwd.join(&options.to);
    // What lies in a folder for targets that were not asked for now stays.
    if !bundle::is_archive(&to)
        && let Ok(there) = bundle::read(&to)
    {
        let is_now = |target: &TargetName| parts.iter().any(|part| part.name == *target);
        add_others(&mut bundle, there, is_now);
    }
    let written = tokio::task::block_in_place(|| bundle::write(&to, &bundle, &sources));
    written?;
    outcome.bundle = bundle;
    Ok(outcome)
}

/// rocm.lock, which must fit rocm.toml: what is carried away cannot be corrected there.
fn fitting_lock(context: &Context, inputs: &Inputs) -> Result<Lock, Error> {
    let text = files::read_optional(&inputs.opened.root.lock())?.ok_or(SyncError::NoLock)?;
    let lock = Lock::parse(&text)?;
    let fits = context.settings.lock_mode == LockMode::Frozen
        || lock::is_current(&inputs.opened.project, &lock);
    if fits { Ok(lock) } else { Err(SyncError::LockOutdated.into()) }
}

fn parts<'l>(context: &Context, lock: &'l Lock) -> Result<Vec<&'l LockedTarget>, SelectError> {
    let settings = &context.settings;
    let target = settings.target.as_ref().map(|target| &target.value);
    let of_env = |part: &&LockedTarget| !settings.is_env_asked || part.env == settings.env;
    let all: Vec<&LockedTarget> = lock.targets.iter().filter(of_env).collect();
    let asked = |part: &&&LockedTarget| target.is_none_or(|target| part.name == *target);
    let parts: Vec<&LockedTarget> = all.iter().filter(asked).copied().collect();
    match (parts.is_empty(), target) {
        (false, _) => Ok(parts),
        (true, Some(name)) => {
            let known = all.iter().map(|part| part.name.clone()).collect();
            Err(SelectError::NotLocked { name: name.clone(), known })
        }
        (true, None) => Err(SelectError::NoEnvironment { env: settings.env.clone() }),
    }
}

/// The files of the bundle that this one is made against.
fn earlier(
    context: &Context,
    options: &FetchOptions,
) -> Result<BTreeMap<Sha256, BundleFile>, Error> {
    let Some(since) = &options.since else { return Ok(BTreeMap::new()) };
    let files = bundle::read(&context.cwd.join(since))?.files;
    Ok(files.into_iter().map(|file| (file.sha256, file)).collect())
}

/// Hashes that nobody had before are kept in rocm.lock.
fn keep_hashes(
    context: &Context,
    inputs: &Inputs,
    lock: &Lock,
    fetched: &[Fetched],
) -> Result<(), Error> {
    let artifacts: Vec<Artifact> = fetched.iter().map(|one| one.artifact.clone()).collect();
    let filled = lock::filled(lock, &artifacts);
    if filled != *lock && context.settings.lock_mode == LockMode::Update {
        files::replace(&inputs.opened.root.lock(), &filled.to_text())?;
    }
    Ok(())
}

/// The list of the bundle, and where the files that go into it lie.
fn listed(
    fetched: &[Fetched],
    known: &BTreeMap<Sha256, BundleFile>,
) -> (Bundle, BTreeMap<Sha256, PathBuf>) {
    let mut files: BTreeMap<Sha256, BundleFile> = BTreeMap::new();
    let mut sources = BTreeMap::new();
    for one in fetched {
        let Some(sha256) = one.artifact.sha256 else { continue };
        let size = known.get(&sha256).map_or(one.artifact.size, |file| Some(file.size));
        let here = one.path.is_some() && !known.contains_key(&sha256);
        if let Some(path) = &one.path {
            sources.insert(sha256, path.clone());
        }
        let new = file(&one.artifact, sha256, size.unwrap_or_default(), &one.targets, here);
        match files.get_mut(&sha256) {
            Some(same) => same.targets.extend(new.targets),
            None => {
                files.insert(sha256, new);
            }
        }
    }
    (Bundle { files: files.into_values().collect(), rows: Vec::new() }, sources)
}

fn file(
    artifact: &Artifact,
    sha256: Sha256,
    size: u64,
    targets: &BTreeSet<TargetName>,
    here: bool,
) -> BundleFile {
    let name = artifact.file.rsplit('/').next().unwrap_or(&artifact.file).to_owned();
    let targets = targets.iter().cloned().collect();
    BundleFile { name, sha256, size, kind: artifact.kind, targets, here }
}

/// Adds what a bundle that is there holds for other targets.
fn add_others(bundle: &mut Bundle, there: Bundle, is_now: impl Fn(&TargetName) -> bool) {
    let Bundle { files, rows } = there;
    for mut old in files {
        old.targets.retain(|target| !is_now(target));
        if old.targets.is_empty() {
            continue;
        }
        match bundle.files.iter_mut().find(|file| file.sha256 == old.sha256) {
            Some(file) => {
                file.targets.extend(old.targets);
                file.here |= old.here;
            }
            None => bundle.files.push(old),
        }
    }
    for file in &mut bundle.files {
        file.targets.sort();
        file.targets.dedup();
    }
    bundle.files.sort_by_key(|file| file.sha256);
    rows::add_others(bundle, rows);
}
