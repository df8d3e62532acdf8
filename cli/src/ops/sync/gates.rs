//! What must be true before an environment is made: one ordered list, each with an id and a switch.
//!
//! A gate looks and answers; it changes nothing. The first that says no ends the sync, before
//! anything was fetched.

use std::collections::BTreeSet;

use rocmenv_manifests::generation::GateAnswer;
use rocmenv_manifests::plan::Artifact;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::guard::{Culprit, Guarded, culprits};
use rocmenv_resolver::target::Mismatch;

use crate::error::{Exit, Failure};
use crate::ops::guard;

/// What gates look at.
pub(super) struct Situation<'a> {
    /// What is to be installed.
    pub(super) artifacts: &'a [Artifact],
    /// Soft predicates that this host fails.
    pub(super) passed_over: &'a [Mismatch],
    /// What knows which builds belong together.
    pub(super) registry: &'a Registry,
    /// What the set is for.
    pub(super) guarded: Guarded,
    /// Whether a gap of the lock may be filled now.
    pub(super) may_fill_gaps: bool,
}

/// What a gate says.
pub(super) enum Verdict {
    /// Nothing to say.
    Passed,
    /// It goes on, and this is said.
    Warned(Vec<String>),
    /// It ends here.
    Stopped(GateError),
}

type Gate = fn(&Situation<'_>) -> Verdict;

/// The gates, in their order.
const GATES: [(&str, Gate); 3] = [("fit", fit), ("gaps", gaps), ("accelerator", accelerator)];

/// The ids of the gates, for `--skip-gate`.
pub const GATE_IDS: [&str; 4] = [GATES[0].0, GATES[1].0, GATES[2].0, super::proof::ID];

/// Asks every gate that is not switched off, in order.
pub(super) fn ask(
    situation: &Situation<'_>,
    skip: &BTreeSet<String>,
) -> Result<Vec<GateAnswer>, GateError> {
    let mut answers = Vec::new();
    for (id, gate) in GATES {
        let (outcome, detail) = if skip.contains(id) {
            ("skipped", None)
        } else {
            match gate(situation) {
                Verdict::Passed => ("passed", None),
                Verdict::Warned(lines) => ("warned", Some(lines.join("\n"))),
                Verdict::Stopped(error) => return Err(error),
            }
        };
        answers.push(GateAnswer { gate: id.to_owned(), outcome: outcome.to_owned(), detail });
    }
    Ok(answers)
}

/// The contract: what was asked for by name may differ in soft predicates.
fn fit(situation: &Situation<'_>) -> Verdict {
    match situation.passed_over {
        [] => Verdict::Passed,
        passed_over => Verdict::Warned(passed_over.iter().map(ToString::to_string).collect()),
    }
}

/// Files without a hash: `--locked` and `--frozen` take none on trust.
fn gaps(situation: &Situation<'_>) -> Verdict {
    let open = situation.artifacts.iter().filter(|artifact| artifact.sha256.is_none());
    let open: Vec<String> = open.map(|artifact| artifact.file.clone()).collect();
    match open.as_slice() {
        [] => Verdict::Passed,
        _ if !situation.may_fill_gaps => Verdict::Stopped(GateError::Gaps { files: open }),
        files => Verdict::Warned(
            files.iter().map(|file| format!("`{file}` has no hash yet; it gets one now")).collect(),
        ),
    }
}

/// Every build is for the accelerator that the target wants, those that belong together are of
/// one build, and no device wheel is left out.
fn accelerator(situation: &Situation<'_>) -> Verdict {
    let pins = guard::all(situation.artifacts);
    let culprits = culprits(situation.registry, &pins, &situation.guarded);
    if culprits.is_empty() {
        Verdict::Passed
    } else {
        Verdict::Stopped(GateError::Accelerator { culprits })
    }
}

/// A gate said no.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// Files without a hash.
    #[error("the lock has no hash of {}", .files.join(", "))]
    Gaps {
        /// The files.
        files: Vec<String>,
    },
    /// What would change the accelerator.
    #[error("{}", told(.culprits))]
    Accelerator {
        /// The packages.
        culprits: Vec<Culprit>,
    },
    /// GPUs that the files hold no code for.
    #[error("a GPU of the target is not covered\n  {}", .lines.join("\n  "))]
    Uncovered {
        /// One line a GPU.
        lines: Vec<String>,
    },
}

impl Failure for GateError {
    fn exit(&self) -> Exit {
        match self {
            Self::Gaps { .. } => Exit::Stale,
            Self::Accelerator { .. } | Self::Uncovered { .. } => Exit::Unmet,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Gaps { .. } => "hash-gap",
            Self::Accelerator { .. } => "wrong-accelerator",
            Self::Uncovered { .. } => "not-covered",
        })
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Gaps { .. } => "rocmenv lock --hash".to_owned(),
            Self::Accelerator { .. } => "rocmenv lock".to_owned(),
            Self::Uncovered { .. } => {
                "rocmenv prove --lock (what each file holds), or rocmenv sync --allow-uncovered"
                    .to_owned()
            }
        })
    }
}

/// Culprits side by side.
fn told(culprits: &[Culprit]) -> String {
    culprits.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
