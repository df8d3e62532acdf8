//! The files of stages that are still to come: rocm.toml moved on and locked as the stage will do
//! it, with what the cache holds.

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::generation::Generation;
use rocmenv_manifests::lock::{Lock, LockedTarget};
use rocmenv_manifests::plan::{self, Artifact};
use rocmenv_manifests::project::Project;
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_manifests::upgrade::{Driver, EnvironmentStep, Stage, State};
use rocmenv_manifests::version::Dotted;
use rocmenv_resolver::host::interpreters::InterpreterWish;
use rocmenv_resolver::target::{Target, TargetDriver};
use rocmenv_store::generation;
use rocmenv_store::layout::EnvLayout;

use super::super::moving::moved;
use super::super::planning::{for_target, uses_rocm_of_host};
use super::super::stage::moves_of;
use super::Pricing;
use crate::ops::interpreter;
use crate::ops::lock::{Foresight, Inputs, targets};
use crate::ops::project::Opened;
use crate::ops::stores::Stores;
use crate::ops::world::World;

/// Where the project will be after the stages so far.
pub(super) struct Foreseen<'p> {
    pricing: &'p Pricing<'p>,
    /// The project and its lock; `None` once a stage could not be foreseen, because what comes
    /// after it is not known then.
    place: Option<(Opened, Lock)>,
}

impl<'p> Foreseen<'p> {
    /// Where it begins.
    pub(super) fn new(pricing: &'p Pricing<'p>) -> Self {
        let place = (pricing.inputs.opened.clone(), pricing.lock.clone());
        Self { pricing, place: Some(place) }
    }

    /// Passes a stage: every file of its generation, with an interpreter that would be fetched;
    /// `None` where that is not known.
    pub(super) fn next(
        &mut self,
        world: Option<&World>,
        stage: &Stage,
        step: &EnvironmentStep,
    ) -> Option<Vec<Artifact>> {
        let (opened, lock) = self.place.take()?;
        let (opened, lock) = self.locked(world?, &opened, &lock, stage, step)?;
        let artifacts = self.artifacts(&opened, &lock);
        self.place = Some((opened, lock));
        artifacts
    }

    fn locked(
        &self,
        world: &World,
        opened: &Opened,
        old: &Lock,
        stage: &Stage,
        step: &EnvironmentStep,
    ) -> Option<(Opened, Lock)> {
        let Pricing { context, inputs, subject, .. } = self.pricing;
        let Inputs { opened: first, registry, host } = inputs;
        let begin = Project::parse("rocm.toml", &first.text).ok()?;
        let text = moved(opened, registry, subject, stage, step, &begin).ok()?;
        let opened = opened.with_text(text).ok()?;
        let all = targets(&opened.project, registry, host, None).ok()?;
        let mut one = all.into_iter().find(|one| one.target.name == subject.target)?;
        arrive(&mut one.target, &stage.to, uses_rocm_of_host(&opened.project));
        let foresight = Foresight {
            context: &for_target(context, &subject.target, &subject.env),
            registry,
            project: &opened.project,
            one: &one,
            env: &subject.env,
            old,
            moves: &moves_of(step),
            world,
        };
        let lock = foresight.lock()?;
        let found = self.of_subject(&lock)?.rocm.as_ref().zip(step.rocm.as_ref());
        // the stage itself refuses another release
        let fits = found.is_none_or(|(found, wanted)| found.series() == wanted.series());
        fits.then_some((opened, lock))
    }

    fn artifacts(&self, opened: &Opened, lock: &Lock) -> Option<Vec<Artifact>> {
        let subject = self.pricing.subject;
        let current = self.current(opened);
        let groups = current.as_ref().map(|one| one.groups.clone()).unwrap_or_default();
        let mut artifacts = plan::artifacts(lock, &subject.target, &subject.env, &groups);
        let python = self.of_subject(lock)?.python.as_ref();
        let Some(python) = python else { return Some(artifacts) };
        let has = |one: &Generation| {
            let version: Option<Dotted> = one.python.as_ref()?.version.parse().ok();
            version.filter(|version| version.starts_with(&python.series))
        };
        if current.as_ref().and_then(has).is_none() {
            let wish =
                InterpreterWish { series: python.series.clone(), minimum: python.floor.clone() };
            artifacts.extend(self.to_fetch(opened, &wish));
        }
        Some(artifacts)
    }

    fn of_subject<'l>(&self, lock: &'l Lock) -> Option<&'l LockedTarget> {
        let subject = self.pricing.subject;
        crate::ops::lock::locked(lock, &subject.target, &subject.env)
    }

    /// The generation that is current now.
    fn current(&self, opened: &Opened) -> Option<Generation> {
        let subject = self.pricing.subject;
        let layout = EnvLayout::new(opened.root.folder(), &subject.target, &subject.env);
        let number = generation::current(&layout).ok()??;
        generation::read(&layout.generation(number)).ok()
    }

    /// The interpreter that would have to be fetched, if one has to be.
    fn to_fetch(&self, opened: &Opened, wish: &InterpreterWish) -> Option<Artifact> {
        let Pricing { context, inputs, .. } = self.pricing;
        let stores = Stores::of(context, opened.root.folder()).ok()?;
        let source = opened.project.python_source.value;
        let holds = |digest: &Sha256| stores.holds(digest);
        interpreter::to_fetch(context, &inputs.registry, &inputs.host, source, wish, &holds)
    }
}

/// The target once the host is what the stage says. What was not described stays so.
fn arrive(target: &mut Target, state: &State, has_own_rocm: bool) {
    let origin = || Origin::Default;
    if let Some(os) = &state.os {
        target.os = Some(Sourced::new(os.clone(), origin()));
    }
    if let Some(kernel) = state.kernel.as_deref().and_then(Dotted::leading) {
        target.kernel = Some(Sourced::new(kernel, origin()));
    }
    let driver = state.driver.clone().map(|driver| match driver {
        Driver::Amd(release) => TargetDriver::Amd(release),
        Driver::Module(module) => TargetDriver::UnknownRelease { module },
        Driver::InTree => TargetDriver::InTree,
        Driver::Adrenalin(version) => TargetDriver::Adrenalin(version),
    });
    if let Some(driver) = driver {
        target.driver = Some(Sourced::new(driver, origin()));
    }
    if let (Some(rocm), true) = (&state.rocm, has_own_rocm) {
        target.host_rocm = Some(Sourced::new(rocm.clone(), origin()));
    }
}
