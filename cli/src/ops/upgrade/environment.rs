//! Stages of the environment: made, verified, measured where rocm.toml asks for it, and taken back
//! by themselves where something speaks against them.

use rocmenv_manifests::project::BenchRequest;
use rocmenv_manifests::upgrade::{EnvironmentStep, Stage};
use rocmenv_store::generation;
use rocmenv_store::layout::EnvLayout;

use super::UpgradeError;
use super::carrying::Carrying;
use super::journal::{Journal, Phase, copy_files, restore_files};
use super::planning::uses_rocm_of_host;
use super::stage::{self, Made, failures};
use crate::context::Context;
use crate::error::Error;
use crate::ops::bench::{Gate, GateAnswer, Gated};
use crate::ops::environment::{self, Current};
use crate::ops::lock::Inputs;
use crate::ops::trust::Trust;

impl Carrying<'_> {
    /// A stage of the environment, taken back where it does not verify.
    pub(super) async fn environment(
        &self,
        journal: &mut Journal,
        stage: &Stage,
        step: &EnvironmentStep,
        trust: Trust,
    ) -> Result<Option<Made>, Error> {
        let root = &self.inputs.opened.root;
        if step.rocm.is_none() {
            // Set aside: the generation that is there stays, and nothing is made for it.
            return Ok(None);
        }
        let layout = EnvLayout::new(root.folder(), &journal.target, &journal.env);
        let before = if let Phase::Changing { before } = &journal.phase {
            // A call that was killed here: what it changed is put back, then done again.
            restore_files(root, &journal.copies_of(stage.number))?;
            *before
        } else {
            copy_files(root, &journal.copies_of(stage.number))?;
            generation::current(&layout)?
        };
        journal.phase = Phase::Changing { before };
        journal.write(root)?;
        let made = match self.made(journal, stage, step, trust, before).await {
            Ok(made) => made,
            Err(error) => {
                stage::take_back(self.inputs, journal, stage.number, before)?;
                journal.phase = Phase::Ready;
                journal.write(root)?;
                return Err(error);
            }
        };
        if !made.has_passed() {
            let evidence = stage::keep_evidence(journal, stage, &made)?;
            stage::take_back(self.inputs, journal, stage.number, before)?;
            journal.phase = Phase::TakenBack { evidence: evidence.clone() };
            journal.write(root)?;
            let failed = failures(&made);
            return Err(UpgradeError::TakenBack { stage: stage.number, failed, evidence }.into());
        }
        stage::hold_first(self.inputs, journal)?;
        Ok(Some(made))
    }

    async fn made(
        &self,
        journal: &Journal,
        stage: &Stage,
        step: &EnvironmentStep,
        trust: Trust,
        before: Option<u32>,
    ) -> Result<Made, Error> {
        let mut made = stage::make(self.context, journal, stage, step, trust).await?;
        if made.verified.has_passed() {
            made.benches = self.gated(journal, before, &made)?;
        }
        Ok(made)
    }

    /// What `[verify] bench` names, measured in the generation before and in the new one.
    fn gated(
        &self,
        journal: &Journal,
        before: Option<u32>,
        made: &Made,
    ) -> Result<Vec<Gated>, Error> {
        let requests = &self.inputs.opened.project.verify.bench;
        if requests.is_empty() {
            return Ok(Vec::new());
        }
        let new = made.synced.generation.as_ref().map(|generation| generation.number);
        let (Some(old), Some(new)) = (before, new.filter(|new| Some(*new) != before)) else {
            let answer = GateAnswer::NotRun { why: "there are no two generations".to_owned() };
            let not_run = |request: &BenchRequest| Gated {
                bench: request.to_string(),
                answer: answer.clone(),
            };
            return Ok(requests.iter().map(not_run).collect());
        };
        let (old, new) = (of(self.inputs, journal, old)?, of(self.inputs, journal, new)?);
        gate(self.context, self.inputs).compare(&old, &new)
    }
}

/// Measures the environment of the beginning before the host changes under it: afterwards it may
/// not run any more.
///
/// # Errors
/// The generation cannot be read, or a run cannot be kept.
pub(super) fn keep_baseline(
    context: &Context,
    inputs: &Inputs,
    journal: &Journal,
) -> Result<(), Error> {
    let project = &inputs.opened.project;
    let changes_host = uses_rocm_of_host(project) || journal.plan.stages.iter().any(Stage::is_host);
    match journal.began_at {
        Some(first) if changes_host && !project.verify.bench.is_empty() => {
            gate(context, inputs).keep_baseline(&of(inputs, journal, first)?)
        }
        _ => Ok(()),
    }
}

fn gate<'g>(context: &'g Context, inputs: &'g Inputs) -> Gate<'g> {
    let has_gpu = !inputs.host.known_gpus().is_empty();
    Gate { context, requests: &inputs.opened.project.verify.bench, has_gpu }
}

fn of(inputs: &Inputs, journal: &Journal, generation: u32) -> Result<Current, Error> {
    let root = &inputs.opened.root;
    let layout = EnvLayout::new(root.folder(), &journal.target, &journal.env);
    let folder = layout.generation(generation).root().to_owned();
    Ok(environment::of_generation(root.clone(), journal.env.clone(), folder)?)
}
