//! `check`: yes or no, for each host, with the registry's word for it.

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::check::CheckOptions;
use crate::render::{self, Output};

/// Prints the answers; exit 1 where one is no.
pub fn run(context: &Context, out: &mut Output, options: &CheckOptions) -> Result<Exit, Error> {
    let registry = ops::registry::load(context)?;
    let answers = ops::check::run(context, &registry, options)?;
    if context.settings.json {
        out.json(&answers)?;
    } else {
        let texts: Vec<String> = answers.iter().map(render::check).collect();
        out.data(&texts.join("\n\n"))?;
        out.say(&ops::registry::dated(&registry, context.now));
    }
    let all = answers.iter().all(|one| one.answer.fits());
    Ok(if all { Exit::Done } else { Exit::Unmet })
}
