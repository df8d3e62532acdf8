//! `status`: how rocm.toml, rocm.lock, the environment and this host stand to each other.
//! Reads only, and runs nothing of the project.

use std::path::PathBuf;

use rocmenv_manifests::generation::Generation;
use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_manifests::plan::{self, Plan};
use rocmenv_manifests::project::Project;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::target::{fit, from_host};
use rocmenv_store::generation;
use rocmenv_store::layout::EnvLayout;
use serde::Serialize;

use super::generations::{self, GenerationsError};
use super::host::{self, HostOptions};
use super::locked::{self, LockedError};
use super::verify::installed_names;
use super::{lock, project};
use crate::context::Context;
use crate::error::Error;

/// How things stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct StatusOutcome {
    /// The project's name.
    pub project: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The environment of the project.
    pub env: EnvName,
    /// The target whose environment is looked at.
    pub target: Option<TargetName>,
    /// rocm.lock.
    pub lock: LockState,
    /// The environment.
    pub environment: EnvironmentState,
    /// The current generation's number.
    pub generation: Option<u32>,
    /// Whether a rollback or the user holds it.
    pub pinned: bool,
    /// Changes that `sync` would make.
    pub plan: Option<Plan>,
    /// Predicates of the lock that this host fails, with its own values.
    pub mismatches: Vec<String>,
    /// Packages that somebody put in beside the lock.
    pub foreign: Vec<String>,
    /// Packages of the lock that somebody took out.
    pub missing: Vec<String>,
}

/// How rocm.lock stands to rocm.toml.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LockState {
    /// There is none.
    Missing,
    /// rocm.toml asks for something else by now.
    Outdated,
    /// It fits.
    Current,
}

/// How the environment stands to rocm.lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EnvironmentState {
    /// There is none.
    Missing,
    /// It was made at another path.
    Moved(PathBuf),
    /// Its interpreter is gone.
    WithoutPython(String),
    /// The lock says something else by now.
    Outdated,
    /// It is what the lock says.
    Current,
}

/// Looks.
///
/// # Errors
/// There is no project, or a file of it is damaged.
pub fn status(context: &Context, registry: &Registry) -> Result<StatusOutcome, Error> {
    let opened = project::open(context)?;
    let lock = match locked::read(&opened.root) {
        Ok(lock) => Some(lock),
        Err(LockedError::Missing) => None,
        Err(error) => return Err(error.into()),
    };
    let found = environment(context)?;
    let env = context.settings.env.clone();
    let target = match (&found, &lock) {
        (Some((_, record)), _) => Some(record.target.clone()),
        (None, Some(lock)) => {
            lock.targets.iter().find(|one| one.env == env).map(|t| t.name.clone())
        }
        (None, None) => None,
    };
    let mut outcome = StatusOutcome {
        project: opened.project.name.clone(),
        folder: opened.root.folder().to_owned(),
        lock: lock_state(&opened.project, lock.as_ref()),
        environment: EnvironmentState::Missing,
        generation: None,
        pinned: false,
        plan: None,
        mismatches: Vec::new(),
        foreign: Vec::new(),
        missing: Vec::new(),
        env,
        target,
    };
    if let Some((layout, record)) = &found {
        outcome.look_at(layout, record, lock.as_ref())?;
    }
    let part = lock.as_ref().zip(outcome.target.as_ref());
    let part = part.and_then(|(lock, target)| lock::locked(lock, target, &outcome.env));
    if let Some(part) = part {
        let facts = host::facts(context, registry, &HostOptions::default())?;
        let host = from_host(TargetName::host(), &facts, registry);
        outcome.mismatches = fit(&part.contract, &host).iter().map(ToString::to_string).collect();
    }
    Ok(outcome)
}

impl StatusOutcome {
    fn look_at(
        &mut self,
        layout: &EnvLayout,
        record: &Generation,
        lock: Option<&Lock>,
    ) -> Result<(), Error> {
        let place = layout.generation(record.number);
        self.generation = Some(record.number);
        self.pinned = generation::is_pinned(layout, record.number)?;
        let wanted =
            lock.map(|lock| plan::artifacts(lock, &record.target, &record.env, &record.groups));
        let plan = wanted.map(|wanted| Plan::between(&record.artifacts, &wanted));
        let gone =
            record.python.as_ref().filter(|python| !std::path::Path::new(&python.path).exists());
        self.environment = if let Some(made_at) = generation::moved_from(record, &place) {
            EnvironmentState::Moved(made_at)
        } else if let Some(python) = gone {
            EnvironmentState::WithoutPython(python.path.clone())
        } else if plan.as_ref().is_some_and(|plan| !plan.is_empty()) {
            EnvironmentState::Outdated
        } else {
            EnvironmentState::Current
        };
        self.plan = plan.filter(|plan| !plan.is_empty());
        let installed = installed_names(&place.env());
        let locked = wheel_names(record);
        self.foreign = installed.iter().filter(|name| !locked.contains(name)).cloned().collect();
        self.missing = locked.into_iter().filter(|name| !installed.contains(name)).collect();
        Ok(())
    }

    /// The commands that would set things right, in the order in which to run them.
    pub fn advice(&self) -> Vec<&'static str> {
        let mut advice = Vec::new();
        if self.lock != LockState::Current {
            advice.push("rocmenv lock");
        }
        if self.pinned && self.plan.is_some() {
            advice.push("rocmenv rollback --files, or rocmenv sync --unpin");
        } else if self.environment != EnvironmentState::Current || !self.missing.is_empty() {
            advice.push("rocmenv sync");
        }
        advice
    }
}

/// The current generation, where there is one.
fn environment(context: &Context) -> Result<Option<(EnvLayout, Generation)>, Error> {
    let layout = match generations::layout(context) {
        Ok((_, layout)) => layout,
        Err(GenerationsError::Environment(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let Some(number) = generation::current(&layout)? else { return Ok(None) };
    let record = generation::read(&layout.generation(number))?;
    Ok(Some((layout, record)))
}

fn lock_state(project: &Project, lock: Option<&Lock>) -> LockState {
    match lock {
        None => LockState::Missing,
        Some(lock) if lock::is_current(project, lock) => LockState::Current,
        Some(_) => LockState::Outdated,
    }
}

fn wheel_names(record: &Generation) -> Vec<String> {
    use rocmenv_manifests::lock::ArtifactKind;
    let python = |kind| matches!(kind, ArtifactKind::Wheel | ArtifactKind::RocmMeta);
    let wheels = record.artifacts.iter().filter(|artifact| python(artifact.kind));
    wheels.map(|artifact| artifact.name.clone()).collect()
}
