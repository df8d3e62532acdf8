//! Carrying a plan out: stage after stage, to the next one that the user has to do, to a
//! verification that fails, or to the end.

use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::upgrade::{Answer, Change, Stage, Step as PlannedStep};
use rocmenv_store::generation::{self, EnvWriter};
use rocmenv_store::layout::EnvLayout;

use super::journal::{FORMAT, Journal, Phase, copy_files};
use super::planning::{self, Subject};
use super::stage::Made;
use super::waiting::HostWait;
use super::{Action, UpgradeError, UpgradeOptions};
use crate::context::Context;
use crate::error::Error;
use crate::ops::files;
use crate::ops::lock::{self, Inputs};
use crate::ops::sync::SyncError;
use crate::ops::trust::Trust;

/// What was done in one call.
#[derive(Debug)]
pub struct Carried {
    /// The stages that were passed, in order.
    pub steps: Vec<Step>,
    /// Why it stopped.
    pub ended: Ended,
    /// The journal as it is now.
    pub journal: Journal,
}

/// One stage that was passed.
#[derive(Debug)]
pub struct Step {
    /// The stage.
    pub stage: Stage,
    /// What was made; `None` for one of the host.
    pub made: Option<Made>,
    /// Of one of the host, whether a probe said it; else the user did.
    pub is_seen: bool,
}

/// Why a call stopped.
#[derive(Debug)]
pub enum Ended {
    /// The plan is done.
    Done,
    /// The user has to change the host.
    Host(Box<HostWait>),
}

/// Begins an upgrade, or goes on with the one that is under way.
///
/// # Errors
/// There is no way, one is under way already (or none is), a stage cannot be made or does not
/// verify. The environment that ran before the stage runs then.
pub async fn carry(
    context: &Context,
    options: &UpgradeOptions,
    trust: Trust,
) -> Result<Carried, Error> {
    if trust != Trust::Allowed {
        return Err(UpgradeError::NotAllowed.into());
    }
    let inputs = Inputs::read(context)?;
    let mut journal = match (Journal::read(&inputs.opened.root)?, options.action) {
        (Some(journal), Action::Apply) => return Err(under_way(&journal).into()),
        (None, Action::Apply) => begin(context, &inputs, options)?,
        (Some(journal), _) => journal,
        (None, _) => return Err(UpgradeError::NotUnderWay.into()),
    };
    let mut steps = Vec::new();
    let mut is_answered = journal.phase == Phase::Waiting && options.action == Action::Continue;
    while let Some(stage) = journal.next().cloned() {
        let inputs = Inputs::read(context)?;
        let subject = Subject::named(&inputs, Some(&journal.target), journal.env.clone())?;
        let carrying =
            Carrying { context, inputs: &inputs, subject: &subject, options, is_answered };
        let made = match &stage.step {
            PlannedStep::Host(step) => {
                if let Some(wait) = carrying.host(&mut journal, &stage, step).await? {
                    return Ok(Carried { steps, ended: Ended::Host(Box::new(wait)), journal });
                }
                None
            }
            PlannedStep::Environment(step) => {
                if let Some(wait) = carrying.rocm_of_host(&mut journal, &stage, step)? {
                    return Ok(Carried { steps, ended: Ended::Host(Box::new(wait)), journal });
                }
                carrying.environment(&mut journal, &stage, step, trust).await?
            }
        };
        journal.done += 1;
        is_answered &= journal.next().is_some_and(Stage::shares_reboot);
        journal.phase = Phase::Ready;
        journal.write(&inputs.opened.root)?;
        let is_seen = carrying.sees(&stage);
        steps.push(Step { stage, made, is_seen });
    }
    end(&inputs, &journal)?;
    Ok(Carried { steps, ended: Ended::Done, journal })
}

/// One stage of one call.
pub(super) struct Carrying<'c> {
    pub(super) context: &'c Context,
    pub(super) inputs: &'c Inputs,
    pub(super) subject: &'c Subject,
    pub(super) options: &'c UpgradeOptions,
    /// Whether this very step was shown before and the user goes on now: what no probe sees can
    /// only be confirmed then.
    pub(super) is_answered: bool,
}

fn begin(context: &Context, inputs: &Inputs, options: &UpgradeOptions) -> Result<Journal, Error> {
    let root = &inputs.opened.root;
    let subject = Subject::of_call(context, inputs)?;
    let text = files::read_optional(&root.lock())?.ok_or(UpgradeError::NothingLocked)?;
    let lock = Lock::parse(&text)?;
    if lock::locked(&lock, &subject.target, &subject.env).is_none() {
        return Err(UpgradeError::NothingLocked.into());
    }
    let plan = planning::plan_for(context, inputs, &subject, &options.wish)?;
    match &plan.answer {
        Answer::Path | Answer::NothingToDo => {}
        Answer::Stay { .. } => {
            return Err(UpgradeError::NoWay("staying is the answer".into()).into());
        }
        Answer::NoPath { .. } => {
            return Err(UpgradeError::NoWay("no stages lead there".into()).into());
        }
    }
    let layout = EnvLayout::new(root.folder(), &subject.target, &subject.env);
    let began_at = generation::current(&layout)?;
    if let Some(current) = began_at
        && generation::is_pinned(&layout, current)?
    {
        return Err(SyncError::Pinned(current).into());
    }
    let time = context.now.strftime("%Y-%m-%dT%H-%M-%SZ").to_string();
    let journal = Journal {
        format: FORMAT,
        started: context.now.to_string(),
        copies: layout.root().join("before-upgrade").join(time),
        target: subject.target,
        env: subject.env,
        plan,
        done: 0,
        phase: Phase::Ready,
        began_at,
        pinned: false,
        drivers: Vec::new(),
    };
    if !journal.plan.stages.is_empty() {
        super::environment::keep_baseline(context, inputs, &journal)?;
        copy_files(root, &journal.first_copies())?;
        journal.write(root)?;
    }
    Ok(journal)
}

fn end(inputs: &Inputs, journal: &Journal) -> Result<(), Error> {
    let root = &inputs.opened.root;
    if let Some(first) = journal.began_at {
        let layout = EnvLayout::new(root.folder(), &journal.target, &journal.env);
        EnvWriter::lock(layout)?.unpin(first)?;
    }
    Journal::remove(root)
}

fn under_way(journal: &Journal) -> UpgradeError {
    UpgradeError::UnderWay {
        started: match journal.started.split_once('.') {
            Some((seconds, _)) => format!("{seconds}Z"),
            None => journal.started.clone(),
        },
        done: journal.done,
        stages: journal.plan.stages.len(),
    }
}

impl Carried {
    /// What the whole plan moves, in the order of a state's parts.
    pub fn changes(&self) -> Vec<Change> {
        Change::between(&self.journal.plan.from, &self.journal.plan.to)
    }
}
