//! `status`: a few lines, and the commands that set things right.

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::status::{EnvironmentState, LockState, StatusOutcome, status};
use crate::render::{self, Output};

/// Prints how things stand. What is wrong is no failure of the command.
pub fn run(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let registry = ops::registry::load(context)?;
    let outcome = status(context, &registry)?;
    if context.settings.json {
        out.json(&outcome)?;
        return Ok(Exit::Done);
    }
    out.data(&text(&outcome))?;
    for command in outcome.advice() {
        out.say(&format!("next: {command}"));
    }
    out.say(&ops::registry::dated(&registry, context.now));
    Ok(Exit::Done)
}

fn text(outcome: &StatusOutcome) -> String {
    let mut lines =
        vec![format!("project      {} ({})", outcome.project, outcome.folder.display())];
    lines.push(format!("lock         {}", lock(outcome.lock)));
    let target = outcome.target.as_ref().map(|target| format!(", target {target}"));
    let env = if outcome.env.is_default() { String::new() } else { format!(" {}", outcome.env) };
    lines.push(format!(
        "environment{env}  {}{}{}",
        environment(&outcome.environment),
        outcome.generation.map(|number| format!(", generation {number}")).unwrap_or_default(),
        target.unwrap_or_default()
    ));
    if outcome.pinned {
        lines.push("held         by a pin: `sync` leaves it as it is".to_owned());
    }
    for mismatch in &outcome.mismatches {
        lines.push(format!("host         {mismatch}"));
    }
    if !outcome.foreign.is_empty() {
        lines.push(format!("put in       {} (not in the lock)", outcome.foreign.join(" ")));
    }
    if !outcome.missing.is_empty() {
        lines.push(format!("taken out    {}", outcome.missing.join(" ")));
    }
    if let Some(plan) = &outcome.plan {
        lines.push("`sync` would change".to_owned());
        lines.extend(render::plan(plan));
    }
    lines.join("\n")
}

fn lock(state: LockState) -> &'static str {
    match state {
        LockState::Missing => "none yet",
        LockState::Outdated => "rocm.toml asks for something else by now",
        LockState::Current => "fits rocm.toml",
    }
}

fn environment(state: &EnvironmentState) -> String {
    match state {
        EnvironmentState::Missing => "none yet".to_owned(),
        EnvironmentState::Moved(path) => format!("was made at `{}`", path.display()),
        EnvironmentState::WithoutPython(path) => format!("its Python `{path}` is gone"),
        EnvironmentState::Outdated => "the lock says something else by now".to_owned(),
        EnvironmentState::Current => "is what the lock says".to_owned(),
    }
}
