//! `python list`: what there is, and what a sync would take.

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::python::{self, PythonOptions};
use crate::render::{self, Output};

/// `python list`.
pub fn list(context: &Context, out: &mut Output, options: &PythonOptions) -> Result<Exit, Error> {
    let outcome = python::list(context, options)?;
    if context.settings.json {
        out.json(&render::pythons_json(&outcome))?;
        return Ok(Exit::Done);
    }
    out.data(&render::pythons(&outcome))?;
    for line in render::python_choice(&outcome) {
        out.say(&line);
    }
    Ok(Exit::Done)
}
