//! What `verify` found as text: one line a look, how far it went, and what nothing proves.

use super::table;
use crate::ops::verify::{Level, Result as Found, VerifyOutcome};

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
                level(stage.level).to_owned(),
                seconds.unwrap_or_default(),
                finding.what.clone(),
                finding.detail.clone(),
            ]
        })
        .collect();
    table(&["result", "stage", "level", "time", "what", ""], &rows)
}

fn word(result: Found) -> &'static str {
    match result {
        Found::Passed => "passed",
        Found::Failed => "FAILED",
        Found::Warned => "warned",
        Found::Skipped => "skipped",
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Read => "read",
        Level::Loaded => "loaded",
        Level::Ran => "ran",
    }
}
