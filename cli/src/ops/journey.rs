//! Where this call's host and project stand on the roadmap, and the way that is planned on it.

use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::project::Project;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::upgrade::UpgradePlan;
use rocmenv_manifests::version::Requirement;
use rocmenv_resolver::target::from_host;
use rocmenv_resolver::upgrade::{Goal, UpgradeHost, plan};

use super::check::CheckFailure;
use super::host::{self, HostOptions};
use super::lock::Inputs;
use super::project::{self, OpenError};
use super::standing;
use super::upgrade::{UpgradeWish, planned};
use crate::context::Context;
use crate::error::Error;

/// A place and a way on.
#[derive(Debug, Clone)]
pub struct Journey {
    /// Whose it is, in words.
    pub whose: String,
    /// The host's GPUs.
    pub gpus: Vec<String>,
    /// The plan; it begins where the host and its environment are.
    pub plan: UpgradePlan,
}

/// The journey of the project that is open, else of the host alone with no environment on it.
/// `to` is where to go; without it the policy says.
///
/// # Errors
/// The project, its lock or the host cannot be read.
pub fn journey(
    context: &Context,
    registry: &Registry,
    to: Option<&Requirement>,
) -> Result<Journey, Error> {
    match project::open(context) {
        Ok(opened) => {
            let inputs = Inputs::read(context)?;
            let wish = UpgradeWish { rocm: to.cloned(), ..UpgradeWish::default() };
            let planned = planned(context, &inputs, &wish)?;
            let whose = format!("project {}", opened.project.name);
            Ok(Journey { whose, gpus: planned.gpus, plan: planned.plan })
        }
        Err(OpenError::NotFound(_)) => of_host(context, registry, to),
        Err(error) => Err(error.into()),
    }
}

fn of_host(
    context: &Context,
    registry: &Registry,
    to: Option<&Requirement>,
) -> Result<Journey, Error> {
    let facts = host::facts(context, registry, &HostOptions::default())?;
    let target = from_host(TargetName::host(), &facts, registry);
    let host = UpgradeHost::of_facts(&target, &facts, registry);
    let empty = Project::parse("rocm.toml", "").map_err(OpenError::from)?;
    let policy = standing::policy(context, &empty)?;
    let goal = Goal { rocm: to.cloned(), ..Goal::default() };
    let mut plan = plan(registry, &host, &goal, &policy).map_err(CheckFailure::from)?;
    plan.cost = plan.cost.measured(plan.stages.iter().map(|stage| &stage.cost));
    Ok(Journey { whose: "this host, without a project".to_owned(), gpus: names(&host), plan })
}

/// What a user calls the GPUs of a host.
pub(super) fn names(host: &UpgradeHost) -> Vec<String> {
    let name = |gpu: &rocmenv_manifests::registry::KnownGpu| {
        gpu.product.clone().unwrap_or_else(|| gpu.gfx.to_string())
    };
    host.gpus.iter().map(name).collect()
}
