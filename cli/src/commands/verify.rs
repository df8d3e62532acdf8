//! `verify`: the stages, each finding on its line.

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::verify::{self, Level, Result as Found, VerifyOutcome};
use crate::render::{Output, table};

/// Prints what was found; exit 1 where something failed.
pub fn run(context: &Context, out: &mut Output, only: &[String]) -> Result<Exit, Error> {
    let outcome = verify::verify(context, only)?;
    if context.settings.json {
        out.json(&outcome)?;
    } else {
        out.data(&text(&outcome))?;
        let ran_on_gpu = outcome.stages.iter().flat_map(|stage| &stage.findings);
        if ran_on_gpu.clone().any(|one| one.what == "AMD GPU" && one.result == Found::Skipped) {
            out.say("not proven: that anything runs on an AMD GPU");
        }
    }
    Ok(if outcome.has_passed() { Exit::Done } else { Exit::Unmet })
}

/// One line a finding.
pub fn text(outcome: &VerifyOutcome) -> String {
    let rows: Vec<Vec<String>> = outcome
        .stages
        .iter()
        .flat_map(|stage| stage.findings.iter().map(move |finding| (stage, finding)))
        .map(|(stage, finding)| {
            vec![
                word(finding.result).to_owned(),
                stage.stage.to_owned(),
                level(stage.level).to_owned(),
                finding.what.clone(),
                finding.detail.clone(),
            ]
        })
        .collect();
    table(&["result", "stage", "level", "what", ""], &rows)
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
