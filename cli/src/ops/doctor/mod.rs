//! `doctor`: brings the evidence together and lets the resolver judge it.

mod error;
mod fix;
mod input;
mod packed;

use std::path::PathBuf;

use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::RocmVersion;
use rocmenv_resolver::diagnose::facts::Facts;
use rocmenv_resolver::diagnose::requirements::{self, Answer, Question, Workload};
use rocmenv_resolver::diagnose::walks::{self, Symptom, Walk};
use rocmenv_resolver::diagnose::{self, Diagnosis, Evidence, capture};

use super::{files, registry};
use crate::context::Context;
use crate::error::Error;

pub use error::DoctorError;
pub use fix::{Fix, fix_of};

/// What to do.
#[derive(Debug, Clone)]
pub struct DoctorOptions {
    /// What is diagnosed in place of this machine.
    pub from: Option<PathBuf>,
    /// Outputs and logs to read as well.
    pub logs: Vec<PathBuf>,
    /// What is wanted.
    pub task: Task,
}

/// What is wanted.
#[derive(Debug, Clone)]
pub enum Task {
    /// All findings.
    Diagnose,
    /// One symptom, step by step.
    Symptom(Symptom),
    /// The environment matrix.
    Requirements(RequirementOptions),
    /// A capture in this file.
    Capture(PathBuf),
    /// To mend this code.
    Fix(String),
}

/// What the requirements are for.
#[derive(Debug, Clone)]
pub struct RequirementOptions {
    /// The workload.
    pub workload: Workload,
    /// The release; the newest one where none is said.
    pub rocm: Option<RocmVersion>,
    /// The power supply in W.
    pub power_supply: Option<u32>,
}

/// The evidence of a call.
pub struct Case {
    registry: Registry,
    evidence: Evidence,
    names: Vec<String>,
}

impl Case {
    /// Reads what there is to read.
    ///
    /// # Errors
    /// A file that was named cannot be used.
    pub fn open(context: &Context, options: &DoctorOptions) -> Result<Self, Error> {
        let registry = registry::load(context)?;
        let keep = match options.task {
            Task::Capture(_) => input::Keep::Files,
            _ => input::Keep::Facts,
        };
        let mut evidence = match &options.from {
            Some(path) => input::from(&context.cwd.join(path), &registry, keep)?,
            None => input::here(context, &registry, keep)?,
        };
        for log in &options.logs {
            evidence.texts.push(input::text(&context.cwd.join(log))?);
        }
        Ok(Self { registry, evidence, names: input::names(context) })
    }

    /// The facts and what the rules say of them.
    pub fn diagnose(&self) -> (Facts, Diagnosis) {
        let facts = diagnose::gather(self.evidence.clone(), &self.registry);
        let diagnosis = diagnose::diagnose(&facts, &self.registry);
        (facts, diagnosis)
    }

    /// A symptom, walked.
    pub fn walk(&self, symptom: Symptom) -> (Walk, Diagnosis) {
        let (facts, diagnosis) = self.diagnose();
        (walks::walk(symptom, &facts, &diagnosis), diagnosis)
    }

    /// The machine against the environment matrix.
    pub fn requirements(&self, options: &RequirementOptions) -> Answer {
        let facts = diagnose::gather(self.evidence.clone(), &self.registry);
        let question = Question {
            workload: options.workload.clone(),
            rocm: options.rocm.clone(),
            power_supply: options.power_supply,
        };
        requirements::check(&facts, &question, &self.registry)
    }

    /// Writes the capture, scrubbed.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn capture(&self, context: &Context, file: &std::path::Path) -> Result<PathBuf, Error> {
        let sections = capture::write(&self.evidence, &self.names).map_err(DoctorError::Write)?;
        let path = context.cwd.join(file);
        let bytes = packed::bytes(&sections, &path)?;
        if !context.settings.dry_run {
            files::replace_bytes(&path, &bytes)?;
        }
        Ok(path)
    }
}
