//! `bisect`: each run on its line, then what broke it.

use std::ffi::OsString;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::bisect::{self, BisectError, BisectOptions, Said, Trial};
use crate::ops::trust::Trust;
use crate::render::{self, Output};

/// Prints what was found.
pub fn run(context: &Context, out: &mut Output, options: &BisectOptions) -> Result<Exit, Error> {
    let commands = commands(context, out, options)?;
    let outcome = bisect::bisect(context, options, &commands, |trial| out.say(&line(trial)))?;
    if context.settings.json {
        out.json(&outcome)?;
        return Ok(Exit::Done);
    }
    if !outcome.untold.is_empty() {
        let numbers: Vec<String> = outcome.untold.iter().map(u32::to_string).collect();
        out.warn(&format!(
            "the command could not tell in generation {}, so it may have been there already",
            numbers.join(", ")
        ));
    }
    out.data(&format!(
        "generation {} broke it ({} works):\n{}",
        outcome.bad,
        outcome.good,
        render::difference(&outcome.difference)
    ))?;
    Ok(Exit::Done)
}

fn line(trial: &Trial) -> String {
    let word = match trial.said {
        Said::Good => "good",
        Said::Bad => "bad",
        Said::Unknown => "cannot tell",
    };
    let detail =
        if trial.detail.is_empty() { String::new() } else { format!(" ({})", trial.detail) };
    format!("generation {}: {word}{detail}", trial.generation)
}

/// The command of the call, else those of rocm.toml, which must have been allowed.
fn commands(
    context: &Context,
    out: &mut Output,
    options: &BisectOptions,
) -> Result<Vec<Vec<OsString>>, Error> {
    if !options.command.is_empty() {
        return Ok(vec![options.command.clone()]);
    }
    let opened = ops::project::open(context)?;
    let commands = &opened.project.verify.commands;
    if commands.is_empty() {
        return Err(BisectError::NoCommand.into());
    }
    let trust = super::verify::ask_trust(context, out, opened.root.folder(), commands)?;
    if trust != Trust::Allowed {
        return Err(BisectError::NotAllowed.into());
    }
    Ok(commands.iter().map(|text| ops::verify::shell_words(text)).collect())
}
