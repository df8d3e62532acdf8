//! Stages of the host: whether a new probe says that they are done, and what the user does where
//! it does not. Steps that share a reboot are shown together.

use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::upgrade::{
    Driver, EnvironmentStep, Expectation, HostStep, Part, Stage, Step as PlannedStep,
};
use rocmenv_manifests::version::RocmVersion;
use rocmenv_resolver::upgrade::{Unmet, unmet};

use super::UpgradeError;
use super::carrying::Carrying;
use super::driver_files::{self, KeptDriver, NotKept};
use super::host_commands::{self, DriverFiles, HostCommands, Situation};
use super::journal::{Journal, Phase};
use super::moving::describe;
use super::planning::{Subject, uses_rocm_of_host};
use crate::error::Error;
use crate::ops::edit::document::ManifestText;
use crate::ops::files;
use crate::settings::Questions;

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
    /// The steps after it that need no reboot of their own.
    pub together: Vec<HostWait>,
    /// The target, where it is another machine than this one, so that no probe says anything.
    pub elsewhere: Option<TargetName>,
}

impl Carrying<'_> {
    /// A stage of the host: `None` where the host already is what the stage says.
    pub(super) async fn host(
        &self,
        journal: &mut Journal,
        stage: &Stage,
        step: &HostStep,
    ) -> Result<Option<HostWait>, Error> {
        let Some(mut wait) = self.step(journal, stage, step).await? else {
            self.describe(stage)?;
            return Ok(None);
        };
        for next in journal.sharing_reboot() {
            let PlannedStep::Host(step) = &next.step else { break };
            wait.together.extend(self.step(journal, &next, step).await?);
        }
        let HostWait { commands, together, .. } = &mut wait;
        let others = together.iter_mut().map(|other| &mut other.commands);
        host_commands::share_reboot(std::iter::once(commands).chain(others).collect());
        Ok(Some(wait))
    }

    async fn step(
        &self,
        journal: &mut Journal,
        stage: &Stage,
        step: &HostStep,
    ) -> Result<Option<HostWait>, Error> {
        let unmet = self.unmet(stage);
        if unmet.is_empty() {
            return Ok(None);
        }
        let files = self.keep(journal, step).await?;
        journal.phase = Phase::Waiting;
        journal.write(&self.inputs.opened.root)?;
        let (kept, old) = of_driver(&journal.drivers, step);
        let new = kept.ok_or_else(|| files.as_ref().unwrap_or(&NotKept::NoKey));
        let commands =
            host_commands::of_step(step, &self.situation(stage), DriverFiles { new, old });
        let kept = kept.cloned();
        Ok(Some(self.wait(stage, commands, unmet, kept)))
    }

    fn wait(
        &self,
        stage: &Stage,
        commands: HostCommands,
        unmet: Vec<Unmet>,
        kept: Option<KeptDriver>,
    ) -> HostWait {
        let elsewhere = self.elsewhere().cloned();
        HostWait { stage: stage.number, commands, unmet, kept, together: Vec::new(), elsewhere }
    }

    fn situation<'s>(&'s self, stage: &'s Stage) -> Situation<'s> {
        Situation { os: stage.from.os.as_ref(), to: &stage.to, registry: &self.inputs.registry }
    }

    /// What the host should be and is not, or nobody sees and the user has not said.
    fn unmet(&self, stage: &Stage) -> Vec<Unmet> {
        if self.elsewhere().is_some() {
            return if self.is_confirmed() { Vec::new() } else { unseen(stage) };
        }
        let probed = Subject::probed(self.inputs).state;
        let mut open = unmet(&self.inputs.registry, stage, &probed);
        if self.context.settings.questions == Questions::AssumedYes {
            // Where a probe reads the firmware, its word stands.
            open.retain(|one| one.part != Part::Firmware || one.found.is_some());
        }
        open
    }

    /// Whether a probe says of a stage of the host that it is done.
    pub(super) fn sees(&self, stage: &Stage) -> bool {
        let probed = Subject::probed(self.inputs).state;
        self.elsewhere().is_none() && unmet(&self.inputs.registry, stage, &probed).is_empty()
    }

    /// The target, where it is a described machine that is not this one and no file of its facts
    /// was handed over.
    fn elsewhere(&self) -> Option<&TargetName> {
        let subject = self.subject;
        let is_seen = self.context.settings.host_file.is_some() || subject.is_here(self.inputs);
        (subject.is_described && !is_seen).then_some(&subject.target)
    }

    /// Whether the user says of a step that was shown before that it is done.
    fn is_confirmed(&self) -> bool {
        self.is_answered && self.context.settings.questions == Questions::AssumedYes
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
    pub(super) fn rocm_of_host(
        &self,
        journal: &mut Journal,
        stage: &Stage,
        step: &EnvironmentStep,
    ) -> Result<Option<HostWait>, Error> {
        let Some(wanted) = &step.rocm else { return Ok(None) };
        if !uses_rocm_of_host(&self.inputs.opened.project) {
            return Ok(None);
        }
        let is_elsewhere = self.elsewhere().is_some();
        let found = if is_elsewhere { stage.from.rocm.clone() } else { self.rocm_found() };
        let is_there = found.as_ref().is_some_and(|found| found.series() == wanted.series());
        if is_there || (is_elsewhere && self.is_confirmed()) {
            return Ok(None);
        }
        journal.phase = Phase::Waiting;
        journal.write(&self.inputs.opened.root)?;
        let commands = host_commands::of_rocm(found.as_ref(), wanted, &self.situation(stage));
        let found = found.filter(|_| !is_elsewhere).map(|found| found.to_string());
        let unmet = vec![Unmet { part: Part::Rocm, wanted: wanted.to_string(), found }];
        Ok(Some(self.wait(stage, commands, unmet, None)))
    }

    fn rocm_found(&self) -> Option<RocmVersion> {
        let name = TargetName::host();
        let target =
            rocmenv_resolver::target::from_host(name, &self.inputs.host, &self.inputs.registry);
        target.host_rocm.map(|rocm| rocm.value)
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

/// What a stage's host must be, where nobody can look.
fn unseen(stage: &Stage) -> Vec<Unmet> {
    let wanted = stage.verification.iter().filter_map(|expectation| match expectation {
        Expectation::Probe { part, is } | Expectation::Confirm { part, is } => Some((part, is)),
        _ => None,
    });
    wanted.map(|(part, is)| Unmet { part: part.clone(), wanted: is.clone(), found: None }).collect()
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
