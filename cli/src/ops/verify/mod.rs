//! `verify`: whether an environment is what it should be, in stages, each of which says how far
//! it went: read, loaded or ran. A stage that could not look says so and proves nothing.

mod commands;
mod files;
mod host;
mod import;

pub use files::installed_names;
use rocmenv_manifests::generation::Generation;
use rocmenv_manifests::lock::LockedTarget;
use rocmenv_manifests::project::Project;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::target::Target;
use rocmenv_store::generation::{self, GenerationError};
use rocmenv_store::layout::StoreLayout;
use rocmenv_store::report::Reporter;
use serde::Serialize;

use super::environment::{self, Current};
use super::host::HostOptions;
use super::locked::{self, LockedError};
use super::{project, registry};
use crate::context::Context;
use crate::error::{Error, Exit, Failure};

/// How far a stage went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Facts and files were read.
    Read,
    /// Modules and libraries were loaded.
    Loaded,
    /// Programs ran to their end.
    Ran,
}

/// What came of one look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Result {
    /// It is as it should be.
    Passed,
    /// It is not.
    Failed,
    /// It may be wrong, and was accepted before.
    Warned,
    /// Nobody could look.
    Skipped,
}

/// One look of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub what: String,
    /// What came of it.
    pub result: Result,
    /// In words, where there is something to say.
    pub detail: String,
}

/// A whole stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StageOutcome {
    /// The stage's stable id.
    pub stage: &'static str,
    /// How far it goes.
    pub level: Level,
    /// Its findings.
    pub findings: Vec<Finding>,
}

/// What `verify` found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VerifyOutcome {
    /// The generation that was looked at.
    pub generation: u32,
    /// The stages, in order.
    pub stages: Vec<StageOutcome>,
}

/// What a stage may look at.
pub struct Subject<'s> {
    /// The call.
    pub context: &'s Context,
    /// The environment.
    pub current: &'s Current,
    /// Its record.
    pub record: &'s Generation,
    /// Its part of the lock, where the lock has it.
    pub locked: Option<&'s LockedTarget>,
    /// rocm.toml.
    pub project: &'s Project,
    /// The host, as read.
    pub facts: &'s HostFacts,
    /// The host, as a solve sees it.
    pub host: &'s Target,
    /// The store.
    pub store: StoreLayout,
}

/// One stage. Later ones (libraries, kernels, numbers) come behind the same trait.
pub trait Stage {
    /// Its stable id.
    fn id(&self) -> &'static str;

    /// How far it goes.
    fn level(&self) -> Level;

    /// Looks.
    fn look(&self, subject: &Subject<'_>, reporter: &dyn Reporter) -> Vec<Finding>;
}

/// The stages, in the order in which they are asked.
pub fn stages() -> [&'static dyn Stage; 4] {
    [&host::Host, &files::Files, &import::Import, &commands::Commands]
}

/// Verifies the current generation.
///
/// # Errors
/// There is no environment, or it cannot be read. What is wrong with it is in the outcome.
pub fn verify(context: &Context, only: &[String]) -> std::result::Result<VerifyOutcome, Error> {
    check_stages(only)?;
    let opened = project::open(context)?;
    let registry = registry::load(context)?;
    let current = environment::current(context)?;
    let place = rocmenv_store::layout::GenerationLayout::at(current.generation.clone());
    let record = generation::read(&place).map_err(VerifyError::Record)?;
    let lock = match locked::read(&opened.root) {
        Ok(lock) => Some(lock),
        Err(LockedError::Missing) => None,
        Err(error) => return Err(error.into()),
    };
    let of_record =
        |target: &&LockedTarget| target.name == record.target && target.env == record.env;
    let locked = lock.as_ref().and_then(|lock| lock.targets.iter().find(of_record));
    let facts = super::host::facts(context, &registry, &HostOptions::default())?;
    let host = rocmenv_resolver::target::from_host(record.target.clone(), &facts, &registry);
    let subject = Subject {
        context,
        current: &current,
        record: &record,
        locked,
        project: &opened.project,
        facts: &facts,
        host: &host,
        store: StoreLayout::new(&context.data()?),
    };
    let asked = |stage: &&dyn Stage| only.is_empty() || only.iter().any(|id| id == stage.id());
    let stages = stages()
        .into_iter()
        .filter(asked)
        .map(|stage| StageOutcome {
            stage: stage.id(),
            level: stage.level(),
            findings: stage.look(&subject, &*context.reporter),
        })
        .collect();
    Ok(VerifyOutcome { generation: record.number, stages })
}

impl VerifyOutcome {
    /// Whether nothing failed.
    pub fn has_passed(&self) -> bool {
        let mut findings = self.stages.iter().flat_map(|stage| &stage.findings);
        findings.all(|finding| finding.result != Result::Failed)
    }
}

impl Finding {
    fn new(what: impl Into<String>, result: Result, detail: impl Into<String>) -> Self {
        Self { what: what.into(), result, detail: detail.into() }
    }
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
