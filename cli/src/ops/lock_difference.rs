//! `lock diff`: what changes from one rocm.lock to another, or from what runs to rocm.lock.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::name::{EnvName, GroupName, TargetName};
use serde::Serialize;

use super::difference::{Difference, Side};
use super::place::Place;
use super::{files, generations, registry};
use crate::context::Context;
use crate::error::Error;

/// Which locks are compared.
#[derive(Debug, Clone, Default)]
pub struct LockDifferenceOptions {
    /// The one; `None` is what the current generation was made of.
    pub from: Option<PathBuf>,
    /// The other; `None` is the project's rocm.lock.
    pub to: Option<PathBuf>,
}

/// What changes for one environment on one target.
#[derive(Debug, Clone, Serialize)]
pub struct LockDifference {
    /// The target.
    pub target: TargetName,
    /// The environment.
    pub env: EnvName,
    /// What changes.
    pub difference: Difference,
}

/// Compares, for every target and environment that either side has; only for those that the
/// call names, if it names any.
///
/// # Errors
/// A lock cannot be read, or there is no environment to compare with.
pub fn run(
    context: &Context,
    options: &LockDifferenceOptions,
) -> Result<Vec<LockDifference>, Error> {
    let registry = registry::load(context)?;
    let to = match &options.to {
        Some(file) => context.cwd.join(file),
        None => context.project()?.lock(),
    };
    let to = Lock::parse(&files::read(&to)?)?;
    let Some(file) = &options.from else {
        let place = Place::find(context)?;
        let (record, _) = place.current()?;
        let before = generations::side(&place.layout, &record)?;
        let after = Side::of_lock(&to, &place.target, &place.env, &record.groups);
        let difference = Difference::between(&before, &after, &registry);
        return Ok(vec![LockDifference { target: place.target, env: place.env, difference }]);
    };
    let from = Lock::parse(&files::read(&context.cwd.join(file))?)?;
    let settings = &context.settings;
    let is_asked = |target: &TargetName, env: &EnvName| {
        settings.target.as_ref().is_none_or(|asked| asked.value == *target)
            && (settings.env.is_default() || settings.env == *env)
    };
    let all = from.targets.iter().chain(&to.targets);
    let pairs: BTreeSet<_> = all.map(|one| (one.name.clone(), one.env.clone())).collect();
    let pairs = pairs.into_iter().filter(|(target, env)| is_asked(target, env));
    let one = |(target, env): (TargetName, EnvName)| {
        let side = |lock: &Lock| Side::of_lock(lock, &target, &env, &groups(lock));
        let difference = Difference::between(&side(&from), &side(&to), &registry);
        LockDifference { target, env, difference }
    };
    Ok(pairs.map(one).collect())
}

/// Every group of a lock.
fn groups(lock: &Lock) -> Vec<GroupName> {
    let members = lock.packages.iter().flat_map(|package| &package.members);
    let groups: BTreeSet<_> = members.filter_map(|member| member.group.clone()).collect();
    groups.into_iter().collect()
}
