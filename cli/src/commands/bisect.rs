//! `bisect`: each run on its line, then what broke it.

use std::ffi::OsString;
use std::fmt::Display;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::bisect::{self, BisectError, BisectOptions, Ends, Said, Verdict};
use crate::ops::difference::Difference;
use crate::ops::trust::Trust;
use crate::render::{self, Output};

/// Prints what was found.
pub fn run(context: &Context, out: &mut Output, options: &BisectOptions) -> Result<Exit, Error> {
    let ends = options.ends()?;
    let commands = commands(context, out, options)?;
    match ends {
        Ends::Generations(ends) => {
            let outcome = bisect::bisect(context, ends, &commands, |trial| {
                out.say(&line("generation", &trial.generation, &trial.verdict));
            })?;
            if context.settings.json {
                out.json(&outcome)?;
                return Ok(Exit::Done);
            }
            warn_untold(out, "in generation", &outcome.untold);
            found(out, "generation", (&outcome.good, &outcome.bad), &outcome.difference)
        }
        Ends::Releases(ends) => {
            let outcome = bisect::bisect_releases(context, &ends, &commands, |trial| {
                out.say(&line("ROCm", &trial.release, &trial.verdict));
            })?;
            if context.settings.json {
                out.json(&outcome)?;
                return Ok(Exit::Done);
            }
            warn_untold(out, "with ROCm", &outcome.untold);
            found(out, "ROCm", (&outcome.good, &outcome.bad), &outcome.difference)
        }
    }
}

fn found(
    out: &mut Output,
    kind: &str,
    (good, bad): (&impl Display, &impl Display),
    difference: &Difference,
) -> Result<Exit, Error> {
    let words = render::difference(difference);
    out.data(&format!("{kind} {bad} broke it ({good} works):\n{words}"))?;
    Ok(Exit::Done)
}

fn warn_untold(out: &mut Output, kind: &str, untold: &[impl Display]) {
    if untold.is_empty() {
        return;
    }
    let names: Vec<String> = untold.iter().map(ToString::to_string).collect();
    out.warn(&format!(
        "the command could not tell {kind} {}, so it may have been there already",
        names.join(", ")
    ));
}

fn line(kind: &str, at: &impl Display, verdict: &Verdict) -> String {
    let word = match verdict.said {
        Said::Good => "good",
        Said::Bad => "bad",
        Said::Unknown => "cannot tell",
    };
    let detail =
        if verdict.detail.is_empty() { String::new() } else { format!(" ({})", verdict.detail) };
    format!("{kind} {at}: {word}{detail}")
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
