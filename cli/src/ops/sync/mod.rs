//! `sync`: makes the environment what the lock says.
//!
//! Select the target, ask the gates, plan, bring the objects, build a generation, switch. Nothing
//! of the environment that is there changes before the switch, which is one rename.

mod gates;
mod objects;
mod select;

use std::collections::BTreeSet;

use rocmenv_manifests::generation::{GateAnswer, Generation, Interpreter};
use rocmenv_manifests::lock::{Lock, LockedTarget};
use rocmenv_manifests::name::{GroupName, TargetName};
use rocmenv_manifests::plan::{self, Artifact, Plan};
use rocmenv_manifests::project::Accelerator;
use rocmenv_resolver::target::from_host;
use rocmenv_store::cache::Refresh;
use rocmenv_store::environment::EnvSpec;
use rocmenv_store::fs::DiskError;
use rocmenv_store::generation::{self, EnvWriter, GenerationError, Request, VenvLink};
use rocmenv_store::layout::{EnvLayout, StoreLayout};
use rocmenv_store::object::{InUse, Object, Store};
use rocmenv_store::report::{Progress, Reporter, Task, TaskKind};

use super::files;
use super::interpreter::{self, Wanted};
use super::lock::{self, Inputs, LockOptions, LockOutcome};
use super::world::{World, WorldOptions, world};
use crate::context::Context;
use crate::error::{Error, Exit, Failure};
use crate::settings::LockMode;

pub use gates::{GATE_IDS, GateError};
pub use objects::BringError;
pub use select::{SelectError, Selected, select};

/// How to sync.
#[derive(Debug, Clone, Default)]
pub struct SyncOptions {
    /// Groups of packages beside the environment's own.
    pub groups: Vec<GroupName>,
    /// Whether modules are compiled ahead.
    pub bytecode: bool,
    /// Gates that are not asked.
    pub skip_gates: BTreeSet<String>,
    /// Take the pin of a rollback away and go on.
    pub unpin: bool,
}

/// What came of it.
#[derive(Debug)]
pub struct SyncOutcome {
    /// What the lock was brought to first, if it had to be.
    pub locked: Option<LockOutcome>,
    /// The target.
    pub target: TargetName,
    /// What was done, or with `--dry-run` would be.
    pub plan: Plan,
    /// The generation that is current now; `None` with `--dry-run` before the first.
    pub generation: Option<Generation>,
    /// Whether a generation was made.
    pub made: bool,
    /// What the gates said.
    pub gates: Vec<GateAnswer>,
    /// The link for editors.
    pub venv: Option<VenvLink>,
    /// Old generations that were removed.
    pub removed: Vec<u32>,
}

/// Syncs.
pub async fn sync(
    context: &Context,
    inputs: &Inputs,
    options: &SyncOptions,
    reporter: &dyn Reporter,
) -> Result<SyncOutcome, Error> {
    let project = &inputs.opened.project;
    let (lock, locked) = up_to_date_lock(context, inputs, reporter).await?;
    let host = from_host(TargetName::host(), &inputs.host, &inputs.registry);
    let order: Vec<TargetName> = project.targets.iter().map(|target| target.name.clone()).collect();
    let asked = context.settings.target.as_ref().map(|target| &target.value);
    let env = &context.settings.env;
    let selected = select(&lock, &order, env, asked, &host)?;
    check_groups(project, options)?;

    let target = selected.locked;
    let artifacts = plan::artifacts(&lock, &target.name, env, &options.groups);
    let layout = EnvLayout::new(inputs.opened.root.folder(), &target.name, env);
    let current = current_generation(&layout)?;
    let plan = Plan::between(
        current.as_ref().map(|generation| generation.artifacts.as_slice()).unwrap_or_default(),
        &artifacts,
    );
    let gates = gates::ask(
        &gates::Situation {
            artifacts: &artifacts,
            passed_over: &selected.passed_over,
            accelerator: accelerator(project, &target.name),
            may_fill_gaps: context.settings.lock_mode == LockMode::Update,
        },
        &options.skip_gates,
    )?;
    let mut outcome = SyncOutcome {
        locked,
        target: target.name.clone(),
        plan,
        generation: current,
        made: false,
        gates,
        venv: None,
        removed: Vec::new(),
    };
    if context.settings.dry_run {
        return Ok(outcome);
    }
    let making = Making { context, inputs, options, lock: &lock, target, artifacts, layout };
    if making.is_already(&outcome) {
        return Ok(outcome);
    }
    making.make(&mut outcome, reporter).await?;
    Ok(outcome)
}

/// The lock as it is, or brought up to date first where that may be.
async fn up_to_date_lock(
    context: &Context,
    inputs: &Inputs,
    reporter: &dyn Reporter,
) -> Result<(Lock, Option<LockOutcome>), Error> {
    let path = inputs.opened.root.lock();
    let text = files::read_optional(&path)?;
    let found = text.as_deref().map(Lock::parse).transpose()?;
    let fits = |lock: &Lock| {
        context.settings.lock_mode == LockMode::Frozen
            || lock::is_current(&inputs.opened.project, lock)
    };
    match found {
        Some(lock) if fits(&lock) => Ok((lock, None)),
        None if context.settings.lock_mode == LockMode::Frozen => Err(SyncError::NoLock.into()),
        _ if context.settings.lock_mode == LockMode::Locked => Err(SyncError::LockOutdated.into()),
        _ => {
            // all targets: a lock for one of them alone would never be up to date
            let mut all = context.clone();
            all.settings.target = None;
            let outcome = lock::lock(&all, inputs, &LockOptions::default(), reporter).await?;
            Ok((outcome.lock.clone(), Some(outcome)))
        }
    }
}

fn current_generation(layout: &EnvLayout) -> Result<Option<Generation>, GenerationError> {
    let Some(number) = generation::current(layout)? else { return Ok(None) };
    generation::read(&layout.generation(number)).map(Some)
}

fn accelerator(project: &rocmenv_manifests::project::Project, target: &TargetName) -> Accelerator {
    let spec = project.targets.iter().find(|spec| spec.name == *target);
    spec.map_or(Accelerator::Rocm, |spec| spec.accelerator)
}

fn check_groups(
    project: &rocmenv_manifests::project::Project,
    options: &SyncOptions,
) -> Result<(), SyncError> {
    let unknown = options.groups.iter().find(|group| !project.groups.contains_key(*group));
    unknown.map_or(Ok(()), |group| Err(SyncError::UnknownGroup(group.clone())))
}

/// One generation that is to be made.
struct Making<'a> {
    context: &'a Context,
    inputs: &'a Inputs,
    options: &'a SyncOptions,
    lock: &'a Lock,
    target: &'a LockedTarget,
    artifacts: Vec<Artifact>,
    layout: EnvLayout,
}

impl Making<'_> {
    /// Whether the current generation is what would be made: the same artifacts and groups, where
    /// it was made, on an interpreter that is still there.
    fn is_already(&self, outcome: &SyncOutcome) -> bool {
        let Some(generation) = &outcome.generation else { return false };
        let place = self.layout.generation(generation.number);
        let mut groups = self.options.groups.clone();
        groups.sort();
        let series = |version: &str| {
            self.target.python.as_ref().is_none_or(|python| {
                version.parse().is_ok_and(|version: rocmenv_manifests::version::Dotted| {
                    version.starts_with(&python.series)
                })
            })
        };
        outcome.plan.is_empty()
            && generation.groups == groups
            && generation::moved_from(generation, &place).is_none()
            && generation.python.as_ref().is_none_or(|python| {
                std::path::Path::new(&python.path).exists() && series(&python.version)
            })
    }

    async fn make(&self, outcome: &mut SyncOutcome, reporter: &dyn Reporter) -> Result<(), Error> {
        let writer = EnvWriter::lock(self.layout.clone()).map_err(SyncError::Disk)?;
        self.check_pin(&writer)?;
        let world = self.world()?;
        let data = self.context.data()?;
        let store = Store::open(StoreLayout::new(&data), Vec::new()).map_err(SyncError::Disk)?;
        let store = store.in_use().map_err(SyncError::Disk)?;
        let brought = objects::bring(&self.artifacts, &store, &world, reporter).await?;
        let artifacts: Vec<Artifact> = brought.iter().map(|one| one.artifact.clone()).collect();
        let objects: Vec<Object> = brought.into_iter().map(|one| one.object).collect();
        let provided = self.interpreter(&store, &world, &objects, reporter).await?;
        let lock_file = self.filled_lock(&artifacts)?;
        let request = Request {
            target: self.target.name.clone(),
            env: self.target.env.clone(),
            groups: self.options.groups.clone(),
            created: self.context.now.to_string(),
            artifacts,
            managed_python: provided.as_ref().and_then(|one| one.key.clone()),
            python_objects: provided.as_ref().map(|one| one.objects.clone()).unwrap_or_default(),
            spec: EnvSpec {
                python: provided.map(|one| one.interpreter),
                objects,
                project: None,
                variables: self.variables(),
                bytecode: self.options.bytecode,
            },
            project_file: self.inputs.opened.text.clone().into_bytes(),
            lock_file: lock_file.into_bytes(),
            gates: outcome.gates.clone(),
            warnings: warnings(&outcome.gates),
        };
        let record = self.build(&writer, &store, &request, reporter)?;
        outcome.venv =
            Some(generation::point_venv_at(&self.layout, record.number).map_err(SyncError::Disk)?);
        outcome.removed = self.retire(&writer, &store)?;
        outcome.generation = Some(record);
        outcome.made = true;
        Ok(())
    }

    /// A rollback pins: sync does not go over it unasked.
    fn check_pin(&self, writer: &EnvWriter) -> Result<(), Error> {
        let Some(current) = generation::current(&self.layout)? else { return Ok(()) };
        if !generation::is_pinned(&self.layout, current)? {
            return Ok(());
        }
        if !self.options.unpin {
            return Err(SyncError::Pinned(current).into());
        }
        Ok(writer.unpin(current)?)
    }

    fn world(&self) -> Result<World, Error> {
        Ok(world(
            self.context,
            &WorldOptions {
                root: &self.inputs.opened.root,
                project: &self.inputs.opened.project,
                registry: &self.inputs.registry,
                arch: self.inputs.host.arch.unwrap_or_default(),
                codename: self.inputs.host.os.codename.as_deref(),
                refresh: Refresh::WhenOld,
            },
        )?)
    }

    async fn interpreter(
        &self,
        store: &InUse<'_>,
        world: &World,
        objects: &[Object],
        reporter: &dyn Reporter,
    ) -> Result<Option<interpreter::Provided>, Error> {
        let Some(python) = &self.target.python else { return Ok(None) };
        let wanted = Wanted {
            series: &python.series,
            floor: &python.floor,
            source: self.inputs.opened.project.python_source.value,
            packages: &self.lock.packages,
            objects,
        };
        let place = interpreter::Place {
            context: self.context,
            host: &self.inputs.host,
            registry: &self.inputs.registry,
            store,
            fetcher: &world.fetcher,
            downloads: &world.downloads,
        };
        Ok(Some(interpreter::provide(&place, &wanted, reporter).await?))
    }

    /// The lock as it is kept with the generation: gaps that were filled on the way are written
    /// down in rocm.lock, too.
    fn filled_lock(&self, artifacts: &[Artifact]) -> Result<String, Error> {
        let mut lock = self.lock.clone();
        for package in &mut lock.packages {
            for file in package.files.iter_mut().filter(|file| file.sha256.is_none()) {
                let same = |artifact: &&Artifact| {
                    artifact.index == package.index && artifact.file == file.name
                };
                if let Some(artifact) = artifacts.iter().find(same) {
                    (file.sha256, file.size) = (artifact.sha256, artifact.size);
                }
            }
        }
        let text = lock.to_text();
        if lock != *self.lock && self.context.settings.lock_mode == LockMode::Update {
            files::replace(&self.inputs.opened.root.lock(), &text)?;
        }
        Ok(text)
    }

    fn variables(&self) -> Vec<rocmenv_shims::activation::Change> {
        let tune = self.inputs.opened.project.tune.iter();
        tune.map(|(name, value)| {
            rocmenv_shims::activation::Change::Set(name.clone(), value.clone())
        })
        .collect()
    }

    fn build(
        &self,
        writer: &EnvWriter,
        store: &InUse<'_>,
        request: &Request,
        reporter: &dyn Reporter,
    ) -> Result<Generation, Error> {
        let new = writer.begin(store.layout())?;
        let task = Task { kind: TaskKind::Link, name: self.target.name.to_string(), total: None };
        let progress = Progress::start(reporter, &task);
        Ok(writer.make(&new, store, request, &|files| progress.advance(files))?)
    }

    fn retire(&self, writer: &EnvWriter, store: &InUse<'_>) -> Result<Vec<u32>, Error> {
        let keep = self.inputs.opened.project.policy.keep_generations;
        let keep = usize::try_from(keep).unwrap_or(usize::MAX);
        Ok(writer.retire(store.layout(), keep, std::path::Path::new("/proc"))?)
    }
}

fn warnings(gates: &[GateAnswer]) -> Vec<String> {
    let warned = gates.iter().filter(|answer| answer.outcome == "warned");
    warned.filter_map(|answer| answer.detail.clone()).collect()
}

/// The environment cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// No lock, and none may be made.
    #[error("no `rocm.lock`")]
    NoLock,
    /// The lock is older than rocm.toml, and may not be changed.
    #[error("`rocm.lock` does not fit `rocm.toml`")]
    LockOutdated,
    /// A rollback is held.
    #[error("generation {0} is held by a rollback")]
    Pinned(u32),
    /// No such group.
    #[error("no group `{0}` in `rocm.toml`")]
    UnknownGroup(GroupName),
    /// The store or the project cannot be written.
    #[error("cannot write the environment")]
    Disk(#[source] DiskError),
}

impl Failure for SyncError {
    fn exit(&self) -> Exit {
        match self {
            Self::NoLock | Self::LockOutdated => Exit::Stale,
            Self::Pinned(_) | Self::Disk(_) => Exit::Unmet,
            Self::UnknownGroup(_) => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoLock => "no-lock",
            Self::LockOutdated => "lock-outdated",
            Self::Pinned(_) => "pinned",
            Self::UnknownGroup(_) => "unknown-group",
            Self::Disk(_) => "store-not-usable",
        })
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::NoLock | Self::LockOutdated => "rocmenv lock".to_owned(),
            Self::Pinned(_) => {
                "rocmenv rollback --files (back to its rocm.toml), or rocmenv sync --unpin"
                    .to_owned()
            }
            Self::UnknownGroup(_) => "rocmenv status".to_owned(),
            Self::Disk(_) => return None,
        })
    }
}

/// The interpreter of a generation, for messages.
pub fn interpreter_of(generation: &Generation) -> Option<&Interpreter> {
    generation.python.as_ref()
}
