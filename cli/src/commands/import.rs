//! `import`: what came along, what did not, and whether the lock follows the source.

use serde_json::json;

use super::{edit, lock as lock_command};
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::import::{self, ImportOptions, ImportOutcome};
use crate::render::Output;
use crate::runtime;

/// `import`.
pub fn run(context: &Context, out: &mut Output, options: &ImportOptions) -> Result<Exit, Error> {
    let reporter = context.reporter.as_ref();
    let outcome = runtime::block_on(import::import(context, options, reporter))??;
    if context.settings.json {
        out.json(&as_json(&outcome))?;
    }
    report(context, out, &outcome)?;
    Ok(Exit::Done)
}

fn report(context: &Context, out: &mut Output, outcome: &ImportOutcome) -> Result<(), Error> {
    out.say(&format!("read {}", outcome.kind.title()));
    for left in &outcome.left_out {
        out.warn(&format!("left out: {}: {}", left.what, left.why));
    }
    if context.settings.dry_run {
        if !context.settings.json {
            out.data(&outcome.text)?;
        }
        out.say("nothing was written (`--dry-run`)");
        return Ok(());
    }
    for change in &outcome.changes {
        out.say(&edit::told(change));
    }
    match &outcome.locked {
        Some(locked) => lock_command::report(out, locked, None),
        None => out.say("next: rocmenv lock && rocmenv sync"),
    }
    if outcome.locked.is_none() {
        return Ok(());
    }
    for difference in &outcome.differences {
        let locked = match &difference.locked {
            Some(version) => format!("the lock has {version}"),
            None => "the lock has none, because nothing needs it here".to_owned(),
        };
        out.warn(&format!("{} {} was pinned; {locked}", difference.name, difference.pinned));
    }
    let same = outcome.pinned.saturating_sub(outcome.differences.len());
    out.say(&format!("{same} of {} pinned versions are locked as they were", outcome.pinned));
    out.say("next: rocmenv sync");
    Ok(())
}

fn as_json(outcome: &ImportOutcome) -> serde_json::Value {
    json!({
        "kind": outcome.kind,
        "new": outcome.is_new,
        "written": outcome.written,
        "changes": outcome.changes,
        "left-out": outcome.left_out,
        "pinned": outcome.pinned,
        "differences": outcome.differences,
        "locked": outcome.locked.as_ref().map(lock_command::as_json),
        "text": outcome.text,
    })
}
