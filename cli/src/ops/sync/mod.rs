//! `sync`: makes the environment what the lock says.
//!
//! Select the target, ask the gates, plan, bring the objects, build a generation, switch. Nothing
//! of the environment that is there changes before the switch, which is one rename.

mod carried;
mod compiling;
mod dropping;
mod error;
mod gates;
mod local;
mod making;
mod mending;
mod objects;
mod proof;
mod select;
mod variables;

use std::collections::BTreeSet;
use std::path::PathBuf;

use rocmenv_manifests::generation::{GateAnswer, Generation};
use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::name::{GroupName, TargetName};
use rocmenv_manifests::plan::{self, Plan};
use rocmenv_manifests::project::Accelerator;
use rocmenv_resolver::target::from_host;
use rocmenv_store::generation::{self, GenerationError, VenvLink};
use rocmenv_store::layout::EnvLayout;
use rocmenv_store::report::Reporter;

use super::lock::{self, Inputs, LockOptions, LockOutcome};
use super::{files, guard, project};
use crate::context::Context;
use crate::error::Error;
use crate::settings::{LockMode, Network};

pub use error::SyncError;
pub use gates::{GATE_IDS, GateError};
pub use local::LocalError;
use making::Making;
pub use objects::BringError;
pub(crate) use objects::download;
pub use select::{SelectError, Selected, select};

/// How to sync.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct SyncOptions {
    /// Groups of packages beside the environment's own.
    pub groups: Vec<GroupName>,
    /// Whether modules are compiled ahead.
    pub bytecode: bool,
    /// Gates that are not asked.
    pub skip_gates: BTreeSet<String>,
    /// Go on where a GPU of the target is not covered.
    pub allow_uncovered: bool,
    /// Take the pin of a rollback away and go on.
    pub unpin: bool,
    /// Drop what somebody else put into the environment.
    pub discard: bool,
    /// Look for damage in the store, and make a generation although it is up to date.
    pub repair: bool,
    /// Bundles that files are taken from.
    pub from: Vec<PathBuf>,
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
    /// Why the generation that was current cannot be used: then one is made in its place.
    pub damaged: Option<String>,
    /// Packages that were damaged in the store and were brought anew.
    pub mended: Vec<String>,
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
    project::check_environment(project, &context.settings.env)?;
    project::check_groups(project, &options.groups)?;
    let (lock, locked) = up_to_date_lock(context, inputs, &options.from, reporter).await?;
    let host = from_host(TargetName::host(), &inputs.host, &inputs.registry);
    let order: Vec<TargetName> = project.targets.iter().map(|target| target.name.clone()).collect();
    let asked = context.settings.target.as_ref().map(|target| &target.value);
    let env = &context.settings.env;
    let selected = select(&lock, &order, env, asked, &host)?;

    let target = selected.locked;
    let artifacts = plan::artifacts(&lock, &target.name, env, &options.groups);
    let layout = EnvLayout::new(inputs.opened.root.folder(), &target.name, env);
    let (current, damaged) = current_generation(&layout)?;
    let plan = Plan::between(
        current.as_ref().map(|generation| generation.artifacts.as_slice()).unwrap_or_default(),
        &artifacts,
    );
    let gates = gates::ask(
        &gates::Situation {
            artifacts: &artifacts,
            passed_over: &selected.passed_over,
            registry: &inputs.registry,
            guarded: guard::guarded_of(
                &lock,
                &target.name,
                env,
                accelerator(project, &target.name),
            ),
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
        damaged,
        mended: Vec::new(),
        gates,
        venv: None,
        removed: Vec::new(),
    };
    let own = local::project(&inputs.opened, target)?;
    let making =
        Making { context, inputs, options, lock: &lock, target, artifacts, layout, project: own };
    let is_already = !options.repair && making.is_already(&outcome);
    if is_already && !options.discard {
        if !context.settings.dry_run {
            making.settle(&mut outcome);
        }
        return Ok(outcome);
    }
    let foreign = making.would_drop(&outcome);
    if !foreign.is_empty() && !options.discard {
        return Err(SyncError::WouldDrop(foreign).into());
    }
    if context.settings.dry_run || (is_already && foreign.is_empty()) {
        return Ok(outcome);
    }
    making.make(&mut outcome, reporter).await?;
    Ok(outcome)
}

/// The lock as it is, or brought up to date first where that may be.
async fn up_to_date_lock(
    context: &Context,
    inputs: &Inputs,
    from: &[PathBuf],
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
            all.settings.is_env_asked = false;
            // with a network, a bundle only spares downloads
            let is_offline = context.settings.network == Network::Offline;
            let from = if is_offline { from.to_vec() } else { Vec::new() };
            let options = LockOptions { from, ..LockOptions::default() };
            let outcome = lock::lock(&all, inputs, &options, reporter).await?;
            Ok((outcome.lock.clone(), Some(outcome)))
        }
    }
}

/// The current generation, or what is damaged of it: it is none then, and a new one is made.
fn current_generation(
    layout: &EnvLayout,
) -> Result<(Option<Generation>, Option<String>), GenerationError> {
    let read = |number| generation::read(&layout.generation(number));
    let found = generation::current(layout).and_then(|number| number.map(read).transpose());
    match found {
        Err(error) if error.is_damage() => Ok((None, Some(error.to_string()))),
        found => Ok((found?, None)),
    }
}

fn accelerator(project: &rocmenv_manifests::project::Project, target: &TargetName) -> Accelerator {
    let spec = project.targets.iter().find(|spec| spec.name == *target);
    spec.map_or(Accelerator::Rocm, |spec| spec.accelerator)
}
