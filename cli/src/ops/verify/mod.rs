//! `verify`: whether an environment is what it should be, in stages, each of which says how far
//! it went: read, loaded or ran. A stage that could not look says so and proves nothing.

mod commands;
mod files;
mod framework;
mod host;
mod import;
mod memory;
mod outcome;
mod program;
mod rocm;

use std::time::{Duration, Instant};

use rocmenv_manifests::generation::Generation;
use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::project::Project;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::RocmVersion;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::target::Mismatch;
use rocmenv_store::generation::{self, GenerationError};
use rocmenv_store::layout::GenerationLayout;
use rocmenv_store::report::Reporter;

pub use commands::shell_words;
pub use memory::{Verified, last};
pub use outcome::{Finding, Level, Result, StageOutcome, VerifyOutcome};

use super::environment::{self, Current};
use super::host::HostOptions;
use super::place::Place;
use super::stores::Stores;
use super::trust::Trust;
use super::{files as files_of_disk, fitness, lock, project, registry};
use crate::context::Context;
use crate::error::{Error, Exit, Failure};

/// What to verify and how.
#[derive(Debug, Clone)]
pub struct VerifyOptions {
    /// Only these stages, by their ids; all where none is named.
    pub only: Vec<String>,
    /// Whether every byte is read.
    pub deep: bool,
    /// Whether a missing AMD GPU is a failure.
    pub require_gpu: bool,
    /// How long each program may run; `None` for as long as it takes.
    pub limit: Option<Duration>,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self { only: Vec::new(), deep: false, require_gpu: false, limit: Some(LIMIT) }
    }
}

/// How long each program may run where nobody says otherwise.
pub const LIMIT: Duration = Duration::from_mins(10);

/// What a stage may look at.
pub struct Subject<'s> {
    /// The call.
    pub context: &'s Context,
    /// The environment.
    pub current: &'s Current,
    /// Its record.
    pub record: &'s Generation,
    /// How it was asked.
    pub options: &'s VerifyOptions,
    /// Whether the project's commands may be run.
    pub trust: Trust,
    /// The contract that it was made under: how many predicates, and which this host fails.
    pub contract: (usize, Vec<Mismatch>),
    /// rocm.toml.
    pub project: &'s Project,
    /// The registry.
    pub registry: &'s Registry,
    /// The host, as read.
    pub facts: &'s HostFacts,
    /// The release that the environment was locked for, where it names one.
    pub rocm: Option<RocmVersion>,
    /// The stores.
    pub stores: Stores,
}

impl Subject<'_> {
    /// What it means that a GPU or a part of the way to it is not there.
    fn without_gpu(&self) -> Result {
        if self.options.require_gpu { Result::Failed } else { Result::Skipped }
    }
}

/// One stage.
pub trait Stage {
    /// Its stable id.
    fn id(&self) -> &'static str;

    /// How far it goes.
    fn level(&self) -> Level;

    /// Looks.
    fn look(&self, subject: &Subject<'_>, reporter: &dyn Reporter) -> Vec<Finding>;
}

/// The stages, in the order in which they are asked.
pub fn stages() -> [&'static dyn Stage; 7] {
    [
        &host::Host,
        &files::Files,
        &rocm::Rocm,
        &import::Import,
        &framework::Framework,
        &framework::Gpus,
        &commands::Commands,
    ]
}

/// Verifies the current generation. `trust` is what the user said of the project's commands.
///
/// # Errors
/// There is no environment, or it cannot be read. What is wrong with it is in the outcome.
pub fn verify(
    context: &Context,
    options: &VerifyOptions,
    trust: Trust,
) -> std::result::Result<VerifyOutcome, Error> {
    check_stages(&options.only)?;
    let opened = project::open_environment(context)?;
    let registry = registry::load(context)?;
    let current = environment::current(context)?;
    let place = Place::find(context)?;
    let layout = GenerationLayout::at(current.generation.clone());
    let record = generation::read(&layout).map_err(VerifyError::Record)?;
    let facts = super::host::facts(context, &registry, &HostOptions::default())?;
    let contract = fitness::contract(&place, &layout)?;
    let subject = Subject {
        context,
        current: &current,
        record: &record,
        options,
        trust,
        contract: (contract.items.len(), fitness::failing(&contract, &facts, &registry)),
        project: &opened.project,
        registry: &registry,
        facts: &facts,
        rocm: locked_rocm(&layout, &record)?,
        stores: Stores::of(context, current.root.folder())?,
    };
    let is_asked = |stage: &&dyn Stage| {
        options.only.is_empty() || options.only.iter().any(|id| id == stage.id())
    };
    let stages =
        stages().into_iter().filter(is_asked).map(|stage| outcome_of(stage, &subject)).collect();
    let outcome = VerifyOutcome { generation: record.number, stages };
    memory::keep(context, &layout, options, &outcome)?;
    Ok(outcome)
}

/// Asks a stage; a look that does not say how far it went, went as far as its stage does.
fn outcome_of(stage: &dyn Stage, subject: &Subject<'_>) -> StageOutcome {
    let start = Instant::now();
    let mut findings = stage.look(subject, &*subject.context.reporter);
    for finding in &mut findings {
        finding.level = match finding.result {
            Result::Skipped => None,
            _ => finding.level.or(Some(stage.level())),
        };
    }
    let seconds = start.elapsed().as_secs_f64();
    StageOutcome { stage: stage.id(), level: stage.level(), findings, seconds }
}

/// The release of the lock that the generation was made of.
fn locked_rocm(
    layout: &GenerationLayout,
    record: &Generation,
) -> std::result::Result<Option<RocmVersion>, Error> {
    let text = files_of_disk::read_optional(&layout.root().join("rocm.lock"))?;
    let lock = text.as_deref().map(Lock::parse).transpose()?.unwrap_or_default();
    Ok(lock::locked(&lock, &record.target, &record.env).and_then(|one| one.rocm.clone()))
}

fn check_stages(only: &[String]) -> std::result::Result<(), VerifyError> {
    let known = stages().map(Stage::id);
    match only.iter().find(|id| !known.contains(&id.as_str())) {
        Some(id) => Err(VerifyError::NoStage { id: id.clone(), known: known.to_vec() }),
        None => Ok(()),
    }
}

/// Nothing could be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The record cannot be read.
    #[error("the record of the environment cannot be used")]
    Record(#[source] GenerationError),
    /// No such stage.
    #[error("there is no stage `{id}`")]
    NoStage {
        /// As written.
        id: String,
        /// Those that there are.
        known: Vec<&'static str>,
    },
}

impl Failure for VerifyError {
    fn exit(&self) -> Exit {
        match self {
            Self::Record(inner) => inner.exit(),
            Self::NoStage { .. } => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Record(inner) => inner.code(),
            Self::NoStage { .. } => None,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Record(inner) => inner.help(),
            Self::NoStage { known, .. } => Some(format!("rocmenv verify {}", known.join(" "))),
        }
    }
}
