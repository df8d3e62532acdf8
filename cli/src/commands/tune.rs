//! `tune`: advice, or one rule written into rocm.toml and taken back.

use crate::args::TuneArgs;
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::tune::{self, Applied};
use crate::render::{self, Output};

/// Gives advice, applies or takes back.
pub fn run(context: &Context, out: &mut Output, args: &TuneArgs) -> Result<Exit, Error> {
    if let Some(rule) = &args.apply {
        return said(context, out, &tune::apply(context, rule)?);
    }
    if let Some(rule) = &args.undo {
        return said(context, out, &tune::undo(context, rule.as_deref())?);
    }
    let outcome = tune::advise(context, &args.options())?;
    if context.settings.json {
        out.json(&render::tune_json(&outcome))?;
    } else {
        out.data(&render::tune(&outcome))?;
    }
    Ok(Exit::Done)
}

fn said(context: &Context, out: &mut Output, applied: &Applied) -> Result<Exit, Error> {
    if context.settings.json {
        out.json(applied)?;
        return Ok(Exit::Done);
    }
    for (name, value) in &applied.variables {
        match value {
            Some(value) => out.data(&format!("[tune] {name} = \"{value}\""))?,
            None => out.data(&format!("[tune] without {name}"))?,
        }
    }
    if applied.written {
        out.say("next: rocmenv sync, which writes it into the activation");
    } else {
        out.say("rocm.toml was not changed");
    }
    Ok(Exit::Done)
}
