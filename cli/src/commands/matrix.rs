//! `matrix`: a table of the registry.

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::matrix::MatrixOptions;
use crate::render::{Output, table};

/// Prints it, with how to read it on standard error.
pub fn run(context: &Context, out: &mut Output, options: &MatrixOptions) -> Result<Exit, Error> {
    let registry = ops::registry::load(context)?;
    let matrix = ops::matrix::matrix(&registry, options);
    if context.settings.json {
        out.json(&serde_json::json!({ "date": matrix.date, "tables": matrix.data }))?;
        return Ok(Exit::Done);
    }
    let header: Vec<&str> = matrix.header.iter().map(String::as_str).collect();
    out.data(&table(&header, &matrix.rows))?;
    for line in &matrix.legend {
        out.say(line);
    }
    out.say(&ops::registry::dated(&registry, context.now));
    Ok(Exit::Done)
}
