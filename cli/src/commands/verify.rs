//! `verify`: the stages, each finding on its line.

use std::path::Path;

use dialoguer::Confirm;

use super::page;
use crate::args::VerifyArgs;
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::trust::{self, Trust};
use crate::ops::verify::{self, VerifyOptions};
use crate::render::{self, Output, VerifyPage};

/// Prints what was found; exit 1 where something failed.
pub fn run(context: &Context, out: &mut Output, args: &VerifyArgs) -> Result<Exit, Error> {
    let options = VerifyOptions::from(args);
    let trust = trusted(context, out, &options)?;
    let outcome = verify::verify(context, &options, trust)?;
    if let Some(file) = &args.html {
        let opened = ops::project::open(context)?;
        let (project, at) = (opened.project.name.as_str(), context.now.to_string());
        let html = render::verify_html(&VerifyPage { project, at: &at, outcome: &outcome });
        page::write(context, out, file, &html)?;
    }
    if context.settings.json {
        out.json(&outcome)?;
    } else {
        out.data(&render::verify(&outcome))?;
        if outcome.lacks_gpu_proof() {
            out.say("not proven: that anything computes on an AMD GPU");
        }
        if outcome.has_damaged_files() {
            out.say("help: rocmenv sync --repair");
        }
    }
    Ok(if outcome.has_passed() { Exit::Done } else { Exit::Unmet })
}

/// What the user says of the project's commands; asked only where they would be run.
fn trusted(context: &Context, out: &mut Output, options: &VerifyOptions) -> Result<Trust, Error> {
    let are_run = options.only.is_empty() || options.only.iter().any(|id| id == "commands");
    if !are_run {
        return Ok(Trust::Undecided);
    }
    let opened = ops::project::open(context)?;
    ask_trust(context, out, opened.root.folder(), &opened.project.verify.commands)
}

/// What the user says of a project's commands: kept from before, or asked now.
pub(super) fn ask_trust(
    context: &Context,
    out: &mut Output,
    folder: &Path,
    commands: &[String],
) -> Result<Trust, Error> {
    trust::settle(context, folder, commands, || {
        out.say("rocm.toml wants to run these commands:");
        for command in commands {
            out.say(&format!("  {command}"));
        }
        let question = Confirm::new().with_prompt("Allow them, now and later?").default(false);
        question.interact().map_err(|dialoguer::Error::IO(error)| error)
    })
}
