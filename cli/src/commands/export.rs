//! `export`: the text, and what it cannot say.

use serde_json::json;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::export::{self, ExportOptions};
use crate::render::Output;
use crate::runtime;

/// `export`.
pub fn run(context: &Context, out: &mut Output, options: &ExportOptions) -> Result<Exit, Error> {
    let reporter = context.reporter.as_ref();
    let outcome = runtime::block_on(export::export(context, options, reporter))??;
    if context.settings.json {
        out.json(&json!({
            "target": outcome.target,
            "path": outcome.path,
            "written": outcome.written,
            "left-out": outcome.left_out,
            "notes": outcome.notes,
            "text": outcome.text,
        }))?;
    } else if outcome.path.is_none() {
        out.data(&outcome.text)?;
    }
    match outcome.left_out.get(SHOWN..) {
        Some(rest) if !rest.is_empty() => {
            let (shown, rest) = (outcome.left_out[..SHOWN].join(", "), rest.len());
            out.warn(&format!("not among Python packages, left out: {shown} and {rest} more"));
        }
        _ if outcome.left_out.is_empty() => {}
        _ => out
            .warn(&format!("not among Python packages, left out: {}", outcome.left_out.join(", "))),
    }
    for note in &outcome.notes {
        out.warn(note);
    }
    match &outcome.path {
        Some(path) if outcome.written => out.say(&format!("wrote `{}`", path.display())),
        Some(path) => out.say(&format!("`{}` was not written (`--dry-run`)", path.display())),
        None => {}
    }
    Ok(Exit::Done)
}

/// So many packages are named; a whole ROCm has more than a hundred.
const SHOWN: usize = 8;
