//! `generations` and `rollback`.

use serde_json::json;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::generations;
use crate::ops::rollback::{self, RollbackOptions};
use crate::render::{self, Output, table};

/// `generations`.
pub fn list(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let listed = generations::list(context)?;
    for damage in generations::damaged(context)? {
        out.warn(&format!("{damage}: rocmenv sync"));
    }
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
    let difference = generations::difference(context, from, to)?;
    if context.settings.json {
        let words = render::difference_words(&difference);
        out.json(&json!({ "from": from, "to": to, "words": words, "difference": difference }))?;
    } else {
        out.data(&render::difference(&difference))?;
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

/// `rollback`. What may keep the generation from working is said before the switch.
pub fn rollback(
    context: &Context,
    out: &mut Output,
    options: &RollbackOptions,
) -> Result<Exit, Error> {
    let prepared = rollback::prepare(context, options)?;
    let dry_run = context.settings.dry_run;
    if !context.settings.json {
        out.data(&render::difference(&prepared.outcome.difference))?;
    }
    for line in render::rollback_warnings(&prepared.outcome) {
        out.warn(&line);
    }
    let outcome = if dry_run { prepared.outcome } else { prepared.carry_out()? };
    if context.settings.json {
        out.json(&render::rollback_json(&outcome, dry_run))?;
        return Ok(Exit::Done);
    }
    for line in render::rollback(&outcome, dry_run) {
        out.say(&line);
    }
    Ok(Exit::Done)
}
