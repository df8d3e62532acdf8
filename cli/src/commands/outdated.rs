//! `outdated`.

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::lock::Inputs;
use crate::ops::outdated::{self, OutdatedOptions};
use crate::render::{self, Output};
use crate::runtime;

/// Prints it. That something newer exists is no failure of this command.
pub fn run(context: &Context, out: &mut Output, options: &OutdatedOptions) -> Result<Exit, Error> {
    let inputs = Inputs::read(context)?;
    let future = outdated::outdated(context, &inputs, *options, context.reporter.as_ref());
    let outcome = runtime::block_on(future)??;
    if context.settings.json {
        out.json(&outcome)?;
    } else {
        out.data(&render::outdated(&outcome))?;
    }
    Ok(Exit::Done)
}
