//! Rules: each a small pure function from facts to at most one finding.
//!
//! A rule says its code, how sure it is and the lines that show it; title, reason, remedy and
//! source are the registry's row of the same code. `settle` keeps the answers from contradicting
//! each other.

mod abi;
mod access;
mod arch;
mod build;
mod container;
mod download;
mod driver;
mod firmware;
mod libraries;
pub mod masks;
mod multi_gpu;
mod overrides;
mod pcie;
mod repository;
mod selection;
mod settle;
mod slow;
mod windows;
mod wsl;

use std::collections::BTreeMap;

use rocmenv_manifests::registry::Registry;
use serde::Serialize;

use super::facts::{Facts, Message, Signal};

pub use settle::settle;

/// What a rule found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Finding {
    /// The fault's code.
    pub code: &'static str,
    /// How sure the rule is.
    pub confidence: Confidence,
    /// The lines that show it, sorted.
    pub evidence: Vec<String>,
    /// What the words of the catalogue's row stand for (`group`, `gfx` ...).
    pub data: BTreeMap<&'static str, String>,
}

/// How sure a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// The evidence is the fault itself.
    Certain,
    /// The evidence fits this fault and none other that is known.
    Likely,
    /// It fits, and so may others. It never makes a call fail.
    Possible,
    /// Only the symptom is certain; no known cause of it was seen.
    Symptom,
}

/// A rule. It sees the facts and the registry, and nothing else.
pub type Rule = fn(&Facts, &Registry) -> Option<Finding>;

/// All rules. Their order means nothing.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    [
        access::RULES,
        container::RULES,
        driver::RULES,
        firmware::RULES,
        arch::RULES,
        overrides::RULES,
        build::RULES,
        libraries::RULES,
        selection::RULES,
        wsl::RULES,
        windows::RULES,
        multi_gpu::RULES,
        pcie::RULES,
        repository::RULES,
        download::RULES,
        abi::RULES,
        slow::RULES,
    ]
    .into_iter()
    .flatten()
}

/// A finding, to be given its evidence.
fn found(code: &'static str, confidence: Confidence) -> Finding {
    Finding { code, confidence, evidence: Vec::new(), data: BTreeMap::new() }
}

impl Finding {
    /// Adds a line that shows it.
    fn because(mut self, line: impl Into<String>) -> Self {
        self.evidence.push(line.into());
        self.evidence.sort();
        self.evidence.dedup();
        self
    }

    /// Adds every line with a signal.
    fn shown_by(self, facts: &Facts, signals: &[Signal]) -> Self {
        signals.iter().fold(self, |finding, signal| {
            let lines = facts.all_said(*signal).map(|message| message.line.clone());
            lines.fold(finding, Self::because)
        })
    }

    /// Says what a word of the catalogue stands for.
    fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.data.insert(name, value.into());
        self
    }
}

/// A fault that a line says by itself, whatever the facts.
fn told(
    facts: &Facts,
    signals: &[Signal],
    code: &'static str,
    confidence: Confidence,
) -> Option<Finding> {
    let any = signals.iter().any(|signal| facts.said(*signal).is_some());
    any.then(|| found(code, confidence).shown_by(facts, signals))
}

/// The first line with any of the signals.
fn first<'f>(facts: &'f Facts, signals: &[Signal]) -> Option<&'f Message> {
    signals.iter().find_map(|signal| facts.said(*signal))
}

pub(crate) use selection::masks as selection_masks;
