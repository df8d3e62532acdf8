//! `upgrade`: the plan, what each stage did, and the commands of a step of the host.

use rocmenv_manifests::upgrade::Answer;
use serde_json::json;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::lock::Inputs;
use crate::ops::upgrade::{self, Action, Carried, Ended, UpgradeOptions};
use crate::render::{self, Output};
use crate::runtime;

/// `upgrade`.
pub fn run(context: &Context, out: &mut Output, options: &UpgradeOptions) -> Result<Exit, Error> {
    match options.action {
        Action::Apply | Action::Continue if !context.settings.dry_run => {
            carry(context, out, options)
        }
        Action::Plan | Action::Apply => plan(context, out, options),
        Action::Continue => under_way(context, out),
        Action::Abort => abort(context, out),
    }
}

/// The plan; exit 1 where no stages lead there.
fn plan(context: &Context, out: &mut Output, options: &UpgradeOptions) -> Result<Exit, Error> {
    let inputs = Inputs::read(context)?;
    let planned = upgrade::planned(context, &inputs, &options.wish)?;
    if context.settings.json {
        let commands = planned.commands.iter();
        let commands = commands.map(|(stage, one)| json!({ "stage": stage, "commands": one }));
        let mut value = serde_json::to_value(&planned.plan)
            .map_err(std::io::Error::from)
            .map_err(crate::error::OutputError::from)?;
        value["host-commands"] = commands.collect();
        out.json(&value)?;
    } else {
        out.data(&render::upgrade_plan(&planned))?;
        out.say(&ops::registry::dated(&inputs.registry, context.now));
    }
    let leads_nowhere = matches!(planned.plan.answer, Answer::NoPath { .. });
    Ok(if leads_nowhere { Exit::Unmet } else { Exit::Done })
}

/// Exit 6 where the host has to be changed.
fn carry(context: &Context, out: &mut Output, options: &UpgradeOptions) -> Result<Exit, Error> {
    let opened = ops::project::open(context)?;
    let commands = &opened.project.verify.commands;
    let trust = super::verify::ask_trust(context, out, opened.root.folder(), commands)?;
    let carried = runtime::block_on(upgrade::carry(context, options, trust))??;
    if context.settings.json {
        out.json(&render::carried_json(&carried))?;
    } else {
        report(out, &carried)?;
    }
    Ok(match carried.ended {
        Ended::Done => Exit::Done,
        Ended::Host(_) => Exit::Host,
    })
}

fn report(out: &mut Output, carried: &Carried) -> Result<(), Error> {
    for step in &carried.steps {
        out.say(&render::passed_stage(step));
    }
    match &carried.ended {
        Ended::Done if carried.journal.plan.stages.is_empty() => {
            out.say("nothing to do: what is asked for is what is there");
        }
        Ended::Done => {
            out.say(&format!("all {} stages are done", carried.journal.plan.stages.len()));
        }
        Ended::Host(wait) => out.data(&render::host_wait(wait))?,
    }
    Ok(())
}

/// What would go on.
fn under_way(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let journal = upgrade::Journal::read(&context.project()?)?;
    let journal = journal.ok_or(upgrade::UpgradeError::NotUnderWay)?;
    if context.settings.json {
        out.json(&journal)?;
    } else {
        out.data(&render::journal(&journal))?;
    }
    Ok(Exit::Done)
}

/// `upgrade --abort`.
fn abort(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let (journal, undone) = upgrade::abort(context)?;
    let done = !context.settings.dry_run;
    if context.settings.json {
        out.json(&json!({ "done": done, "generation": journal.began_at, "host": undone }))?;
        return Ok(Exit::Done);
    }
    if !undone.is_empty() {
        out.data(&render::way_back(&undone))?;
    }
    let word = if done { "returned" } else { "would return" };
    let generation = journal.began_at.map_or_else(
        || "there was no environment then".to_owned(),
        |number| format!("generation {number}"),
    );
    out.say(&format!("{word} to where the upgrade began: {generation}, rocm.toml and rocm.lock"));
    Ok(Exit::Done)
}
