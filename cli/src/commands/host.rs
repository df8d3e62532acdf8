//! `host`: what this machine is, or the host file that stands for it.

use rocmenv_resolver::host::driver_release;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::host::HostOptions;
use crate::render::{self, Output};

/// Prints the facts; with `--json`, as the host file that `--host` reads.
pub fn run(context: &Context, out: &mut Output, options: &HostOptions) -> Result<Exit, Error> {
    let registry = ops::registry::load(context)?;
    let facts = ops::host::facts(context, &registry, options)?;
    if context.settings.json {
        out.json(&facts)?;
    } else {
        let release = driver_release(&facts, &registry);
        out.data(&render::host(&facts, release.as_ref()))?;
    }
    Ok(Exit::Done)
}
