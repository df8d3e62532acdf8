//! `upgrade --abort`: back to where an upgrade began.

use rocmenv_manifests::upgrade::Step as PlannedStep;
use rocmenv_store::generation::{self, EnvWriter};
use rocmenv_store::layout::EnvLayout;

use super::UpgradeError;
use super::driver_files::NotKept;
use super::host_commands::{self, DriverFiles, HostCommands, Situation};
use super::journal::{Journal, restore_files};
use super::waiting::of_driver;
use crate::context::Context;
use crate::error::Error;
use crate::ops::lock::Inputs;

/// Returns to where an upgrade began: the project's files and the generation. What the user did
/// to the host is the user's to undo; the commands for it are given, last step first.
///
/// # Errors
/// None is under way, or the disk fails.
pub fn abort(context: &Context) -> Result<(Journal, Vec<HostCommands>), Error> {
    let inputs = Inputs::read(context);
    let root = context.project()?;
    let mut journal = Journal::read(&root)?.ok_or(UpgradeError::NotUnderWay)?;
    if !context.settings.dry_run {
        restore_files(&root, &journal.first_copies())?;
        let layout = EnvLayout::new(root.folder(), &journal.target, &journal.env);
        if let Some(first) = journal.began_at {
            let writer = EnvWriter::lock(layout.clone())?;
            writer.switch(first)?;
            // Whoever was killed may have pinned it without a word in the journal.
            writer.unpin(first)?;
            journal.pinned = false;
            generation::point_venv_at(&layout, first)?;
        }
        Journal::remove(&root)?;
    }
    let registry = match inputs {
        Ok(inputs) => inputs.registry,
        // A rocm.toml that was half edited does not matter here: it was put back.
        Err(_) => crate::ops::registry::load(context)?,
    };
    let done = journal.plan.stages.iter().take(journal.done).rev();
    let undone = done.filter_map(|stage| {
        let PlannedStep::Host(step) = &stage.step else { return None };
        let situation =
            Situation { os: stage.to.os.as_ref(), to: &stage.from, registry: &registry };
        let (new, old) = of_driver(&journal.drivers, step);
        let none = NotKept::NoKey;
        let files = DriverFiles { new: new.ok_or(&none), old };
        Some(host_commands::of_step(step, &situation, files))
    });
    let undone = undone.collect();
    Ok((journal, undone))
}
