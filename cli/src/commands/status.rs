//! `status`.

use rocmenv_manifests::name::GroupName;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::status;
use crate::render::{self, Output};

/// Prints it. What does not agree is no failure of this command.
pub fn run(context: &Context, out: &mut Output, groups: &[GroupName]) -> Result<Exit, Error> {
    let status = status::status(context, groups)?;
    if context.settings.json {
        out.json(&render::status_json(&status))?;
    } else {
        out.data(&render::status(&status))?;
    }
    Ok(Exit::Done)
}
