//! `trust`: allows the commands of this project's rocm.toml, or takes that back.

use serde_json::json;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::trust::{self, Trust};
use crate::render::Output;

/// `trust`.
pub fn run(context: &Context, out: &mut Output, show: bool, revoke: bool) -> Result<Exit, Error> {
    let opened = ops::project::open(context)?;
    let folder = opened.root.folder();
    let commands = &opened.project.verify.commands;
    let is_dry = context.settings.dry_run;
    let trust = match (show || is_dry, revoke) {
        (true, _) => trust::known(context, folder, commands)?,
        (false, true) => trust::forget(context, folder, commands)?,
        (false, false) => trust::allow(context, folder, commands)?,
    };
    if context.settings.json {
        out.json(&json!({ "commands": commands, "trust": word(trust), "dry-run": is_dry }))?;
        return Ok(Exit::Done);
    }
    if commands.is_empty() {
        out.say("rocm.toml has no commands of its own: there is nothing to allow");
        return Ok(Exit::Done);
    }
    for command in commands {
        out.data(command)?;
    }
    out.say(match trust {
        Trust::Allowed => "these commands are allowed to run; other ones are another question",
        Trust::Refused => "these commands are refused: rocmenv trust",
        Trust::Undecided => "nobody has allowed these commands to run: rocmenv trust",
    });
    Ok(Exit::Done)
}

fn word(trust: Trust) -> &'static str {
    match trust {
        Trust::Allowed => "allowed",
        Trust::Refused => "refused",
        Trust::Undecided => "undecided",
    }
}
