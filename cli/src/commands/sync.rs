//! `sync`: what was done, how it was linked, and what was warned of.

use rocmenv_manifests::generation::Generation;
use rocmenv_store::generation::VenvLink;
use serde_json::json;

use super::lock as lock_command;
use super::vouching::with_keys;
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::lock::Inputs;
use crate::ops::sync::{self, SyncOptions, SyncOutcome};
use crate::render::{self, Output};
use crate::runtime;

/// `sync`.
pub fn run(context: &Context, out: &mut Output, options: &SyncOptions) -> Result<Exit, Error> {
    let inputs = Inputs::read(context)?;
    let reporter = context.reporter.as_ref();
    let act = |inputs: &Inputs| runtime::block_on(sync::sync(context, inputs, options, reporter))?;
    let outcome = with_keys(context, out, inputs, act)?;
    if context.settings.json {
        out.json(&as_json(&outcome))?;
    }
    report(context, out, &outcome);
    Ok(Exit::Done)
}

/// What a person wants to know of a sync.
pub(super) fn report(context: &Context, out: &mut Output, outcome: &SyncOutcome) {
    if let Some(locked) = &outcome.locked {
        let told = (&outcome.target, &context.settings.env);
        lock_command::report(out, locked, Some(told));
    }
    for answer in outcome.gates.iter().filter(|answer| answer.outcome == "warned") {
        for line in answer.detail.iter().flat_map(|detail| detail.lines()) {
            out.warn(&format!("{}: {line}", answer.gate));
        }
    }
    let proofs = outcome.gates.iter().filter(|answer| answer.gate == "proof");
    let proved = proofs.filter(|answer| answer.outcome == "passed");
    for line in proved.flat_map(|answer| answer.detail.iter().flat_map(|detail| detail.lines())) {
        out.say(&format!("proof: {line}"));
    }
    if let Some(damage) = &outcome.damaged {
        out.warn(&format!("{damage}: the environment is made anew"));
    }
    for name in &outcome.mended {
        out.warn(&format!("{name} was damaged in the store and was brought anew"));
    }
    for line in render::plan(&outcome.plan) {
        out.say(&line);
    }
    let target = &outcome.target;
    if context.settings.dry_run {
        out.say(&format!("nothing was changed for `{target}` (`--dry-run`)"));
        return;
    }
    match (&outcome.generation, outcome.made) {
        (Some(generation), true) => {
            made(out, generation);
            // Those of the gates were told before.
            let told = |warning: &&String| {
                outcome.gates.iter().any(|answer| answer.detail.as_ref() == Some(warning))
            };
            for warning in generation.warnings.iter().filter(|warning| !told(warning)) {
                out.warn(warning);
            }
        }
        (Some(generation), false) => {
            out.say(&format!("`{target}` is up to date: generation {}", generation.number));
        }
        (None, _) => {}
    }
    if outcome.venv == Some(VenvLink::Foreign) {
        out.warn("`.venv` is a folder of yours and stays; editors will not find the environment");
    }
    if outcome.venv == Some(VenvLink::Impossible) {
        out.detail("no `.venv`: this system makes no link to a folder here");
    }
    if !outcome.removed.is_empty() {
        let numbers: Vec<String> = outcome.removed.iter().map(u32::to_string).collect();
        out.detail(&format!("removed generations {}", numbers.join(", ")));
    }
}

fn made(out: &mut Output, generation: &Generation) {
    let python = generation.python.as_ref().map_or_else(String::new, |python| {
        format!(" on Python {} ({})", python.version, python.source)
    });
    out.say(&format!(
        "made generation {} for `{}`: {}{python}",
        generation.number,
        generation.target,
        render::packages(generation.artifacts.len())
    ));
    let copied = |mode: &str| generation.links.iter().any(|(known, _)| known == mode);
    let modes: Vec<String> =
        generation.links.iter().map(|(mode, files)| format!("{files} by {mode}")).collect();
    out.detail(&format!("files: {}", modes.join(", ")));
    if copied("copy") && !copied("hardlink") && !copied("reflink") {
        out.warn(
            "the store is on another file system than the project, so every file was copied; \
             `ROCMENV_DATA` moves the store",
        );
    }
}

fn as_json(outcome: &SyncOutcome) -> serde_json::Value {
    json!({
        "target": outcome.target,
        "made": outcome.made,
        "damaged": outcome.damaged,
        "mended": outcome.mended,
        "generation": outcome.generation,
        "plan": outcome.plan,
        "gates": outcome.gates,
        "removed": outcome.removed,
        "locked": outcome.locked.as_ref().map(lock_command::as_json),
    })
}
