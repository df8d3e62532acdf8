//! Three symptoms as people meet them, each a diagnosis of its own: what is checked, in which
//! order, what was seen, and the first thing that is wrong.
//!
//! A step is answered by the rules' findings; where none of its faults was found it says what the
//! facts show, or that they do not say.

mod order;
mod seen;

use serde::Serialize;

use super::Diagnosis;
use super::facts::Facts;

/// A symptom to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symptom {
    /// rocminfo (or HIP) sees no GPU.
    NoGpu,
    /// The GPU is there and the framework does not use it.
    FrameworkIgnoresGpu,
    /// Training is slower than it should be.
    SlowTraining,
}

/// A symptom, walked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Walk {
    /// The symptom.
    pub symptom: Symptom,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// The code of the first fault on the way, the cause that is to be mended first.
    pub cause: Option<String>,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Step {
    /// What is asked.
    pub question: &'static str,
    /// How it came out.
    pub outcome: Outcome,
    /// What was looked at and seen.
    pub seen: String,
    /// The faults that were found at it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
}

/// How a step came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing is wrong here.
    Fine,
    /// Something is.
    Fault,
    /// The facts do not say.
    NotKnown,
}

/// Walks a symptom.
pub fn walk(symptom: Symptom, facts: &Facts, diagnosis: &Diagnosis) -> Walk {
    let steps: Vec<Step> = order::steps(symptom)
        .iter()
        .map(|planned| {
            let findings: Vec<String> = diagnosis
                .findings
                .iter()
                .filter(|finding| planned.faults.contains(&finding.code.as_str()))
                .map(|finding| finding.code.clone())
                .collect();
            let seen = (planned.seen)(facts);
            let outcome = match (findings.is_empty(), &seen) {
                (false, _) => Outcome::Fault,
                (true, Some(_)) => Outcome::Fine,
                (true, None) => Outcome::NotKnown,
            };
            let seen = seen.unwrap_or_else(|| format!("not known; {}", planned.ask));
            Step { question: planned.question, outcome, seen, findings }
        })
        .collect();
    let cause = steps.iter().find_map(|step| step.findings.first().cloned());
    Walk { symptom, steps, cause }
}
