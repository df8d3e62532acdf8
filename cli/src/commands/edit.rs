//! `add` and `remove`: what changed in rocm.toml, and what to do next.

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::edit::document::{COMPONENTS, Change};
use crate::ops::edit::{AddOptions, EditOutcome, RemoveOptions};
use crate::render::Output;

/// `add`.
pub fn add(context: &Context, out: &mut Output, options: &AddOptions) -> Result<Exit, Error> {
    let registry = ops::registry::load(context)?;
    let names = ops::registry::stack_names(&registry);
    report(context, out, &ops::edit::add(context, &names, options)?)
}

/// `remove`.
pub fn remove(context: &Context, out: &mut Output, options: &RemoveOptions) -> Result<Exit, Error> {
    let registry = ops::registry::load(context)?;
    let names = ops::registry::stack_names(&registry);
    report(context, out, &ops::edit::remove(context, &names, options)?)
}

fn report(context: &Context, out: &mut Output, outcome: &EditOutcome) -> Result<Exit, Error> {
    for (written, meant) in &outcome.slips {
        out.warn(&format!("`{written}` was taken as a Python package; did you mean `{meant}`?"));
    }
    if context.settings.json {
        out.json(&serde_json::json!({
            "changes": outcome.changes,
            "left-out": outcome.left_out,
            "written": outcome.written,
        }))?;
        return Ok(Exit::Done);
    }
    for change in &outcome.changes {
        out.say(&told(change));
    }
    for (name, why) in &outcome.left_out {
        out.say(&format!("not taken over: {name}: {why}"));
    }
    match (context.settings.dry_run, outcome.written) {
        (true, _) => out.say("nothing was written (`--dry-run`)"),
        (false, true) => out.say("next: rocmenv lock && rocmenv sync"),
        (false, false) => {}
    }
    Ok(Exit::Done)
}

/// A change in a sentence.
pub(super) fn told(change: &Change) -> String {
    match change {
        Change::Added { table, name, .. } if table == COMPONENTS => {
            format!("added {name} to the components of [rocm]")
        }
        Change::Removed { table, name } if table == COMPONENTS => {
            format!("removed {name} from the components of [rocm]")
        }
        Change::Added { table, name, value } => format!("added {name} = {value} to [{table}]"),
        Change::Changed { table, name, from, to } => {
            format!("changed {name} in [{table}] from {from} to {to}")
        }
        Change::Unchanged { table, name } => format!("{name} is in [{table}] already"),
        Change::Removed { table, name } => format!("removed {name} from [{table}]"),
    }
}
