//! One stage of the environment: rocm.toml is moved on, locked and synced, then verified; what
//! does not verify is taken back.

use std::path::PathBuf;

use rocmenv_manifests::project::Project;
use rocmenv_manifests::upgrade::{EnvironmentStep, Stage};
use rocmenv_resolver::bench::{Judgement, OperationComparison};
use rocmenv_resolver::solve::Moves;
use rocmenv_store::generation::{self, EnvWriter};
use rocmenv_store::layout::EnvLayout;
use rocmenv_store::report::Reporter;

use super::UpgradeError;
use super::journal::{Journal, restore_files};
use super::moving::moved;
use super::planning::{Subject, for_target};
use crate::context::Context;
use crate::error::Error;
use crate::ops::bench::{GateAnswer, Gated};
use crate::ops::files;
use crate::ops::lock::{self, Inputs, LockOptions};
use crate::ops::sync::{self, SyncOptions, SyncOutcome};
use crate::ops::trust::Trust;
use crate::ops::verify::{self, VerifyOptions, VerifyOutcome};

/// A stage that was carried out and verified, or did not verify.
#[derive(Debug)]
pub struct Made {
    /// What the sync did.
    pub synced: SyncOutcome,
    /// What was looked at afterwards.
    pub verified: VerifyOutcome,
    /// What was measured in it and in the generation before.
    pub benches: Vec<Gated>,
}

impl Made {
    /// Whether nothing speaks against it.
    pub fn has_passed(&self) -> bool {
        self.verified.has_passed() && self.benches.iter().all(Gated::has_passed)
    }
}

/// Locks, syncs and verifies.
///
/// # Errors
/// Nothing fits, nothing can be fetched, or the environment cannot be made. The project's files
/// may be changed then; the caller puts them back.
pub(super) async fn make(
    context: &Context,
    journal: &Journal,
    stage: &Stage,
    step: &EnvironmentStep,
    trust: Trust,
) -> Result<Made, Error> {
    let context = for_target(context, &journal.target, &journal.env);
    let reporter: &dyn Reporter = context.reporter.as_ref();
    move_on(&context, journal, stage, step)?;
    let inputs = Inputs::read(&context)?;
    let options = LockOptions { moves: moves_of(step), ..LockOptions::default() };
    let locked = lock::lock(&context, &inputs, &options, reporter).await?;
    check_release(&locked.lock, journal, step)?;
    let layout = EnvLayout::new(inputs.opened.root.folder(), &journal.target, &journal.env);
    let current = generation::current(&layout)?;
    let groups = match current {
        Some(number) => generation::read(&layout.generation(number))?.groups,
        None => Vec::new(),
    };
    let options = SyncOptions { groups, bytecode: true, ..SyncOptions::default() };
    let synced = sync::sync(&context, &inputs, &options, reporter).await?;
    let only = ["files", "import", "commands"].map(str::to_owned).to_vec();
    let verified =
        verify::verify(&context, &VerifyOptions { only, ..VerifyOptions::default() }, trust)?;
    Ok(Made { synced, verified, benches: Vec::new() })
}

/// Writes rocm.toml as the stage needs it.
fn move_on(
    context: &Context,
    journal: &Journal,
    stage: &Stage,
    step: &EnvironmentStep,
) -> Result<(), Error> {
    let before = Inputs::read(context)?;
    let begin = files::read(&journal.first_copies().join("rocm.toml"))?;
    let begin = Project::parse("rocm.toml", &begin)?;
    let subject = Subject::named(&before, Some(&journal.target), journal.env.clone())?;
    let text = moved(&before.opened, &before.registry, &subject, stage, step, &begin)?;
    if text != before.opened.text {
        Project::parse("rocm.toml", &text)?;
        files::replace(&before.opened.root.manifest(), &text)?;
    }
    Ok(())
}

/// What a stage moves of the lock before it.
pub(super) fn moves_of(step: &EnvironmentStep) -> Moves {
    let frameworks = step.frameworks.iter().map(|one| one.name.clone());
    Moves::Named(frameworks.chain(["rocm".to_owned(), "python".to_owned()]).collect())
}

/// The lock holds the release that the plan says, not another one that fits as well.
fn check_release(
    lock: &rocmenv_manifests::lock::Lock,
    journal: &Journal,
    step: &EnvironmentStep,
) -> Result<(), UpgradeError> {
    let locked = lock::locked(lock, &journal.target, &journal.env);
    let found = locked.and_then(|locked| locked.rocm.clone());
    match (&step.rocm, found) {
        (Some(wanted), Some(found)) if found.series() != wanted.series() => {
            Err(UpgradeError::OtherRelease { wanted: wanted.clone(), found })
        }
        _ => Ok(()),
    }
}

/// Takes a stage back: the files of the project, then the generation that was current.
///
/// # Errors
/// The disk fails; the journal still says that the stage is half done then.
pub(super) fn take_back(
    inputs: &Inputs,
    journal: &mut Journal,
    stage: u32,
    before: Option<u32>,
) -> Result<(), Error> {
    restore_files(&inputs.opened.root, &journal.copies_of(stage))?;
    let Some(before) = before else { return Ok(()) };
    let layout = EnvLayout::new(inputs.opened.root.folder(), &journal.target, &journal.env);
    let writer = EnvWriter::lock(layout.clone())?;
    writer.switch(before)?;
    if journal.began_at == Some(before) {
        writer.unpin(before)?;
        journal.pinned = false;
    }
    generation::point_venv_at(&layout, before)?;
    Ok(())
}

/// Keeps why a stage was taken back.
///
/// # Errors
/// It cannot be written.
pub(super) fn keep_evidence(
    journal: &Journal,
    stage: &Stage,
    made: &Made,
) -> Result<PathBuf, Error> {
    let path = journal.copies.join(format!("evidence-{}.json", stage.number));
    let evidence = serde_json::json!({
        "stage": stage,
        "verification": made.verified,
        "benches": made.benches,
    });
    files::replace(&path, &format!("{evidence:#}\n"))?;
    Ok(path)
}

/// Keeps the generation of the beginning, whatever `keep-generations` says, as long as the
/// upgrade lasts and another one is current.
///
/// # Errors
/// The disk fails.
pub(super) fn hold_first(inputs: &Inputs, journal: &mut Journal) -> Result<(), Error> {
    let Some(first) = journal.began_at else { return Ok(()) };
    let layout = EnvLayout::new(inputs.opened.root.folder(), &journal.target, &journal.env);
    if journal.pinned || generation::current(&layout)? == Some(first) {
        return Ok(());
    }
    EnvWriter::lock(layout)?.pin(first)?;
    journal.pinned = true;
    Ok(())
}

/// What speaks against it, one line each.
pub fn failures(made: &Made) -> Vec<String> {
    let findings = made.verified.stages.iter().flat_map(|stage| &stage.findings);
    let failed = findings.filter(|finding| finding.result == verify::Result::Failed);
    let failed = failed.map(|finding| format!("{}: {}", finding.what, finding.detail));
    failed.chain(made.benches.iter().filter_map(slower)).collect()
}

fn slower(gated: &Gated) -> Option<String> {
    let said = match &gated.answer {
        GateAnswer::NotRun { .. } => return None,
        GateAnswer::Broken { why } => {
            format!("it ran in the generation before and does not in this one: {why}")
        }
        GateAnswer::Compared { comparison, .. } => {
            let slower = |one: &&OperationComparison| one.judgement == Judgement::Slower;
            let words = |one: &OperationComparison| {
                let time = one.time.as_ref()?;
                let OperationComparison { operation, .. } = one;
                let (low, high) = (time.low, time.high);
                Some(format!(
                    "{operation} takes {:.3} times as long ({low:.3} to {high:.3})",
                    time.ratio
                ))
            };
            let found: Vec<String> =
                comparison.operations.iter().filter(slower).filter_map(words).collect();
            if found.is_empty() {
                return None;
            }
            found.join(", ")
        }
    };
    Some(format!("bench {}: {said}", gated.bench))
}
