//! Stage `host`: whether this host is what the lock was made for, and has what a GPU needs.

use rocmenv_manifests::project::Accelerator;
use rocmenv_resolver::target::fit;
use rocmenv_store::report::Reporter;

use super::{Finding, Level, Result, Stage, Subject};

/// The stage.
pub(super) struct Host;

impl Stage for Host {
    fn id(&self) -> &'static str {
        "host"
    }

    fn level(&self) -> Level {
        Level::Read
    }

    fn look(&self, subject: &Subject<'_>, _: &dyn Reporter) -> Vec<Finding> {
        let mut findings = vec![contract(subject)];
        findings.extend(gpu(subject));
        findings
    }
}

/// A soft mismatch that `sync` was told to pass over was accepted then; a hard one never is.
fn contract(subject: &Subject<'_>) -> Finding {
    let what = "contract of the lock";
    let Some(locked) = subject.locked else {
        return Finding::new(what, Result::Skipped, "the lock no longer has this target");
    };
    let mismatches = fit(&locked.contract, subject.host);
    if mismatches.is_empty() {
        let count = locked.contract.items.len();
        return Finding::new(what, Result::Passed, format!("{count} predicates hold"));
    }
    let accepted = subject.record.gates.iter().any(|answer| {
        answer.gate == "fit" && (answer.outcome == "warned" || answer.outcome == "skipped")
    });
    let hard = mismatches.iter().any(|mismatch| mismatch.hard);
    let texts: Vec<String> = mismatches.iter().map(ToString::to_string).collect();
    let result = if accepted && !hard { Result::Warned } else { Result::Failed };
    Finding::new(what, result, texts.join("; "))
}

fn gpu(subject: &Subject<'_>) -> Option<Finding> {
    let target = subject.project.targets.iter().find(|spec| spec.name == subject.record.target);
    if target.is_some_and(|spec| spec.accelerator == Accelerator::Cpu) {
        return None;
    }
    let what = "AMD GPU";
    Some(match subject.facts.gpus.as_deref() {
        None => Finding::new(what, Result::Skipped, "nobody could look for one"),
        Some([]) => Finding::new(what, Result::Skipped, "this host has none: nothing runs on one"),
        Some(gpus) => {
            let names: Vec<String> = gpus
                .iter()
                .map(|gpu| {
                    let gfx = gpu.gfx.map(|gfx| gfx.to_string());
                    gpu.product.clone().or(gfx).unwrap_or_else(|| "unknown".to_owned())
                })
                .collect();
            Finding::new(what, Result::Passed, names.join(", "))
        }
    })
}
