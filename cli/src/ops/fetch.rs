//! `fetch`: everything that a sync needs, for any targets, into one bundle that can be carried to a
//! machine without a network.
//!
//! Nothing of an index goes into it: a lock names every file by its digest, so a sync asks no
//! index for anything that is at hand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use futures::{StreamExt as _, TryStreamExt as _};
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::{ArtifactKind, Lock, LockedTarget};
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_manifests::plan::{self, Artifact};
use rocmenv_manifests::platform::OsFamily;
use rocmenv_manifests::project::PythonSource;
use rocmenv_resolver::host::interpreters::InterpreterWish;
use rocmenv_resolver::python_builds::{BuildChoice, BuildPlace, python_builds};
use rocmenv_resolver::target::Target;
use rocmenv_store::bundle::{self, Bundle, BundleFile};
use rocmenv_store::cache::Refresh;
use rocmenv_store::fetch::Downloaded;
use rocmenv_store::report::Reporter;

use super::files;
use super::interpreter;
use super::lock::{self, Inputs};
use super::sync::{self, GateError, SelectError, SyncError};
use super::world::{World, WorldOptions, world};
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
    /// The bundle.
    pub to: PathBuf,
    /// For which targets and environments.
    pub parts: Vec<(TargetName, EnvName)>,
    /// What it lists; with `--dry-run`, what it would as far as that is known.
    pub bundle: Bundle,
    /// Targets for which nobody serves an interpreter, with the reason.
    pub without_interpreter: Vec<(TargetName, String)>,
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
        to: context.cwd.join(&options.to),
        parts: parts.iter().map(|part| (part.name.clone(), part.env.clone())).collect(),
        bundle: Bundle::default(),
        without_interpreter: wanted.without_interpreter.clone(),
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
    let fetched = wanted.fetch(context, &world, &known, reporter).await?;
    keep_hashes(context, inputs, &lock, &fetched)?;
    let (mut bundle, sources) = listed(&wanted, &fetched, &known);
    // What lies in a folder for targets that were not asked for now stays.
    if !bundle::is_archive(&outcome.to)
        && let Ok(there) = bundle::read(&outcome.to)
    {
        let is_now = |target: &TargetName| parts.iter().any(|part| part.name == *target);
        add_others(&mut bundle, there, is_now);
    }
    let to = outcome.to.clone();
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

/// Everything that is to be in a bundle, each file once.
#[derive(Default)]
struct Wanted {
    artifacts: Vec<(Artifact, BTreeSet<TargetName>)>,
    builds: Vec<(BuildChoice, BTreeSet<TargetName>)>,
    without_interpreter: Vec<(TargetName, String)>,
}

struct Fetched {
    artifact: Artifact,
    targets: BTreeSet<TargetName>,
    /// `None`: it lies in the earlier bundle.
    path: Option<PathBuf>,
}

impl Wanted {
    /// Packages of an environment with all its groups: which are wanted is said there.
    fn packages(&mut self, lock: &Lock, part: &LockedTarget) {
        let members = lock.packages.iter().flat_map(|package| &package.members);
        let groups: Vec<_> = members.filter_map(|member| member.group.clone()).collect();
        for artifact in plan::artifacts(lock, &part.name, &part.env, &groups) {
            let same = |(known, _): &&mut (Artifact, _)| {
                known.index == artifact.index && known.file == artifact.file
            };
            match self.artifacts.iter_mut().find(same) {
                Some((_, targets)) => {
                    targets.insert(part.name.clone());
                }
                None => self.artifacts.push((artifact, [part.name.clone()].into())),
            }
        }
    }

    /// The interpreter, unless rocm.toml takes it from the host or the distribution.
    fn interpreter(&mut self, inputs: &Inputs, part: &LockedTarget) -> Result<(), Error> {
        let source = inputs.opened.project.python_source.value;
        let Some(python) = part.python.as_ref().filter(|_| is_fetched(source)) else {
            return Ok(());
        };
        let project = &inputs.opened.project;
        let mut targets = lock::targets(project, &inputs.registry, &inputs.host, None)?;
        targets.retain(|one| one.target.name == part.name);
        let Some(one) = targets.pop() else { return Ok(()) };
        let wish = InterpreterWish { series: python.series.clone(), minimum: python.floor.clone() };
        match python_builds(&inputs.registry, &wish, &place_of(&one.target)) {
            Ok(builds) => {
                let Some(build) = builds.into_iter().next() else { return Ok(()) };
                let same = |(known, _): &&mut (BuildChoice, _)| known.artifact == build.artifact;
                match self.builds.iter_mut().find(same) {
                    Some((_, targets)) => {
                        targets.insert(part.name.clone());
                    }
                    None => self.builds.push((build, [part.name.clone()].into())),
                }
            }
            Err(none) => self.without_interpreter.push((part.name.clone(), none.to_string())),
        }
        Ok(())
    }

    /// What is known before anything is fetched.
    fn expected(&self, known: &BTreeMap<Sha256, BundleFile>) -> (Bundle, usize) {
        let builds = self.builds.iter().map(|(build, targets)| (&build.artifact, targets));
        let all =
            self.artifacts.iter().map(|(artifact, targets)| (artifact, targets)).chain(builds);
        let (mut files, mut unknown) = (Vec::new(), 0);
        for (artifact, targets) in all {
            let Some(sha256) = artifact.sha256 else {
                unknown += 1;
                continue;
            };
            let here = !known.contains_key(&sha256);
            unknown += usize::from(here && artifact.size.is_none());
            files.push(file(artifact, sha256, artifact.size.unwrap_or_default(), targets, here));
        }
        (Bundle { files }, unknown)
    }

    fn check_gaps(&self, context: &Context) -> Result<(), GateError> {
        if context.settings.lock_mode == LockMode::Update {
            return Ok(());
        }
        let open = self.artifacts.iter().filter(|(artifact, _)| artifact.sha256.is_none());
        let files: Vec<String> = open.map(|(artifact, _)| artifact.file.clone()).collect();
        if files.is_empty() { Ok(()) } else { Err(GateError::Gaps { files }) }
    }

    async fn fetch(
        &self,
        context: &Context,
        world: &World,
        known: &BTreeMap<Sha256, BundleFile>,
        reporter: &dyn Reporter,
    ) -> Result<Vec<Fetched>, Error> {
        let is_known =
            |artifact: &Artifact| artifact.sha256.is_some_and(|sha256| known.contains_key(&sha256));
        let with = |artifact: &Artifact, targets: &BTreeSet<TargetName>, found: Downloaded| {
            let (sha256, size) = (Some(found.sha256), Some(found.size));
            let artifact = Artifact { sha256, size, ..artifact.clone() };
            Fetched { artifact, targets: targets.clone(), path: Some(found.path) }
        };
        let kept = |artifact: &Artifact, targets: &BTreeSet<TargetName>| Fetched {
            artifact: artifact.clone(),
            targets: targets.clone(),
            path: None,
        };
        let packages = futures::stream::iter(&self.artifacts)
            .map(|(artifact, targets)| async move {
                if is_known(artifact) {
                    return Ok::<_, Error>(kept(artifact, targets));
                }
                let found = sync::download(artifact, world, reporter).await?;
                Ok(with(artifact, targets, found))
            })
            .buffered(AT_ONCE);
        let mut fetched: Vec<Fetched> = packages.try_collect().await?;
        for (build, targets) in &self.builds {
            let artifact = &build.artifact;
            if is_known(artifact) {
                fetched.push(kept(artifact, targets));
                continue;
            }
            let found = interpreter::archive(world, context, build, reporter).await?;
            fetched.push(with(artifact, targets, found));
        }
        Ok(fetched)
    }
}

fn is_fetched(source: PythonSource) -> bool {
    matches!(source, PythonSource::Auto | PythonSource::Managed)
}

fn place_of(target: &Target) -> BuildPlace {
    BuildPlace {
        family: target.family,
        arch: target.arch.value,
        libc: target.libc.as_ref().map(|libc| libc.value.clone()).filter(|_| {
            // Windows has none that a build could be too new for.
            target.family == OsFamily::Linux
        }),
    }
}

/// The list of the bundle, and where the files that go into it lie.
fn listed(
    wanted: &Wanted,
    fetched: &[Fetched],
    known: &BTreeMap<Sha256, BundleFile>,
) -> (Bundle, BTreeMap<Sha256, PathBuf>) {
    let mut files: BTreeMap<Sha256, BundleFile> = BTreeMap::new();
    let mut sources = BTreeMap::new();
    debug_assert_eq!(fetched.len(), wanted.artifacts.len() + wanted.builds.len());
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
    (Bundle { files: files.into_values().collect() }, sources)
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
    let kind: ArtifactKind = artifact.kind;
    BundleFile { name, sha256, size, kind, targets, here }
}

/// Adds what a bundle that is there holds for other targets.
fn add_others(bundle: &mut Bundle, there: Bundle, is_now: impl Fn(&TargetName) -> bool) {
    for mut old in there.files {
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
}

/// How many files are on their way at once; downloads have a limit of their own.
const AT_ONCE: usize = 16;
