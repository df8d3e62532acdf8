//! `bench`: measures through the environment's own framework, reads logs of other tools, keeps
//! every run, and compares two sets of them.

mod gate;
mod history;
mod programs;
mod runner;

use std::path::PathBuf;

use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::bench::{self, Bench, Comparison, Measurement, Published, Tolerance};

pub use gate::{Gate, GateAnswer, Gated};
pub use history::{Run, Selection, read_all};
pub use programs::Program;

use super::{environment, files, registry};
use crate::context::Context;
use crate::error::{Error, Exit, Failure};

/// What to measure.
#[derive(Debug, Clone)]
pub struct BenchOptions {
    /// Which measurement.
    pub bench: Bench,
    /// How often the program is started.
    pub runs: usize,
    /// Further arguments of the program.
    pub arguments: Vec<String>,
    /// A name for these runs, to compare with later.
    pub label: Option<String>,
}

/// What was measured.
#[derive(Debug, Clone)]
pub struct BenchOutcome {
    /// The runs, in order.
    pub runs: Vec<Run>,
    /// Earlier runs of the same measurement on the same device, oldest first.
    pub earlier: Vec<Run>,
    /// Published peaks: operation and size, and the peak.
    pub peaks: Vec<(String, u64, Published)>,
}

/// Measures and keeps the runs.
///
/// # Errors
/// There is no environment, the program failed, or nothing can be kept.
pub fn measure(context: &Context, options: &BenchOptions) -> Result<BenchOutcome, Error> {
    let registry = registry::load(context)?;
    let history = history::path(context)?;
    let before = history::read(&history)?;
    let current = environment::current(context)?;
    let number_of_generation = history::number(&current);
    let mut runs = Vec::new();
    for number in 1..=options.runs.max(1) {
        let place = (number, options.runs);
        let measurement = runner::run(context, &current, options.bench, &options.arguments, place)?;
        let label = options.label.clone();
        let run = history::run(context, number_of_generation, label, measurement);
        history::append(&history, &run)?;
        runs.push(run);
    }
    Ok(outcome(&registry, runs, before))
}

/// Reads a log of another tool and keeps it as a run.
///
/// # Errors
/// The file cannot be read, no tool printed it, or nothing can be kept.
pub fn import(
    context: &Context,
    file: &std::path::Path,
    operation: Option<&str>,
    label: Option<String>,
) -> Result<BenchOutcome, Error> {
    let registry = registry::load(context)?;
    let path = context.cwd.join(file);
    let text = files::read(&path)?;
    let measurement =
        bench::logs::read(&text, operation).map_err(|source| BenchError::Log { path, source })?;
    let history = history::path(context)?;
    let before = history::read(&history)?;
    let current = environment::current(context).ok();
    let generation = current.as_ref().and_then(history::number);
    let run = history::run(context, generation, label, measurement);
    history::append(&history, &run)?;
    Ok(outcome(&registry, vec![run], before))
}

/// Compares two selections of kept runs, each measurement that both have.
///
/// # Errors
/// A selection is empty, or both have no measurement in common.
pub fn compare(
    context: &Context,
    first: &str,
    second: &str,
    tolerance: Tolerance,
) -> Result<Vec<(Bench, Comparison)>, Error> {
    let select = |words: &str| -> Result<Vec<Run>, Error> {
        let selection = Selection::parse(context, words);
        let runs = selection.runs(context)?;
        if runs.is_empty() { Err(BenchError::Nothing(words.to_owned()).into()) } else { Ok(runs) }
    };
    let (first, second) = (select(first)?, select(second)?);
    let mut compared = Vec::new();
    for bench in [Bench::Memory, Bench::Collectives, Bench::Matmul, Bench::Serving] {
        let of = |runs: &[Run]| -> Vec<Measurement> {
            let runs = runs.iter().filter(|run| run.measurement.bench == bench);
            runs.map(|run| run.measurement.clone()).collect()
        };
        let (before, after) = (of(&first), of(&second));
        if !before.is_empty() && !after.is_empty() {
            compared.push((bench, bench::compare(&before, &after, tolerance)));
        }
    }
    if compared.is_empty() { Err(BenchError::Apart.into()) } else { Ok(compared) }
}

fn outcome(registry: &Registry, runs: Vec<Run>, before: Vec<Run>) -> BenchOutcome {
    let is_alike = |run: &Run| {
        runs.first().is_some_and(|now| {
            let (now, then) = (&now.measurement, &run.measurement);
            now.bench == then.bench && now.software.device == then.software.device
        })
    };
    let earlier = before.into_iter().filter(is_alike).collect();
    let mut peaks = Vec::new();
    if let Some(measurement) = runs.first().map(|run| &run.measurement) {
        let product = measurement.software.device.as_deref().unwrap_or_default();
        for row in &measurement.rows {
            if let Some(peak) = bench::published(registry, product, measurement.bench, row) {
                peaks.push((row.operation.clone(), row.size, peak));
            }
        }
    }
    BenchOutcome { runs, earlier, peaks }
}

/// Nothing was measured or compared.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Only a log can bring this.
    #[error("`{0}` is not measured by rocmenv itself")]
    NoProgram(&'static str),
    /// The program ended badly.
    #[error("the measuring program ended with {code}{}", after_colon(said))]
    Program {
        /// Its code, in words.
        code: String,
        /// The last that it said.
        said: String,
    },
    /// What it printed is no measurement.
    #[error("what the measuring program printed cannot be used")]
    Document(#[source] bench::DocumentError),
    /// A log of no known tool.
    #[error("`{}` cannot be read", path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// Why.
        source: bench::logs::LogError,
    },
    /// A kept file is damaged.
    #[error("line {line} of `{}` is no kept run", path.display())]
    History {
        /// The file.
        path: PathBuf,
        /// The line, from one.
        line: usize,
        /// Why.
        source: serde_json::Error,
    },
    /// A run holds a figure that JSON cannot hold.
    #[error("a run cannot be kept")]
    Unwritten(#[source] serde_json::Error),
    /// A selection without a run.
    #[error("no kept run is of `{0}`")]
    Nothing(String),
    /// Two selections that measured different things.
    #[error("the two sets of runs have no measurement in common")]
    Apart,
}

fn after_colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}

impl Failure for BenchError {
    fn exit(&self) -> Exit {
        match self {
            Self::Program { .. }
            | Self::Document(_)
            | Self::Unwritten(_)
            | Self::Nothing(_)
            | Self::Apart => Exit::Unmet,
            Self::NoProgram(_) | Self::Log { .. } => Exit::Usage,
            Self::History { .. } => Exit::Integrity,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Program { .. } | Self::Document(_) | Self::Unwritten(_) => Some("bench-failed"),
            Self::Log { .. } | Self::NoProgram(_) => Some("bench-log-unknown"),
            Self::History { .. } => Some("bench-history-damaged"),
            Self::Nothing(_) | Self::Apart => Some("bench-nothing-to-compare"),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NoProgram(_) | Self::Log { .. } => {
                Some("rocmenv bench import FILE --operation all_reduce".to_owned())
            }
            Self::Nothing(_) | Self::Apart => Some("rocmenv bench list".to_owned()),
            Self::Program { .. } | Self::Document(_) | Self::Unwritten(_) => {
                Some("rocmenv verify, then rocmenv bench again".to_owned())
            }
            Self::History { .. } => None,
        }
    }
}
