//! What `verify` found as text: one line a look, how far it went, and what nothing proves.

use super::table;
use crate::ops::verify::{Finding, Level, Result as Found, VerifyOutcome};

/// The table.
pub fn verify(outcome: &VerifyOutcome) -> String {
    let rows: Vec<Vec<String>> = outcome
        .stages
        .iter()
        .flat_map(|stage| stage.findings.iter().map(move |finding| (stage, finding)))
        .map(|(stage, finding)| {
            let seconds = finding.seconds.map(|seconds| format!("{seconds:.1} s"));
            vec![
                word(finding.result).to_owned(),
                stage.stage.to_owned(),
                level(finding).to_owned(),
                seconds.unwrap_or_default(),
                finding.what.clone(),
                finding.detail.clone(),
            ]
        })
        .collect();
    let lines = table(&["result", "stage", "level", "time", "what", ""], &rows);
    let times = outcome.stages.iter().map(|one| format!("{} {:.1} s", one.stage, one.seconds));
    format!("{lines}\n\nstages: {}", times.collect::<Vec<_>>().join(", "))
}

/// What came of a look.
pub(super) fn word(result: Found) -> &'static str {
    match result {
        Found::Passed => "passed",
        Found::Failed => "FAILED",
        Found::Warned => "warned",
        Found::Skipped => "skipped",
    }
}

/// How far a look went; a dash where it proves nothing.
pub(super) fn level(finding: &Finding) -> &'static str {
    match finding.level {
        Some(Level::Read) => "read",
        Some(Level::Loaded) => "loaded",
        Some(Level::Ran) => "ran",
        None => "-",
    }
}
