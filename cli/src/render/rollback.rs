//! A rollback as text and JSON.

use rocmenv_resolver::target::Mismatch;
use rocmenv_store::generation::VenvLink;
use serde_json::{Value, json};

use crate::ops::rollback::RollbackOutcome;

/// What was done, or would be.
pub fn rollback(outcome: &RollbackOutcome, dry_run: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for replaced in &outcome.replaced {
        let verb = if dry_run { "would put back" } else { "put back" };
        let kept = replaced.kept.as_ref().map_or_else(String::new, |kept| {
            format!("; what was there is kept as `{}`", kept.display())
        });
        lines.push(format!("{verb} `{}`{kept}", replaced.file.display()));
    }
    if dry_run {
        lines.push("nothing was changed (`--dry-run`)".to_owned());
        return lines;
    }
    lines.push(match (outcome.to.number, outcome.from) {
        (to, from) if to == from => format!("generation {to} stays current"),
        (to, from) => format!("generation {to} is current, {from} was"),
    });
    if outcome.venv == Some(VenvLink::Foreign) {
        lines.push("`.venv` is something of yours and was left alone".to_owned());
    }
    if outcome.held {
        lines.push(
            "rocm.toml and rocm.lock were left as they are; `sync` waits for \
             `rocmenv rollback --files` or `rocmenv sync --unpin`"
                .to_owned(),
        );
    }
    lines
}

/// What may keep the generation from working now.
pub fn rollback_warnings(outcome: &RollbackOutcome) -> Vec<String> {
    let number = outcome.to.number;
    let mut lines: Vec<String> = outcome
        .mismatches
        .iter()
        .map(|mismatch| format!("generation {number} is not for this host: {mismatch}"))
        .collect();
    if let Some(path) = &outcome.vanished {
        lines.push(format!(
            "the interpreter of generation {number}, `{path}`, is gone: `rocmenv rollback --files` \
             and `rocmenv sync` make it anew"
        ));
    }
    lines
}

/// The same for programs.
pub fn rollback_json(outcome: &RollbackOutcome, dry_run: bool) -> Value {
    let replaced = outcome.replaced.iter();
    let replaced = replaced.map(|one| json!({ "file": one.file, "kept": one.kept }));
    json!({
        "from": outcome.from,
        "to": outcome.to.number,
        "held": outcome.held,
        "done": !dry_run,
        "plan": outcome.difference.plan,
        "words": super::difference_words(&outcome.difference),
        "replaced": replaced.collect::<Vec<_>>(),
        "mismatches": outcome.mismatches.iter().map(mismatch_json).collect::<Vec<_>>(),
        "vanished-interpreter": outcome.vanished,
    })
}

/// A predicate that this host does not meet.
pub fn mismatch_json(mismatch: &Mismatch) -> Value {
    json!({
        "needs": mismatch.predicate.to_string(),
        "found": mismatch.found,
        "hard": mismatch.hard,
    })
}
