//! The gate of an upgrade: what `[verify] bench` names is measured in the generation that was and
//! in the new one, in turn, and what became slower speaks against the new one.
//!
//! Where nothing can be measured (no GPU, no PyTorch) the gate says so and lets pass: it proves
//! nothing then, and an upgrade is not held back for it.

use rocmenv_manifests::project::BenchRequest;
use rocmenv_resolver::bench::{self, Bench, Comparison, Measurement, Tolerance};
use serde::Serialize;

use super::{history, runner};
use crate::context::Context;
use crate::error::Error;
use crate::ops::environment::Current;

/// What is compared.
pub struct Gate<'g> {
    /// The call.
    pub context: &'g Context,
    /// What `[verify] bench` names.
    pub requests: &'g [BenchRequest],
    /// Whether the host has a GPU at all.
    pub has_gpu: bool,
}

/// What came of one measurement.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Gated {
    /// What was asked for.
    pub bench: String,
    /// What came of it.
    pub answer: GateAnswer,
}

/// An answer of the gate.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GateAnswer {
    /// Both generations were measured.
    Compared {
        /// The operations.
        comparison: Comparison,
        /// Whether the runs of the old generation are kept ones, because it cannot run now.
        kept_baseline: bool,
    },
    /// Nobody could measure.
    NotRun {
        /// Why.
        why: String,
    },
    /// The old generation can be measured and the new one cannot.
    Broken {
        /// What the program said.
        why: String,
    },
}

impl Gated {
    /// Whether nothing speaks against the new generation.
    pub fn has_passed(&self) -> bool {
        match &self.answer {
            GateAnswer::Compared { comparison, .. } => !comparison.is_slower(),
            GateAnswer::NotRun { .. } => true,
            GateAnswer::Broken { .. } => false,
        }
    }
}

impl Gate<'_> {
    /// Measures a generation before anything changes, so that there is something to compare with
    /// where it cannot run later. What cannot be measured is left out: the gate says it.
    ///
    /// # Errors
    /// A run cannot be kept.
    pub fn keep_baseline(&self, current: &Current) -> Result<(), Error> {
        for request in self.requests.iter().filter(|_| self.has_gpu) {
            let Some(bench) = Bench::named(&request.name) else { continue };
            for number in 1..=RUNS {
                match self.run(bench, request, current, number) {
                    Ok(run) if !is_on_cpu(&run) => self.keep(current, run)?,
                    _ => break,
                }
            }
        }
        Ok(())
    }

    /// Compares two generations, measurement by measurement.
    ///
    /// # Errors
    /// A run cannot be kept, or the kept ones cannot be read.
    pub fn compare(&self, old: &Current, new: &Current) -> Result<Vec<Gated>, Error> {
        let one = |request: &BenchRequest| {
            Ok(Gated { bench: request.to_string(), answer: self.answer(request, old, new)? })
        };
        self.requests.iter().map(one).collect()
    }

    fn answer(
        &self,
        request: &BenchRequest,
        old: &Current,
        new: &Current,
    ) -> Result<GateAnswer, Error> {
        let not_run = |why: &str| Ok(GateAnswer::NotRun { why: why.to_owned() });
        let Some(bench) = Bench::named(&request.name) else {
            return not_run("rocmenv has no measurement of this name");
        };
        if !self.has_gpu {
            return not_run("this host has no AMD GPU");
        }
        let first_new = self.run(bench, request, new, 1);
        if first_new.as_ref().is_ok_and(is_on_cpu) {
            return not_run("PyTorch sees no GPU, and the CPU says nothing of one");
        }
        let first_old = self.run(bench, request, old, 1);
        let (first_new, first_old) = match (first_new, first_old) {
            (Ok(new), old) => (new, old),
            (Err(why), Err(_)) => return not_run(&last_words(&why)),
            (Err(why), Ok(_)) => return Ok(GateAnswer::Broken { why: last_words(&why) }),
        };
        let mut after = vec![first_new];
        let mut before = Vec::new();
        let kept_baseline = match first_old {
            Ok(run) => {
                before.push(run);
                false
            }
            Err(why) => {
                before = kept(self.context, bench, old, &after[0])?;
                if before.len() < RUNS {
                    let why = last_words(&why);
                    return not_run(&format!(
                        "the generation before cannot be measured any more ({why}), and no \
                         {RUNS} runs of it are kept"
                    ));
                }
                true
            }
        };
        // In turn, so that what changes with time (heat, other work) meets both alike.
        for number in 2..=RUNS {
            if !kept_baseline {
                before.push(self.run(bench, request, old, number)?);
            }
            after.push(self.run(bench, request, new, number)?);
        }
        let comparison = bench::compare(&before, &after, Tolerance::default());
        if !kept_baseline {
            before.into_iter().try_for_each(|run| self.keep(old, run))?;
        }
        after.into_iter().try_for_each(|run| self.keep(new, run))?;
        Ok(GateAnswer::Compared { comparison, kept_baseline })
    }

    fn run(
        &self,
        bench: Bench,
        request: &BenchRequest,
        current: &Current,
        number: usize,
    ) -> Result<Measurement, Error> {
        runner::run(self.context, current, bench, &request.arguments, (number, RUNS))
    }

    fn keep(&self, current: &Current, measurement: Measurement) -> Result<(), Error> {
        let generation = history::number(current);
        let run = history::run(self.context, generation, None, measurement);
        history::append(&history::path(self.context)?, &run)
    }
}

/// The newest kept runs of a generation on the device of `like`.
fn kept(
    context: &Context,
    bench: Bench,
    current: &Current,
    like: &Measurement,
) -> Result<Vec<Measurement>, Error> {
    let generation = history::number(current);
    let is_alike = |run: &history::Run| {
        run.generation == generation
            && run.measurement.bench == bench
            && run.measurement.software.device == like.software.device
    };
    let all = history::read_all(context)?.into_iter().filter(is_alike);
    let mut found: Vec<Measurement> = all.map(|run| run.measurement).collect();
    Ok(found.split_off(found.len().saturating_sub(RUNS)))
}

fn is_on_cpu(measurement: &Measurement) -> bool {
    measurement.software.device.as_deref() == Some("cpu")
}

fn last_words(error: &Error) -> String {
    error.chain().join(": ")
}

/// As many as the comparison needs to be sure (`Tolerance::runs`).
const RUNS: usize = 5;
