//! What a lock asks, with what this machine adds to it: its interpreters and installed packages.

use std::collections::BTreeMap;
use std::path::Path;

use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::name::{EnvName, PackageName};
use rocmenv_manifests::project::{Environment, Project, PythonSource};
use rocmenv_manifests::python::Version;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::guard::{Culprit, Guarded, Pin, culprits};
use rocmenv_resolver::solve::{Moves, Question, Solution};
use rocmenv_resolver::target::Target;

use super::question::{Asking, question};
use super::solving::LockError;
use super::{ProjectTarget, at_hand, installed};
use crate::context::Context;

/// Everything that a question is made of.
pub(super) struct Asked<'a> {
    pub(super) context: &'a Context,
    pub(super) registry: &'a Registry,
    pub(super) project: &'a Project,
    pub(super) one: &'a ProjectTarget<'a>,
    pub(super) env: &'a EnvName,
    pub(super) wishes: &'a Environment,
    pub(super) old: Option<&'a Lock>,
    pub(super) moves: &'a Moves,
    pub(super) pins: &'a BTreeMap<PackageName, Version>,
}

impl Asked<'_> {
    /// The question.
    pub(super) fn question(&self) -> Result<Question, LockError> {
        let is_host = self.one.spec.is_none();
        let at_hand = if is_host && at_hand::matters(self.wishes) {
            at_hand::series(self.context, self.registry)?
        } else {
            Vec::new()
        };
        let host_packages = if is_host && uses_distribution(self.project) {
            installed::packages(Path::new(installed::DPKG_STATUS))
        } else {
            BTreeMap::new()
        };
        Ok(question(&Asking {
            registry: self.registry,
            project: self.project,
            env: self.env,
            wishes: self.wishes,
            target: &self.one.target,
            old: self.old,
            moves: self.moves,
            pins: self.pins,
            at_hand: &at_hand,
            host_packages: &host_packages,
        })?)
    }
}

/// What of a solution is not of one build for the target: such a set is never written down.
pub(super) fn strangers(registry: &Registry, target: &Target, solution: &Solution) -> Vec<Culprit> {
    let pins: Vec<Pin> = solution
        .wheels()
        .into_iter()
        .map(|wheel| Pin {
            name: wheel.name.to_string(),
            version: wheel.version.to_string(),
            index: wheel.index.clone(),
        })
        .collect();
    let guarded = Guarded {
        accelerator: target.accelerator,
        gpus: target.gfx_targets(),
        rocm: solution.rocm.as_ref().map(|release| release.version.clone()),
    };
    culprits(registry, &pins, &guarded)
}

/// Whether packages of the distribution may be chosen at all.
pub(super) fn uses_distribution(project: &Project) -> bool {
    !project.rocm.components.is_empty() || project.python_source.value == PythonSource::Distro
}
