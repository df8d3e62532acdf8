//! `outdated`: what is newer than what is locked: within what rocm.toml asks, beyond it, and on
//! the roadmap of ROCm. Nothing is written.

mod online;

use std::collections::BTreeMap;

use rocmenv_manifests::lock::{Lock, LockedTarget};
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_manifests::plan::{self, Artifact};
use rocmenv_manifests::project::Project;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::releases::ReleaseKind;
use rocmenv_manifests::upgrade::{ReleaseRef, Standing};
use rocmenv_manifests::version::Requirement;
use rocmenv_resolver::solve::Moves;
use rocmenv_store::report::Reporter;
use serde::Serialize;

pub use online::{Asked, News};

use super::lock::{self, Inputs, LockError, LockOptions};
use super::{files, standing};
use crate::context::Context;
use crate::error::{Error, Exit, Failure};

/// How to look.
#[derive(Debug, Clone, Copy, Default)]
pub struct OutdatedOptions {
    /// Whether the channels are asked for releases that the registry does not know.
    pub online: bool,
}

/// What was found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outdated {
    /// The targets and environments.
    pub targets: Vec<OutdatedTarget>,
    /// What the channels said, where they were asked.
    pub news: Option<News>,
    /// The registry's day.
    pub registry: String,
}

/// One environment on one target.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct OutdatedTarget {
    /// The target.
    pub target: TargetName,
    /// The environment.
    pub env: EnvName,
    /// What rocm.toml names or an upgrade would change, sorted by name.
    pub rows: Vec<Row>,
    /// Why nothing beyond the ranges could be chosen, where it could not.
    pub beyond_refused: Option<String>,
    /// Where it stands.
    pub standing: Standing,
    /// The production releases after its own, oldest first.
    pub roadmap: Vec<ReleaseRef>,
}

/// One package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Row {
    /// Its name.
    pub name: String,
    /// What is locked.
    pub locked: String,
    /// What `lock --upgrade` would take.
    pub in_range: String,
    /// What would be taken if rocm.toml asked for no versions; `None` where that has no answer,
    /// or lacks the package.
    pub beyond: Option<String>,
}

/// Looks.
///
/// # Errors
/// Nothing is locked, or the indexes cannot be asked.
pub async fn outdated(
    context: &Context,
    inputs: &Inputs,
    options: OutdatedOptions,
    reporter: &dyn Reporter,
) -> Result<Outdated, Error> {
    let path = inputs.opened.root.lock();
    let text = files::read_optional(&path)?.ok_or(NothingLocked)?;
    let now = Lock::parse(&text)?;
    let everything =
        LockOptions { moves: Moves::Everything, check: true, ..LockOptions::default() };
    let in_range = lock::lock(context, inputs, &everything, reporter).await?;
    let (beyond, refused) =
        match lock::lock(context, &unasked(context, inputs)?, &everything, reporter).await {
            Ok(outcome) => (Some(outcome.lock), None),
            Err(error) if error.is::<LockError>() && error.exit() == Exit::Unmet => (
                None,
                error.chain().first().and_then(|text| text.lines().next()).map(str::to_owned),
            ),
            Err(error) => return Err(error),
        };
    let news =
        if options.online { Some(online::ask(context, inputs, reporter).await?) } else { None };
    let one = |(target, env): &(TargetName, EnvName)| -> Result<OutdatedTarget, Error> {
        let sides =
            Sides { now: &now, in_range: &in_range.lock, beyond: beyond.as_ref(), target, env };
        let (registry, project) = (&inputs.registry, &inputs.opened.project);
        let standing = standing::standing(context, registry, project, (&now, target, env))?;
        Ok(OutdatedTarget {
            target: target.clone(),
            env: env.clone(),
            rows: sides.rows(registry, project),
            beyond_refused: refused.clone(),
            standing,
            roadmap: roadmap(registry, lock::locked(&now, target, env)),
        })
    };
    Ok(Outdated {
        targets: in_range.solved.iter().map(one).collect::<Result<_, _>>()?,
        news,
        registry: super::registry::dated(&inputs.registry, context.now),
    })
}

/// The same project, asking for no versions of its frameworks and packages. ROCm, Python and the
/// driver stay: those are moved by `upgrade`, in stages.
fn unasked(context: &Context, inputs: &Inputs) -> Result<Inputs, Error> {
    let mut inputs = Inputs {
        opened: inputs.opened.clone(),
        registry: super::registry::load(context)?,
        host: inputs.host.clone(),
    };
    for environment in inputs.opened.project.environments.values_mut() {
        for framework in &mut environment.frameworks {
            framework.requirement.value = Requirement::any();
        }
        for package in &mut environment.packages {
            package.requirement.value = Requirement::any();
        }
    }
    for packages in inputs.opened.project.groups.values_mut() {
        for package in packages {
            package.requirement.value = Requirement::any();
        }
    }
    Ok(inputs)
}

struct Sides<'s> {
    now: &'s Lock,
    in_range: &'s Lock,
    beyond: Option<&'s Lock>,
    target: &'s TargetName,
    env: &'s EnvName,
}

impl Sides<'_> {
    fn rows(&self, registry: &Registry, project: &Project) -> Vec<Row> {
        let (now, in_range) = (self.versions(self.now), self.versions(self.in_range));
        let beyond = self.beyond.map(|lock| self.versions(lock));
        let direct = direct(project, self.env, registry);
        let mut rows = Vec::new();
        for (name, locked) in &now {
            let new = in_range.get(name).unwrap_or(locked);
            let far = beyond.as_ref().and_then(|beyond| beyond.get(name));
            let is_newer_beyond = direct.contains(name) && far.is_some_and(|far| far != locked);
            if new != locked || is_newer_beyond {
                rows.push(Row {
                    name: name.clone(),
                    locked: locked.clone(),
                    in_range: new.clone(),
                    beyond: far.cloned(),
                });
            }
        }
        rows
    }

    fn artifacts(&self, lock: &Lock) -> Vec<Artifact> {
        let members = lock.packages.iter().flat_map(|package| &package.members);
        let groups: Vec<_> = members.filter_map(|member| member.group.clone()).collect();
        plan::artifacts(lock, self.target, self.env, &groups)
    }

    fn versions(&self, lock: &Lock) -> BTreeMap<String, String> {
        self.artifacts(lock).into_iter().map(|one| (one.name, one.version)).collect()
    }
}

/// The packages that rocm.toml names, frameworks by their package.
fn direct(project: &Project, env: &EnvName, registry: &Registry) -> Vec<String> {
    let Some(wishes) = project.environments.get(env) else { return Vec::new() };
    let groups = project.groups.values().flatten();
    let packages = wishes.packages.iter().chain(groups);
    let mut names: Vec<String> = packages.map(|package| package.name.to_string()).collect();
    for framework in &wishes.frameworks {
        let mut rows = registry.frameworks().framework.iter();
        let row = rows.find(|row| row.name == framework.name);
        names.push(row.map_or_else(|| framework.name.clone(), |row| row.package.clone()));
    }
    names
}

/// The production releases behind a release, oldest first.
fn roadmap(registry: &Registry, locked: Option<&LockedTarget>) -> Vec<ReleaseRef> {
    let Some(rocm) = locked.and_then(|locked| locked.rocm.as_ref()) else { return Vec::new() };
    let rows = registry.releases().release.iter();
    let later = rows.filter(|row| row.kind == ReleaseKind::Production && row.version > *rocm);
    let mut found: Vec<ReleaseRef> = later
        .map(|row| ReleaseRef { version: row.version.clone(), date: row.date.clone() })
        .collect();
    found.sort_by(|a, b| a.version.cmp(&b.version));
    found
}

/// There is no lock to compare with.
#[derive(Debug, thiserror::Error)]
#[error("the project has no `rocm.lock` yet")]
struct NothingLocked;

impl Failure for NothingLocked {
    fn exit(&self) -> Exit {
        Exit::Stale
    }

    fn code(&self) -> Option<&'static str> {
        Some("lock-missing")
    }

    fn help(&self) -> Option<String> {
        Some("rocmenv lock".to_owned())
    }
}
