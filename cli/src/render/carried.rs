//! What an upgrade did in one call, as text and JSON.

use rocmenv_resolver::bench::{Judgement, OperationComparison};
use rocmenv_resolver::upgrade::Unmet;
use serde_json::{Value, json};

use super::upgrade::{changes, command_lines};
use crate::ops::bench::{GateAnswer, Gated};
use crate::ops::upgrade::{Carried, Ended, HostWait, Step as Passed};

/// Steps that the user has to take.
pub fn host_wait(wait: &HostWait) -> String {
    let mut lines = step(wait);
    for other in &wait.together {
        lines.extend(step(other));
    }
    match &wait.elsewhere {
        None => {
            lines.push("then: rocmenv upgrade --continue (or `rocmenv upgrade --abort`)".to_owned());
        }
        Some(target) => lines.push(format!(
            "`{target}` is described in rocm.toml and is another machine, which cannot be probed from \
             here\nthen: rocmenv --host FILE upgrade --continue, with what `rocmenv host --json` says \
             there (or `rocmenv upgrade --continue --yes` says that it is done, or `rocmenv upgrade \
             --abort`)"
        )),
    }
    lines.join("\n")
}

fn step(wait: &HostWait) -> Vec<String> {
    let mut lines = vec![format!("stage {} is yours: {}", wait.stage, wait.commands.title)];
    for Unmet { part, wanted, found } in &wait.unmet {
        let found = match (found, &wait.elsewhere) {
            (Some(found), _) => format!("; this host has {found}"),
            (None, None) => "; what this host has is not known".to_owned(),
            (None, Some(_)) => String::new(),
        };
        lines.push(format!("  {part} has to become {wanted}{found}"));
    }
    lines.extend(command_lines(&wait.commands));
    for file in wait.kept.iter().flat_map(|kept| &kept.files) {
        lines.push(format!("kept: {} {} (sha256:{})", file.package, file.version, file.sha256));
    }
    lines
}

/// A stage that was passed.
pub fn passed_stage(step: &Passed) -> String {
    let what = changes(&step.stage.changes);
    let number = step.stage.number;
    match &step.made {
        None if step.is_seen => format!("stage {number}: {what}: the host is so"),
        None => format!("stage {number}: {what}: so you say"),
        Some(made) => {
            let generation = made.synced.generation.as_ref().map(|one| one.number);
            let generation = generation.map_or_else(String::new, |n| format!("generation {n}, "));
            let mut lines = vec![format!("stage {number}: {what}: {generation}verified")];
            lines.extend(made.benches.iter().map(gated));
            lines.join("\n")
        }
    }
}

/// A measurement of both generations in a line.
fn gated(gated: &Gated) -> String {
    let said = match &gated.answer {
        GateAnswer::NotRun { why } => format!("not run: {why}"),
        GateAnswer::Broken { why } => format!("fails in the new generation: {why}"),
        GateAnswer::Compared { comparison, kept_baseline } => {
            let operations: Vec<String> = comparison.operations.iter().map(operation).collect();
            let kept = if *kept_baseline { " (against kept runs)" } else { "" };
            format!("{}{kept}", operations.join(", "))
        }
    };
    format!("  bench {}: {said}", gated.bench)
}

fn operation(one: &OperationComparison) -> String {
    let judgement = match one.judgement {
        Judgement::Faster => "faster",
        Judgement::Same => "the same",
        Judgement::Undecided => "undecided",
        Judgement::Slower => "slower",
        Judgement::TooFewRuns => "too few runs",
    };
    let time = one.time.as_ref().map_or_else(String::new, |time| format!(" (x {:.3})", time.ratio));
    format!("{} {judgement}{time}", one.operation)
}

/// What is carried out of an upgrade, for a program.
pub fn carried_json(carried: &Carried) -> Value {
    let steps = carried.steps.iter().map(|step| {
        let made = step.made.as_ref();
        json!({
            "stage": step.stage.number,
            "generation": made.and_then(|made| Some(made.synced.generation.as_ref()?.number)),
            "verification": made.map(|made| &made.verified),
            "benches": made.map(|made| &made.benches),
        })
    });
    let wait = match &carried.ended {
        Ended::Done => Value::Null,
        Ended::Host(wait) => wait_json(wait),
    };
    json!({
        "done": matches!(carried.ended, Ended::Done),
        "passed": steps.collect::<Vec<_>>(),
        "host": wait,
        "changes": carried.changes(),
        "stages": carried.journal.plan.stages.len(),
    })
}

fn wait_json(wait: &HostWait) -> Value {
    json!({
        "stage": wait.stage,
        "commands": wait.commands,
        "unmet": wait.unmet,
        "kept": wait.kept,
        "together": wait.together.iter().map(wait_json).collect::<Vec<_>>(),
        "elsewhere": wait.elsewhere,
    })
}
