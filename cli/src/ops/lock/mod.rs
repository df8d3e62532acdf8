//! `lock`: chooses one compatible set for each target and writes rocm.lock.
//!
//! All targets or none: where one cannot be solved nothing is written. Targets that were not
//! asked for keep what they had, byte for byte.

mod asked;
mod at_hand;
mod carried;
mod diagnosing;
pub mod fixing;
mod foreseen;
mod gaps;
mod installed;
mod live_host;
mod names;
mod question;
mod settled;
mod solving;
mod targets;
mod why_not;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rocmenv_manifests::lock::{Lock, LockedTarget};
use rocmenv_manifests::name::{EnvName, PackageName, TargetName};
use rocmenv_manifests::python::Version;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::solve::{Edit, Fix, Moves};
use rocmenv_store::cache::Refresh;
use rocmenv_store::report::Reporter;

use super::host::{self, HostOptions};
use super::project::{self, Opened};
use super::world::{WorldOptions, world};
use super::{files, registry};
use crate::context::Context;
use crate::error::Error;
use crate::settings::LockMode;

pub use foreseen::Foresight;
pub use gaps::filled;
pub use solving::{LockError, NotSolved};
pub use targets::{
    ProjectTarget, TargetsError, check_systems, described_target, nearest_system, targets,
};
pub use why_not::{Impossible, NotWish, WishedAway, why_not};

/// What to lock and how.
#[derive(Debug, Clone, Default)]
pub struct LockOptions {
    /// What may change without need.
    pub moves: Moves,
    /// Only look whether the lock fits; write nothing.
    pub check: bool,
    /// Hash the files that an index gives no hash of, of all targets.
    pub hash_all: bool,
    /// Versions that count as those of the old lock: kept where nothing speaks against them.
    pub pins: BTreeMap<PackageName, Version>,
    /// Bundles; where there are any, nothing is chosen but what they hold.
    pub from: Vec<PathBuf>,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct LockOutcome {
    /// The lock as it is now.
    pub lock: Lock,
    /// The lock as it was before.
    pub before: Option<Lock>,
    /// Whether rocm.lock was written.
    pub written: bool,
    /// Whether rocm.lock differs from what it was, or would.
    pub changed: bool,
    /// The targets and environments that were solved.
    pub solved: Vec<(TargetName, EnvName)>,
    /// Targets whose GPU nobody knows.
    pub without_gpu: Vec<TargetName>,
    /// Files that have no hash yet, by name.
    pub gaps: Vec<String>,
    /// Whether rocm.local.toml changes what was chosen, so that rocm.lock is of no use to others.
    pub is_local: bool,
}

/// Everything that a lock is made from.
pub struct Inputs {
    /// The project.
    pub opened: Opened,
    /// The registry with overlays.
    pub registry: Registry,
    /// The host.
    pub host: HostFacts,
}

impl Inputs {
    /// Reads the project, the registry and the host of a call. No interpreter is run for it.
    pub fn read(context: &Context) -> Result<Self, Error> {
        Self::of(context, project::open_environment(context)?)
    }

    /// The same for a project that was opened, or is not written yet.
    pub fn of(context: &Context, opened: Opened) -> Result<Self, Error> {
        let registry = registry::load(context)?;
        let host = host::facts(context, &registry, &HostOptions::default())?;
        Ok(Self { opened, registry, host })
    }
}

/// Locks.
pub async fn lock(
    context: &Context,
    inputs: &Inputs,
    options: &LockOptions,
    reporter: &dyn Reporter,
) -> Result<LockOutcome, Error> {
    let Inputs { opened, registry, host } = inputs;
    let project = &opened.project;
    let path = opened.root.lock();
    let old_text = files::read_optional(&path)?;
    let old = old_text.as_deref().map(Lock::parse).transpose()?;
    names::check(project, registry)?;
    let only = context.settings.target.as_ref().map(|target| &target.value);
    let targets = targets(project, registry, host, only)?;
    check_moves(options, project, old.as_ref())?;

    let mut world = world(
        context,
        &WorldOptions {
            root: &opened.root,
            project,
            registry,
            arch: targets.first().map_or_else(Default::default, |one| one.target.arch.value),
            codename: host.os.codename.as_deref(),
            refresh: refresh(&options.moves),
        },
    )?;

    if !options.from.is_empty() {
        let rows = carried::rows(context, &options.from, old.as_ref())?;
        world.catalog = world.catalog.carrying(rows);
    }
    let only_env = context.settings.is_env_asked.then_some(&context.settings.env);
    let is_solved = |target: &TargetName, env: &EnvName| {
        targets.iter().any(|one| one.target.name == *target)
            && only_env.is_none_or(|only| only == env)
    };
    let settled = settled::Question {
        context,
        inputs,
        options,
        old: old.as_ref().zip(old_text.as_deref()),
        targets: &targets,
        catalog: &world.catalog,
    };
    let settled = settled.place();
    if let (Some(settled), Some(old)) = (&settled, &old)
        && settled.is_known()
    {
        return Ok(unchanged(opened, old, &targets, is_solved));
    }
    check_systems(&targets, registry)?;
    let mut lock = kept(old.as_ref(), project, is_solved);
    let mut outcome = LockOutcome {
        lock: Lock::default(),
        before: old.clone(),
        written: false,
        changed: false,
        solved: Vec::new(),
        without_gpu: Vec::new(),
        gaps: Vec::new(),
        is_local: opened.is_lock_local(),
    };
    for one in &targets {
        if question::is_without_gpu(&one.target) {
            outcome.without_gpu.push(one.target.name.clone());
        }
        for (env, wishes) in &project.environments {
            if !is_solved(&one.target.name, env) {
                continue;
            }
            let solving = solving::Solving {
                inputs,
                one,
                env,
                wishes,
                old: old.as_ref(),
                moves: &options.moves,
                pins: &options.pins,
                world: &world,
                context,
            };
            let solved = solving.run(reporter).await;
            let (target, packages) = match solved {
                Err(LockError::NotSolved(refused)) if !options.from.is_empty() => {
                    return Err(carried::NotHeld::new(*refused).into());
                }
                Err(LockError::NotSolved(refused)) if targets.len() > 1 => {
                    let refused = or_without(&solving, &targets, *refused, reporter).await;
                    return Err(LockError::NotSolved(Box::new(refused)).into());
                }
                other => other?,
            };
            lock.targets.push(target);
            lock.packages.extend(packages);
            outcome.solved.push((one.target.name.clone(), env.clone()));
        }
    }
    lock.settle();
    let may_write = !options.check
        && !context.settings.dry_run
        && context.settings.lock_mode == LockMode::Update;
    gaps::carry(&mut lock, old.as_ref());
    gaps::known(&mut lock, registry);
    if may_write {
        gaps::fill(&mut lock, &world, &fillable(&targets, options), reporter).await?;
    }
    outcome.gaps = gaps::names(&lock);
    let text = lock.to_text();
    outcome.changed = old_text.as_deref() != Some(&text);
    if outcome.changed && may_write {
        files::replace(&path, &text)?;
        outcome.written = true;
    }
    if let Some(settled) = settled.filter(|_| !outcome.changed) {
        settled.keep(&world.catalog);
    }
    outcome.lock = lock;
    Ok(outcome)
}

/// What a solve would come to that is known to find what the lock holds already.
fn unchanged(
    opened: &Opened,
    old: &Lock,
    targets: &[ProjectTarget<'_>],
    is_solved: impl Fn(&TargetName, &EnvName) -> bool,
) -> LockOutcome {
    let environments = || opened.project.environments.keys();
    let all = targets.iter().flat_map(|one| environments().map(move |env| (&one.target.name, env)));
    let solved = all.filter(|(target, env)| is_solved(target, env));
    let without_gpu = targets.iter().filter(|one| question::is_without_gpu(&one.target));
    LockOutcome {
        lock: old.clone(),
        before: Some(old.clone()),
        written: false,
        changed: false,
        solved: solved.map(|(target, env)| (target.clone(), env.clone())).collect(),
        without_gpu: without_gpu.map(|one| one.target.name.clone()).collect(),
        gaps: Vec::new(),
        is_local: opened.is_lock_local(),
    }
}

/// A refusal of one target of several: leaving it out is a fix where all others can be solved.
async fn or_without(
    solving: &solving::Solving<'_>,
    targets: &[ProjectTarget<'_>],
    mut refused: NotSolved,
    reporter: &dyn Reporter,
) -> NotSolved {
    let left_out = &refused.scope.target;
    for one in targets.iter().filter(|one| one.target.name != *left_out) {
        for (env, wishes) in &solving.inputs.opened.project.environments {
            let other = solving::Solving { one, env, wishes, ..*solving };
            if !other.fits(reporter).await {
                return refused;
            }
        }
    }
    let edits = vec![Edit::DropTarget(left_out.clone())];
    refused.refusal.fixes.truncate(MOST_FIXES - 1);
    refused.refusal.fixes.push(Fix { edits, rocm: None, chosen: Vec::new() });
    refused
}

/// Whether rocm.lock fits rocm.toml as it is: every target and environment is there, solved for
/// these very inputs.
pub fn is_current(project: &rocmenv_manifests::project::Project, lock: &Lock) -> bool {
    let mut wanted: Vec<(TargetName, Option<&rocmenv_manifests::project::TargetSpec>)> =
        project.targets.iter().map(|spec| (spec.name.clone(), Some(spec))).collect();
    if wanted.is_empty() {
        wanted.push((TargetName::host(), None));
    }
    let mut expected = BTreeSet::new();
    for (target, spec) in wanted {
        for env in project.environments.keys() {
            expected.insert((target.clone(), env.clone(), project.inputs(env, spec)));
        }
    }
    let found: BTreeSet<_> = lock
        .targets
        .iter()
        .map(|target| (target.name.clone(), target.env.clone(), target.inputs))
        .collect();
    expected == found
}

/// What of the old lock stays untouched: what is not solved now and rocm.toml still asks for.
fn kept(
    old: Option<&Lock>,
    project: &rocmenv_manifests::project::Project,
    is_solved: impl Fn(&TargetName, &EnvName) -> bool,
) -> Lock {
    let Some(old) = old else { return Lock::default() };
    let is_target = |name: &TargetName| match project.targets.as_slice() {
        [] => *name == TargetName::host(),
        targets => targets.iter().any(|spec| spec.name == *name),
    };
    let mut lock = old.clone();
    lock.retain(|target, env| {
        is_target(target) && project.environments.contains_key(env) && !is_solved(target, env)
    });
    lock
}

fn refresh(moves: &Moves) -> Refresh {
    match moves {
        Moves::Nothing => Refresh::WhenOld,
        Moves::Everything => Refresh::All,
        Moves::Named(names) => {
            Refresh::Packages(names.iter().filter_map(|name| name.parse().ok()).collect())
        }
    }
}

fn check_moves(
    options: &LockOptions,
    project: &rocmenv_manifests::project::Project,
    old: Option<&Lock>,
) -> Result<(), LockError> {
    let Moves::Named(names) = &options.moves else { return Ok(()) };
    let known = question::movable(project, old);
    match names.iter().find(|name| !known.contains(*name)) {
        Some(name) => Err(LockError::unknown_package(name, &known)),
        None => Ok(()),
    }
}

/// The targets whose gaps are filled: the host's own needs its files anyway; of others only where
/// it was asked for.
fn fillable(targets: &[ProjectTarget<'_>], options: &LockOptions) -> Vec<TargetName> {
    let wanted = |one: &&ProjectTarget<'_>| options.hash_all || one.spec.is_none();
    targets.iter().filter(wanted).map(|one| one.target.name.clone()).collect()
}

/// The part of a lock that speaks of one environment on one target.
pub fn locked<'l>(lock: &'l Lock, target: &TargetName, env: &EnvName) -> Option<&'l LockedTarget> {
    lock.targets.iter().find(|one| one.name == *target && one.env == *env)
}

/// No refusal shows more fixes.
const MOST_FIXES: usize = 5;
