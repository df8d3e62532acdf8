//! `lock`: what was chosen, what changed, and what has to be known of it.

use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_manifests::plan::{self, Plan};
use serde_json::json;

use super::vouching::with_keys;
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::lock::fixing::{self, FixError};
use crate::ops::lock::{self, Inputs, LockOptions, LockOutcome};
use crate::ops::lock_difference::{self, LockDifferenceOptions};
use crate::ops::sync::SyncError;
use crate::render::{self, Output};
use crate::runtime;
use crate::settings::LockMode;

/// `lock`.
pub fn run(context: &Context, out: &mut Output, options: &LockOptions) -> Result<Exit, Error> {
    let inputs = Inputs::read(context)?;
    let reporter = context.reporter.as_ref();
    let act = |inputs: &Inputs| runtime::block_on(lock::lock(context, inputs, options, reporter))?;
    let outcome = if options.check { act(&inputs)? } else { with_keys(context, out, inputs, act)? };
    let must_fit = options.check || context.settings.lock_mode != LockMode::Update;
    if context.settings.json {
        out.json(&as_json(&outcome))?;
    }
    if must_fit && !outcome.changed {
        out.say("rocm.lock is up to date; nothing was written");
        return Ok(Exit::Done);
    }
    report(out, &outcome, None);
    match (outcome.changed, must_fit, outcome.written) {
        (true, true, _) => Err(SyncError::LockOutdated.into()),
        (true, false, false) => {
            out.say("nothing was written (`--dry-run`)");
            Ok(Exit::Done)
        }
        _ => Ok(Exit::Done),
    }
}

/// `lock diff`.
pub fn difference(
    context: &Context,
    out: &mut Output,
    options: &LockDifferenceOptions,
) -> Result<Exit, Error> {
    let differences = lock_difference::run(context, options)?;
    if context.settings.json {
        out.json(&differences)?;
        return Ok(Exit::Done);
    }
    let several = differences.len() > 1;
    let texts = differences.iter().map(|one| {
        let text = render::difference(&one.difference);
        if several { format!("{}/{}:\n{text}", one.target, one.env) } else { text }
    });
    out.data(&texts.collect::<Vec<_>>().join("\n\n"))?;
    Ok(Exit::Done)
}

/// `lock --fix N`: applies a fix of the refusal to rocm.toml, then locks.
pub fn fix(
    context: &Context,
    out: &mut Output,
    options: &LockOptions,
    number: usize,
) -> Result<Exit, Error> {
    let inputs = Inputs::read(context)?;
    let reporter = context.reporter.as_ref();
    let trial = LockOptions { check: true, ..options.clone() };
    let tried = runtime::block_on(lock::lock(context, &inputs, &trial, reporter))?;
    let Err(error) = tried else { return Err(FixError::Nothing.into()) };
    let Some(refused) = fixing::refused(&error) else { return Err(error) };
    let fixed = fixing::apply(context, &inputs, refused, number)?;
    out.say(&format!("fix {number}: {}", fixed.fix));
    for change in &fixed.changes {
        out.say(&super::edit::told(change));
    }
    if fixed.written {
        return run(context, out, options);
    }
    if context.settings.json {
        out.json(&json!({ "fix": fixed.fix, "changes": fixed.changes, "written": false }))?;
    }
    out.say("nothing was written (`--dry-run`)");
    Ok(Exit::Done)
}

/// What a person wants to know of a lock that was made. The changes of one environment are left
/// out where a sync tells them.
pub(super) fn report(
    out: &mut Output,
    outcome: &LockOutcome,
    told_by_sync: Option<(&TargetName, &EnvName)>,
) {
    for name in &outcome.without_gpu {
        out.warn(&format!(
            "target `{name}`: no AMD GPU is known, so architecture and driver were not checked and \
             no wheels for a GPU were chosen"
        ));
    }
    if outcome.is_local {
        out.warn(
            "rocm.local.toml changes what is locked, so this rocm.lock is for this machine alone",
        );
    }
    let empty = Lock::default();
    let before = outcome.before.as_ref().unwrap_or(&empty);
    for (target, env) in &outcome.solved {
        let all: Vec<_> = outcome.lock.packages.iter().flat_map(|one| &one.members).collect();
        let groups: Vec<_> = all.iter().filter_map(|member| member.group.clone()).collect();
        let of = |lock: &Lock| plan::artifacts(lock, target, env, &groups);
        let (old, new) = (of(before), of(&outcome.lock));
        let name = if env.is_default() { target.to_string() } else { format!("{target}/{env}") };
        out.say(&format!(
            "{} {} for `{name}`{}",
            done(outcome),
            render::packages(new.len()),
            stack(outcome, target, env)
        ));
        if told_by_sync != Some((target, env)) {
            for line in render::plan(&Plan::between(&old, &new)) {
                out.say(&line);
            }
        }
        for note in lock::locked(&outcome.lock, target, env).iter().flat_map(|one| &one.notes) {
            let source = note.source.as_ref().map_or_else(String::new, |from| format!(" ({from})"));
            out.say(&format!("note: {}{source}", note.text));
        }
    }
    if let [first, rest @ ..] = outcome.gaps.as_slice() {
        let more =
            if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        out.warn(&format!(
            "the index gives no hash of `{first}`{more}; `rocmenv lock --hash` downloads and hashes"
        ));
    }
    if !outcome.changed {
        out.say("rocm.lock is up to date");
    }
}

/// What became of the packages.
fn done(outcome: &LockOutcome) -> &'static str {
    match (outcome.written, outcome.changed) {
        (true, _) => "locked",
        (false, true) => "would lock",
        (false, false) => "kept",
    }
}

/// The chosen stack in a few words.
fn stack(outcome: &LockOutcome, target: &TargetName, env: &EnvName) -> String {
    let Some(locked) = lock::locked(&outcome.lock, target, env) else { return String::new() };
    let rocm = locked.rocm.as_ref().map(|rocm| match &locked.channel {
        Some(channel) => format!("ROCm {rocm} ({channel})"),
        None => format!("ROCm {rocm}"),
    });
    let python = locked.python.as_ref().map(|python| format!("Python {}", python.series));
    let words: Vec<String> = rocm.into_iter().chain(python).collect();
    if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) }
}

pub(super) fn as_json(outcome: &LockOutcome) -> serde_json::Value {
    let targets = outcome.solved.iter().map(|(target, env)| {
        let locked = lock::locked(&outcome.lock, target, env);
        json!({
            "target": target,
            "env": env,
            "rocm": locked.and_then(|one| one.rocm.clone()),
            "channel": locked.and_then(|one| one.channel.clone()),
            "python": locked.and_then(|one| one.python.as_ref()).map(|one| one.series.clone()),
            "notes": locked.map(|one| one.notes.clone()).unwrap_or_default(),
            "packages": plan::artifacts(&outcome.lock, target, env, &[]),
        })
    });
    json!({
        "changed": outcome.changed,
        "written": outcome.written,
        "targets": targets.collect::<Vec<_>>(),
        "gaps": outcome.gaps,
    })
}
