//! `doctor`: what is wrong with a machine or an environment, why, and the way out.
//!
//! Three steps, each its own module. `facts` are what is true (read by `probe` off a machine
//! through `Sysroot`, or by `parse` out of texts); `rules` are pure functions from facts to
//! findings; `remedies` turn a finding into the words and commands of the registry's catalogue
//! for this platform. `walks` put findings into the order of a diagnosis, `requirements` holds the
//! machine against the environment matrix, `capture` and `scrub` make it repeatable elsewhere.
//! Nothing here uses a network, and what nothing matches is said, never guessed.

pub mod capture;
pub mod facts;
pub mod parse;
pub mod probe;
pub mod remedies;
pub mod requirements;
pub mod rules;
pub mod scrub;
pub mod walks;

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::faults::Severity;
use serde::Serialize;

use crate::host::lookup::ProductLookup;
use facts::Facts;
use remedies::Diagnosed;

/// What a diagnosis starts from.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// Facts that are known already.
    pub facts: Facts,
    /// Outputs of tools and logs.
    pub texts: Vec<String>,
    /// Files that were read, by path below the root, for people: nothing is judged by them.
    pub seen: BTreeMap<String, String>,
}

/// Where files that were read stand in a capture.
const SEEN: &str = "seen/";

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Diagnosis {
    /// The faults, errors first.
    pub findings: Vec<Diagnosed>,
    /// Recognised lines that no finding explains.
    pub unexplained: Vec<String>,
    /// Lines that look like failures and that nothing recognises.
    pub unmatched: Vec<String>,
}

impl Diagnosis {
    /// The errors that count: those whose rule is sure of something.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnosed> {
        self.findings.iter().filter(|finding| {
            finding.severity == Severity::Error && finding.confidence != rules::Confidence::Possible
        })
    }
}

/// All evidence as facts. The order of texts does not matter.
pub fn gather(evidence: Evidence, products: &dyn ProductLookup) -> Facts {
    let Evidence { mut facts, mut texts, .. } = evidence;
    texts.sort();
    for text in &texts {
        parse::merge(&mut facts, parse::parse(text, products));
    }
    facts
}

/// What the rules say of facts.
pub fn diagnose(facts: &Facts, registry: &Registry) -> Diagnosis {
    let raw = rules::rules().filter_map(|rule| rule(facts, registry)).collect();
    let settled = rules::settle(raw, registry);
    let shown: BTreeSet<&String> = settled.iter().flat_map(|finding| &finding.evidence).collect();
    let unexplained = facts
        .around
        .messages
        .iter()
        .filter(|message| message.signal != facts::Signal::KfdAdded)
        .map(|message| message.line.clone())
        .filter(|line| !shown.contains(line))
        .collect();
    let unmatched = facts.around.unmatched.iter().cloned().collect();
    let mut findings: Vec<Diagnosed> =
        settled.iter().filter_map(|finding| remedies::describe(finding, facts, registry)).collect();
    findings.sort_by(|a, b| {
        (a.severity, a.confidence, &a.code).cmp(&(b.severity, b.confidence, &b.code))
    });
    Diagnosis { findings, unexplained, unmatched }
}
