//! What a lock would come to with what the cache holds, however old, without asking anybody.

use std::collections::BTreeMap;

use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::name::EnvName;
use rocmenv_manifests::project::Project;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::solve::{Moves, Outcome, solve};

use super::asked::{Asked, strangers};
use super::{ProjectTarget, gaps};
use crate::context::Context;
use crate::ops::world::World;

/// A lock that is not made yet.
pub struct Foresight<'a> {
    /// The call.
    pub context: &'a Context,
    /// The registry.
    pub registry: &'a Registry,
    /// The project as it will be.
    pub project: &'a Project,
    /// The target as it will be.
    pub one: &'a ProjectTarget<'a>,
    /// The environment.
    pub env: &'a EnvName,
    /// The lock before.
    pub old: &'a Lock,
    /// What of it may move.
    pub moves: &'a Moves,
    /// The world, of which only what is cached is read.
    pub world: &'a World,
}

impl Foresight<'_> {
    /// The old lock with this environment on this target solved anew; `None` where something that
    /// the solve asks for is not in the cache, or nothing fits.
    pub fn lock(&self) -> Option<Lock> {
        let asked = Asked {
            context: self.context,
            registry: self.registry,
            project: self.project,
            one: self.one,
            env: self.env,
            wishes: self.project.environments.get(self.env)?,
            old: Some(self.old),
            moves: self.moves,
            pins: &BTreeMap::new(),
        };
        let question = asked.question().ok()?;
        let Outcome::Solved(solution) = solve(&question, &self.world.catalog) else { return None };
        if !strangers(self.registry, &self.one.target, &solution).is_empty() {
            return None;
        }
        let inputs = self.project.inputs(self.env, self.one.spec);
        let (target, packages) = solution.to_lock(&question, self.env, inputs);
        let mut lock = self.old.clone();
        lock.retain(|name, env| *name != self.one.target.name || env != self.env);
        lock.targets.push(target);
        lock.packages.extend(packages);
        lock.settle();
        gaps::carry(&mut lock, Some(self.old));
        gaps::known(&mut lock, self.registry);
        Some(lock)
    }
}
