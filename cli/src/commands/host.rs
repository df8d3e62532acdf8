//! `host`: what this machine is, or the host file that stands for it.

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::host::HostOptions;
use crate::render::Output;

/// Prints the facts; with `--json`, as the host file that `--host` reads.
pub fn run(context: &Context, out: &mut Output, options: &HostOptions) -> Result<Exit, Error> {
    let registry = ops::registry::load(context)?;
    let facts = ops::host::facts(context, &registry, options)?;
    out.json(&facts)?;
    Ok(Exit::Done)
}
