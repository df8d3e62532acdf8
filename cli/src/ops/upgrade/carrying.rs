//! Carrying a plan out: stage after stage, to the next one that the user has to do, to a
//! verification that fails, or to the end.

use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::upgrade::{
    Answer, Change, Driver, EnvironmentStep, HostStep, Stage, Step as PlannedStep,
};
use rocmenv_manifests::version::RocmVersion;
use rocmenv_resolver::upgrade::{Unmet, unmet};
use rocmenv_store::generation::{self, EnvWriter};
use rocmenv_store::layout::EnvLayout;

use super::driver_files::{self, KeptDriver, NotKept};
use super::host_commands::{self, DriverFiles, HostCommands, Situation};
use super::journal::{FORMAT, Journal, Phase, copy_files, restore_files};
use super::planning::{self, Subject, uses_rocm_of_host};
use super::stage::{self, Made, describe, failures};
use super::{Action, UpgradeError, UpgradeOptions};
use crate::context::Context;
use crate::error::Error;
use crate::ops::edit::document::ManifestText;
use crate::ops::files;
use crate::ops::lock::{self, Inputs};
use crate::ops::sync::SyncError;
use crate::ops::trust::Trust;
use crate::settings::Questions;

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
}

/// Why a call stopped.
#[derive(Debug)]
pub enum Ended {
    /// The plan is done.
    Done,
    /// The user has to change the host.
    Host(Box<HostWait>),
}

/// A step that the user has to take.
#[derive(Debug)]
pub struct HostWait {
    /// The stage.
    pub stage: u32,
    /// What to do.
    pub commands: HostCommands,
    /// What the host should be and is not.
    pub unmet: Vec<Unmet>,
    /// The files of the driver, where they are kept.
    pub kept: Option<KeptDriver>,
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
    while let Some(stage) = journal.next().cloned() {
        let inputs = Inputs::read(context)?;
        let subject = Subject::named(&inputs, Some(&journal.target), journal.env.clone())?;
        let carrying = Carrying { context, inputs: &inputs, subject: &subject, options };
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
        journal.phase = Phase::Ready;
        journal.write(&inputs.opened.root)?;
        steps.push(Step { stage, made });
    }
    end(&inputs, &journal)?;
    Ok(Carried { steps, ended: Ended::Done, journal })
}

struct Carrying<'c> {
    context: &'c Context,
    inputs: &'c Inputs,
    subject: &'c Subject,
    options: &'c UpgradeOptions,
}

impl Carrying<'_> {
    /// A stage of the host: `None` where the host already is what the stage says.
    async fn host(
        &self,
        journal: &mut Journal,
        stage: &Stage,
        step: &HostStep,
    ) -> Result<Option<HostWait>, Error> {
        let root = &self.inputs.opened.root;
        let probed = Subject::probed(self.inputs).state;
        let mut open = unmet(&self.inputs.registry, stage, &probed);
        if let HostStep::Firmware { to, .. } = step
            && self.context.settings.questions != Questions::AssumedYes
        {
            let part = rocmenv_manifests::upgrade::Part::Firmware;
            open.push(Unmet { part, wanted: to.clone(), found: None });
        }
        if open.is_empty() {
            self.describe(stage)?;
            return Ok(None);
        }
        let files = self.keep(journal, step).await?;
        journal.phase = Phase::Waiting;
        journal.write(root)?;
        let (kept, old) = of_driver(&journal.drivers, step);
        let commands = {
            let situation = Situation {
                os: stage.from.os.as_ref(),
                to: &stage.to,
                registry: &self.inputs.registry,
            };
            let new = kept.ok_or_else(|| files.as_ref().unwrap_or(&NotKept::NoKey));
            host_commands::of_step(step, &situation, DriverFiles { new, old })
        };
        let kept = kept.cloned();
        Ok(Some(HostWait { stage: stage.number, commands, unmet: open, kept }))
    }

    /// Keeps the files of the driver that comes and of the one that goes, as far as that can be.
    /// Gives why those of the new one are not kept.
    async fn keep(&self, journal: &mut Journal, step: &HostStep) -> Result<Option<NotKept>, Error> {
        let HostStep::Driver { from, to } = step else { return Ok(None) };
        let mut why = None;
        for (driver, is_new) in [(from, false), (to, true)] {
            let known = journal.drivers.iter().find(|kept| kept.driver == key(driver));
            if let Some(kept) = known {
                if !driver_files::is_intact(kept) {
                    let path = kept.files.first().and_then(|file| file.path.parent());
                    let path = path.map(std::path::Path::to_owned).unwrap_or_default();
                    let driver = key(driver);
                    return Err(UpgradeError::DriverDamaged { driver, path }.into());
                }
                continue;
            }
            match self.kept(driver, is_new).await? {
                Ok(kept) => journal.drivers.push(kept),
                Err(reason) if is_new => why = Some(reason),
                Err(_) => {}
            }
        }
        Ok(why)
    }

    async fn kept(
        &self,
        driver: &Driver,
        is_new: bool,
    ) -> Result<Result<KeptDriver, NotKept>, Error> {
        if let Driver::Adrenalin(_) = driver {
            return match self.options.installer.as_ref().filter(|_| is_new) {
                Some(file) => Ok(Ok(driver_files::keep_installer(self.context, driver, file)?)),
                None => Ok(Err(NotKept::NoInstaller)),
            };
        }
        let os = self.subject.as_target.os.as_ref().map(|os| &os.value);
        let reporter = self.context.reporter.as_ref();
        driver_files::keep(self.context, self.inputs, os, driver, reporter).await
    }

    /// A project that uses the host's own ROCm moves only after the host has the release.
    fn rocm_of_host(
        &self,
        journal: &mut Journal,
        stage: &Stage,
        step: &EnvironmentStep,
    ) -> Result<Option<HostWait>, Error> {
        let Some(wanted) = &step.rocm else { return Ok(None) };
        if !uses_rocm_of_host(&self.inputs.opened.project) {
            return Ok(None);
        }
        let found = self.rocm_found();
        if found.as_ref().is_some_and(|found| found.series() == wanted.series()) {
            return Ok(None);
        }
        journal.phase = Phase::Waiting;
        journal.write(&self.inputs.opened.root)?;
        let situation = Situation {
            os: stage.from.os.as_ref(),
            to: &stage.to,
            registry: &self.inputs.registry,
        };
        let commands = host_commands::of_rocm(found.as_ref(), wanted, &situation);
        let part = rocmenv_manifests::upgrade::Part::Rocm;
        let found = found.map(|found| found.to_string());
        let unmet = vec![Unmet { part, wanted: wanted.to_string(), found }];
        Ok(Some(HostWait { stage: stage.number, commands, unmet, kept: None }))
    }

    fn rocm_found(&self) -> Option<RocmVersion> {
        let name = rocmenv_manifests::name::TargetName::host();
        let target =
            rocmenv_resolver::target::from_host(name, &self.inputs.host, &self.inputs.registry);
        target.host_rocm.map(|rocm| rocm.value)
    }

    /// A stage of the environment, taken back where it does not verify.
    async fn environment(
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
        let made = match stage::make(self.context, journal, stage, step, trust).await {
            Ok(made) => made,
            Err(error) => {
                stage::take_back(self.inputs, journal, stage.number, before)?;
                journal.phase = Phase::Ready;
                journal.write(root)?;
                return Err(error);
            }
        };
        if !made.verified.has_passed() {
            let evidence = stage::keep_evidence(journal, stage, &made.verified)?;
            stage::take_back(self.inputs, journal, stage.number, before)?;
            journal.phase = Phase::TakenBack { evidence: evidence.clone() };
            journal.write(root)?;
            let failed = failures(&made.verified);
            return Err(UpgradeError::TakenBack { stage: stage.number, failed, evidence }.into());
        }
        stage::hold_first(self.inputs, journal)?;
        Ok(Some(made))
    }

    /// The description of a target follows its host.
    fn describe(&self, stage: &Stage) -> Result<(), Error> {
        if !self.subject.is_described {
            return Ok(());
        }
        let opened = &self.inputs.opened;
        let mut text = ManifestText::new(&opened.text).map_err(|_| UpgradeError::NotEditable)?;
        describe(&mut text, self.subject, &opened.project, &stage.to);
        if text.text() != opened.text {
            files::replace(&opened.root.manifest(), &text.text())?;
        }
        Ok(())
    }
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

/// The kept files of the driver that a step installs, and of the one that it replaces.
pub(super) fn of_driver<'d>(
    drivers: &'d [KeptDriver],
    step: &HostStep,
) -> (Option<&'d KeptDriver>, Option<&'d KeptDriver>) {
    let HostStep::Driver { from, to } = step else { return (None, None) };
    let kept = |driver: &Driver| drivers.iter().find(|one| one.driver == key(driver));
    (kept(to), kept(from))
}

/// The name that a driver's files are kept under.
fn key(driver: &Driver) -> String {
    match driver {
        Driver::Amd(release) => release.to_string(),
        other => other.to_string(),
    }
}

impl Carried {
    /// What the whole plan moves, in the order of a state's parts.
    pub fn changes(&self) -> Vec<Change> {
        Change::between(&self.journal.plan.from, &self.journal.plan.to)
    }
}
