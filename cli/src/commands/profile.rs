//! `profile`: the command under a profiler, then what its time went into.

use std::path::Path;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::files;
use crate::ops::profile::{self, ProfileOptions};
use crate::render::{self, Output};

/// Profiles; the exit code is the program's.
pub fn run(
    context: &Context,
    out: &mut Output,
    options: &ProfileOptions,
    html: Option<&Path>,
) -> Result<Exit, Error> {
    let outcome = profile::profile(context, options)?;
    if let Some(html) = html {
        files::replace(&context.cwd.join(html), &render::profile_html(&outcome))?;
        out.say(&format!("wrote `{}`", html.display()));
    }
    if context.settings.json {
        out.json(&render::profile_json(&outcome))?;
    } else {
        out.data(&render::profile(&outcome))?;
    }
    Ok(match u8::try_from(outcome.report.exit_code) {
        Ok(0) => Exit::Done,
        Ok(code) => Exit::Child(code),
        Err(_) => Exit::Unmet,
    })
}
