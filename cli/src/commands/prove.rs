//! `prove`: verdicts and what lacks them; exit 1 where a GPU is known not to be covered or a file
//! cannot be loaded.

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::prove::{self, ProveOptions};
use crate::render::{self, Output};
use crate::runtime;

/// Prints what was proved.
pub fn run(context: &Context, out: &mut Output, options: &ProveOptions) -> Result<Exit, Error> {
    let reporter = context.reporter.as_ref();
    let outcome = runtime::block_on(prove::prove(context, options, reporter))??;
    if context.settings.json {
        out.json(&outcome)?;
    } else {
        out.data(&render::prove(&outcome))?;
    }
    for line in render::prove_notes(&outcome) {
        out.say(&line);
    }
    Ok(if outcome.holds() { Exit::Done } else { Exit::Unmet })
}
