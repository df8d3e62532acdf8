//! `target add`, `target list` and `target remove`.

use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_resolver::target::{Target, TargetDriver};
use serde_json::json;

use super::lock as lock_command;
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::target::{self, ListedTarget, Standing};
use crate::render::{Output, table};
use crate::runtime;

/// `target add`.
pub fn add(context: &Context, out: &mut Output, name: Option<TargetName>) -> Result<Exit, Error> {
    let reporter = context.reporter.as_ref();
    let outcome = runtime::block_on(target::add(context, name, reporter))??;
    let name = &outcome.name;
    if context.settings.json {
        out.json(&json!({
            "target": name,
            "fits-already": outcome.is_there,
            "added": outcome.text,
            "described-other": outcome.described_other,
            "locked": outcome.locked.as_ref().map(lock_command::as_json),
        }))?;
    }
    if outcome.is_there {
        out.say(&format!("this host fits target `{name}` already; nothing was added"));
        return Ok(Exit::Done);
    }
    for what in &outcome.unsaid {
        out.warn(&format!("rocm.toml does not say {what}; it was not checked"));
    }
    if let Some(locked) = &outcome.locked {
        lock_command::report(out, locked, None);
    }
    for line in outcome.text.trim().lines() {
        out.say(format!("  {line}").trim_end());
    }
    if outcome.described_other {
        out.say(
            "the host that rocm.lock was made on is described now, too, as far as its part says",
        );
    }
    out.say(&if context.settings.dry_run {
        "nothing was written (`--dry-run`)".to_owned()
    } else {
        format!("added target `{name}`; next: rocmenv sync")
    });
    Ok(Exit::Done)
}

/// `target list`.
pub fn list(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let listed = target::list(context)?;
    if context.settings.json {
        out.json(&listed.iter().map(as_json).collect::<Vec<_>>())?;
        return Ok(Exit::Done);
    }
    let rows: Vec<Vec<String>> = listed.iter().map(row).collect();
    out.data(&table(&["target", "system", "gpus", "driver", "locked", "this host"], &rows))?;
    Ok(Exit::Done)
}

/// `target remove`.
pub fn remove(context: &Context, out: &mut Output, name: &TargetName) -> Result<Exit, Error> {
    let outcome = target::remove(context, name)?;
    if context.settings.json {
        out.json(&json!({ "target": name, "was-locked": outcome.was_locked, "written": !context.settings.dry_run }))?;
        return Ok(Exit::Done);
    }
    if context.settings.dry_run {
        out.say(&format!("would remove target `{name}`; nothing was written (`--dry-run`)"));
        return Ok(Exit::Done);
    }
    out.say(&format!("removed target `{name}`; the others are as they were"));
    if outcome.was_last {
        out.say("rocm.toml describes no target now: rocmenv lock locks for the host that runs it");
    }
    if outcome.has_environment {
        out.say(&format!("its environments are left in .rocmenv/{name}"));
    }
    Ok(Exit::Done)
}

fn row(one: &ListedTarget) -> Vec<String> {
    let locked: Vec<&str> = one.locked.iter().map(EnvName::as_str).collect();
    vec![
        one.name.to_string(),
        one.target.os.as_ref().map_or_else(|| "not said".to_owned(), |os| os.value.to_string()),
        gpus(&one.target),
        driver(&one.target),
        if locked.is_empty() { "no".to_owned() } else { locked.join(" ") },
        match &one.standing {
            Standing::Fits => "fits".to_owned(),
            Standing::NotLocked => "not locked".to_owned(),
            Standing::DoesNotFit(why) => why.first().cloned().unwrap_or_default(),
        },
    ]
}

fn gpus(target: &Target) -> String {
    let Some(gpus) = &target.gpus else { return "not said".to_owned() };
    let names = gpus.iter().map(|gpu| {
        let gfx = gpu.value.gfx.map(|gfx| gfx.to_string());
        let name = gpu.value.product.clone().or(gfx).unwrap_or_else(|| "unknown".to_owned());
        if gpu.value.count > 1 { format!("{} x {name}", gpu.value.count) } else { name }
    });
    let names: Vec<String> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn driver(target: &Target) -> String {
    match target.driver.as_ref().map(|driver| &driver.value) {
        Some(TargetDriver::Amd(release) | TargetDriver::Adrenalin(release)) => release.to_string(),
        Some(TargetDriver::InTree) => "in-tree".to_owned(),
        Some(TargetDriver::UnknownRelease { module }) => format!("module {module}"),
        None => "not said".to_owned(),
    }
}

fn as_json(one: &ListedTarget) -> serde_json::Value {
    let failing = match &one.standing {
        Standing::DoesNotFit(why) => why.as_slice(),
        _ => &[],
    };
    json!({
        "name": one.name,
        "described": one.is_described,
        "os": one.target.os.as_ref().map(|os| os.value.to_string()),
        "gfx": one.target.gfx_targets().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "locked": one.locked,
        "fits": one.standing == Standing::Fits,
        "failing": failing,
    })
}
