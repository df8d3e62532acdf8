//! `generations` and `rollback`.

use rocmenv_manifests::plan::Plan;
use serde_json::json;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::generations;
use crate::ops::rollback::{self, RollbackOptions};
use crate::render::{self, Output, table};

/// `generations`.
pub fn list(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let listed = generations::list(context)?;
    if context.settings.json {
        let rows: Vec<_> = listed
            .iter()
            .map(|one| {
                json!({
                    "current": one.is_current,
                    "previous": one.is_previous,
                    "pinned": one.is_pinned,
                    "record": one.record,
                })
            })
            .collect();
        out.json(&rows)?;
        return Ok(Exit::Done);
    }
    let rows: Vec<Vec<String>> = listed
        .iter()
        .map(|one| {
            let marks = [
                (one.is_current, "current"),
                (one.is_previous, "previous"),
                (one.is_pinned, "pinned"),
            ];
            let marks: Vec<&str> =
                marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
            let python = one.record.python.as_ref().map(|python| python.version.clone());
            vec![
                one.record.number.to_string(),
                render::moment(&one.record.created),
                one.record.artifacts.len().to_string(),
                python.unwrap_or_default(),
                marks.join(" "),
            ]
        })
        .collect();
    out.data(&table(&["generation", "made", "packages", "python", ""], &rows))?;
    Ok(Exit::Done)
}

/// `generations diff FROM TO`.
pub fn difference(context: &Context, out: &mut Output, from: u32, to: u32) -> Result<Exit, Error> {
    let plan = generations::difference(context, from, to)?;
    if context.settings.json {
        out.json(&plan)?;
    } else {
        out.data(&changes(&plan))?;
    }
    Ok(Exit::Done)
}

/// `generations pin N` and `unpin N`.
pub fn pin(context: &Context, out: &mut Output, number: u32, keep: bool) -> Result<Exit, Error> {
    generations::pin(context, number, keep)?;
    let word = if keep { "pinned" } else { "no longer pinned" };
    out.say(&format!("generation {number} is {word}"));
    Ok(Exit::Done)
}

/// `rollback`.
pub fn rollback(
    context: &Context,
    out: &mut Output,
    options: &RollbackOptions,
) -> Result<Exit, Error> {
    let outcome = rollback::rollback(context, options)?;
    let dry_run = context.settings.dry_run;
    if context.settings.json {
        out.json(&render::rollback_json(&outcome, dry_run))?;
        return Ok(Exit::Done);
    }
    out.data(&changes(&outcome.plan))?;
    for line in render::rollback_warnings(&outcome) {
        out.warn(&line);
    }
    for line in render::rollback(&outcome, dry_run) {
        out.say(&line);
    }
    Ok(Exit::Done)
}

/// The lines of a plan, or that there is none.
fn changes(plan: &Plan) -> String {
    match render::plan(plan) {
        none if none.is_empty() => format!("the same {} packages", plan.keep.len()),
        lines => lines.join("\n"),
    }
}
