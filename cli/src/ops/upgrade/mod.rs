//! `upgrade`: the plan, and its stages carried out one after the other.
//!
//! Stages of the environment are rocmenv's: the project's files are copied, rocm.toml is moved
//! on, locked and synced, then verified; what does not verify is taken back at once. Stages of
//! the host are the user's: the exact commands are printed and the call ends with exit 6. All
//! that has to be known afterwards is in the journal.

mod aborting;
mod carrying;
mod driver_files;
mod driver_packages;
mod environment;
mod error;
mod host_commands;
mod journal;
mod moving;
mod planning;
mod pricing;
mod stage;
mod waiting;

use std::path::PathBuf;

use rocmenv_manifests::upgrade::UpgradePlan;

pub use aborting::abort;
pub use carrying::{Carried, Ended, Step, carry};
pub use driver_files::{KeptDriver, KeptFile, NotKept};
pub use error::UpgradeError;
pub use host_commands::{HostCommands, kernel_commands, system_commands};
pub use journal::{Journal, JournalError, Phase};
pub use planning::UpgradeWish;
pub use stage::{Made, failures};
pub use waiting::HostWait;

pub(super) use planning::{Subject, for_target};

use self::host_commands::{DriverFiles, Situation};
use crate::context::Context;
use crate::error::Error;
use crate::ops::lock::Inputs;

/// What `upgrade` was asked.
#[derive(Debug, Clone, Default)]
pub struct UpgradeOptions {
    /// What to do.
    pub action: Action,
    /// Where to go.
    pub wish: UpgradeWish,
    /// The installer of a Windows driver, which is kept.
    pub installer: Option<PathBuf>,
}

/// What to do with a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Action {
    /// Show it.
    #[default]
    Plan,
    /// Begin.
    Apply,
    /// Go on.
    Continue,
    /// Return to where it began.
    Abort,
}

/// A plan with the commands of its host stages.
#[derive(Debug)]
pub struct Planned {
    /// The plan.
    pub plan: UpgradePlan,
    /// The commands of the stages of the host, by the stage's number.
    pub commands: Vec<(u32, HostCommands)>,
    /// The host's GPUs.
    pub gpus: Vec<String>,
}

/// Plans. Nothing is changed and nothing is fetched.
///
/// # Errors
/// The project, its lock or the host cannot be read.
pub fn planned(context: &Context, inputs: &Inputs, wish: &UpgradeWish) -> Result<Planned, Error> {
    let subject = Subject::of_call(context, inputs)?;
    let plan = planning::plan_for(context, inputs, &subject, wish)?;
    let commands = plan.stages.iter().filter_map(|stage| {
        let rocmenv_manifests::upgrade::Step::Host(step) = &stage.step else { return None };
        let situation =
            Situation { os: stage.from.os.as_ref(), to: &stage.to, registry: &inputs.registry };
        // What is kept is decided when the step comes.
        let files = DriverFiles { new: Err(&NotKept::NotYet), old: None };
        Some((stage.number, host_commands::of_step(step, &situation, files)))
    });
    let mut commands: Vec<(u32, HostCommands)> = commands.collect();
    let shares = |number: u32| {
        plan.stages.iter().any(|stage| stage.number == number && stage.shares_reboot())
    };
    for together in commands.chunk_by_mut(|_, (after, _)| shares(*after)) {
        host_commands::share_reboot(together.iter_mut().map(|(_, one)| one).collect());
    }
    let gpus = super::journey::names(&subject.host(inputs));
    Ok(Planned { plan, commands, gpus })
}
