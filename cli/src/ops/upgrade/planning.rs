//! From a project and its host to the planner's question.

use std::collections::BTreeMap;

use rocmenv_manifests::lock::{Lock, LockedPackage};
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_manifests::project::{ChannelChoice, Environment, Project, TargetSpec};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_manifests::upgrade::{Driver, FrameworkVersion, UpgradePlan};
use rocmenv_manifests::version::{DriverVersion, Requirement};
use rocmenv_resolver::check::Wish;
use rocmenv_resolver::target::{Target, from_host};
use rocmenv_resolver::upgrade::{Goal, UpgradeHost, plan};

use super::UpgradeError;
use super::pricing::Pricing;
use crate::context::Context;
use crate::error::Error;
use crate::ops::check::CheckFailure;
use crate::ops::lock::{self, Inputs, targets};
use crate::ops::place::Place;
use crate::ops::{files, standing};

/// What is wished for.
#[derive(Debug, Clone, Default)]
pub struct UpgradeWish {
    /// `--to`.
    pub rocm: Option<Requirement>,
    /// `--driver`: a release, `in-tree`, or for Windows the Adrenalin version.
    pub driver: Option<String>,
    /// `--accept-losses`.
    pub accept_losses: bool,
}

/// What an upgrade is of.
pub(in crate::ops) struct Subject {
    /// The target.
    pub(in crate::ops) target: TargetName,
    /// The environment.
    pub(in crate::ops) env: EnvName,
    /// The target as a host.
    pub(super) as_target: Target,
    /// Whether rocm.toml describes it; else it is this host.
    pub(super) is_described: bool,
}

impl Subject {
    /// The target and environment of a call: those that are asked for, else those in use, else
    /// the first.
    ///
    /// # Errors
    /// A target that rocm.toml does not have, or that is no host.
    pub(in crate::ops) fn of_call(context: &Context, inputs: &Inputs) -> Result<Self, Error> {
        let asked = context.settings.target.as_ref().map(|target| target.value.clone());
        let in_use = || Place::find(context).ok().map(|place| place.target);
        Self::named(inputs, asked.or_else(in_use).as_ref(), context.settings.env.clone())
    }

    /// That very target; the first where none is named or the project has it no more.
    ///
    /// # Errors
    /// A target that is no host.
    pub(super) fn named(
        inputs: &Inputs,
        name: Option<&TargetName>,
        env: EnvName,
    ) -> Result<Self, Error> {
        let project = &inputs.opened.project;
        let all = targets(project, &inputs.registry, &inputs.host, None)?;
        let at = all.iter().position(|one| Some(&one.target.name) == name).unwrap_or(0);
        let one = all.into_iter().nth(at).ok_or(UpgradeError::NoTarget)?;
        Ok(Self {
            target: one.target.name.clone(),
            env,
            is_described: one.spec.is_some(),
            as_target: one.target,
        })
    }

    /// The host without an environment: as described, or as this machine's probe (or `--host`)
    /// says.
    pub(super) fn host(&self, inputs: &Inputs) -> UpgradeHost {
        if self.is_described {
            UpgradeHost::of_target(&self.as_target, &inputs.registry)
        } else {
            UpgradeHost::of_facts(&self.as_target, &inputs.host, &inputs.registry)
        }
    }

    /// The host as a new probe says it. For a described target that is another machine, whose
    /// host file the user hands over with `--host`.
    pub(super) fn probed(inputs: &Inputs) -> UpgradeHost {
        let target = from_host(TargetName::host(), &inputs.host, &inputs.registry);
        UpgradeHost::of_facts(&target, &inputs.host, &inputs.registry)
    }

    /// Whether it may be this machine: the same distribution and GPUs. Drivers and kernels change
    /// on the way, and a description lags behind them.
    pub(super) fn is_here(&self, inputs: &Inputs) -> bool {
        let here = from_host(TargetName::host(), &inputs.host, &inputs.registry);
        let distribution = |target: &Target| Some(target.os.as_ref()?.value.distribution.clone());
        let gpus = here.gfx_targets();
        let there = &self.as_target;
        !gpus.is_empty()
            && gpus == there.gfx_targets()
            && distribution(&here) == distribution(there)
    }

    /// Its description.
    pub(super) fn spec<'p>(&self, project: &'p Project) -> Option<&'p TargetSpec> {
        project.targets.iter().find(|spec| spec.name == self.target)
    }

    /// What the environment asks for.
    pub(super) fn wishes<'p>(&self, project: &'p Project) -> Option<&'p Environment> {
        project.environments.get(&self.env)
    }
}

/// Plans. What is locked is where it begins.
///
/// # Errors
/// The lock cannot be read, or `--driver` is none.
pub(super) fn plan_for(
    context: &Context,
    inputs: &Inputs,
    subject: &Subject,
    wish: &UpgradeWish,
) -> Result<UpgradePlan, Error> {
    let project = &inputs.opened.project;
    let text = files::read_optional(&inputs.opened.root.lock())?;
    let lock = text.as_deref().map(Lock::parse).transpose()?.unwrap_or_default();
    let locked = lock::locked(&lock, &subject.target, &subject.env);
    let wishes = subject.wishes(project);
    let host = subject.host(inputs).with_environment(
        locked.and_then(|locked| locked.rocm.clone()),
        locked.and_then(|locked| Some(locked.python.as_ref()?.series.to_string())),
        wishes
            .map(|wishes| frameworks(&lock, subject, wishes, &inputs.registry))
            .unwrap_or_default(),
    );
    let goal = Goal {
        rocm: wish.rocm.clone(),
        driver: wish.driver.as_deref().map(|text| driver(text, &host)).transpose()?,
        python: wishes.and_then(|wishes| Some(wishes.python.as_ref()?.value.clone())),
        frameworks: wishes.map(of_project).unwrap_or_default(),
        accept_losses: wish.accept_losses,
        sizes: sizes(&lock, subject),
        benches: project.verify.bench.iter().map(|bench| bench.name.clone()).collect(),
    };
    let policy = standing::policy(context, project)?;
    let planned = plan(&inputs.registry, &host, &goal, &policy);
    let mut planned = planned.map_err(CheckFailure::from)?;
    Pricing { context, inputs, subject, lock: &lock }.of_plan(&mut planned);
    let locked = (&lock, &subject.target, &subject.env);
    planned.standing = standing::standing(context, &inputs.registry, project, locked)?;
    Ok(planned)
}

/// The frameworks that are locked, in the order of rocm.toml.
fn frameworks(
    lock: &Lock,
    subject: &Subject,
    wishes: &Environment,
    registry: &Registry,
) -> Vec<FrameworkVersion> {
    let belongs = |package: &&LockedPackage| {
        package.members.iter().any(|one| one.target == subject.target && one.env == subject.env)
    };
    let one = |name: &String| {
        let row = registry.frameworks().framework.iter().find(|row| row.name == *name)?;
        let mut packages = lock.packages.iter().filter(belongs);
        let package = packages.find(|package| package.name == row.package)?;
        Some(FrameworkVersion {
            name: name.clone(),
            version: package.version.split('+').next().unwrap_or_default().to_owned(),
            build: Some(format!("{} {}", package.name, package.version)),
            index: Some(package.index.to_string()),
        })
    };
    wishes.frameworks.iter().filter_map(|framework| one(&framework.name)).collect()
}

/// Bytes of what is locked for the target, by package and version.
fn sizes(lock: &Lock, subject: &Subject) -> BTreeMap<String, u64> {
    let one = |package: &LockedPackage| {
        let file = package.files.iter().find(|file| file.targets.contains(&subject.target))?;
        Some((format!("{} {}", package.name, package.version), file.size?))
    };
    lock.packages.iter().filter_map(one).collect()
}

fn of_project(wishes: &Environment) -> Vec<Wish> {
    let wish = |one: &rocmenv_manifests::project::Framework| Wish {
        name: one.name.clone(),
        requirement: one.requirement.value.clone(),
    };
    wishes.frameworks.iter().map(wish).collect()
}

fn driver(text: &str, host: &UpgradeHost) -> Result<Driver, UpgradeError> {
    if text == "in-tree" {
        return Ok(Driver::InTree);
    }
    let version: DriverVersion =
        text.parse().map_err(|_| UpgradeError::Driver { text: text.to_owned() })?;
    Ok(if host.is_windows() || host.wsl {
        Driver::Adrenalin(version)
    } else {
        Driver::Amd(version)
    })
}

/// Whether ROCm itself is the host's: then a change of it is the user's to make.
pub(super) fn uses_rocm_of_host(project: &Project) -> bool {
    project.rocm.channel.value == ChannelChoice::Host
}

/// The same call, for one target of the project.
pub(in crate::ops) fn for_target(context: &Context, target: &TargetName, env: &EnvName) -> Context {
    let mut context = context.clone();
    context.settings.env = env.clone();
    if *target != TargetName::host() {
        let origin = Origin::Flag("--target".to_owned());
        context.settings.target = Some(Sourced::new(target.clone(), origin));
    }
    context
}
