//! `activate SHELL`: text for `eval`.

use rocmenv_manifests::name::GroupName;

use crate::commands::completions::Shell;
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::activate::Dialect;
use crate::render::Output;

/// Prints it.
pub fn run(
    context: &Context,
    out: &mut Output,
    shell: Shell,
    groups: &[GroupName],
) -> Result<Exit, Error> {
    let current = ops::environment::current_with(context, groups)?;
    if let Some(drift) = current.drift() {
        out.warn(drift);
    }
    let dialect = match shell {
        Shell::Bash | Shell::Zsh => Dialect::Posix,
        Shell::Fish => Dialect::Fish,
        Shell::Powershell => Dialect::PowerShell,
    };
    out.data(&ops::activate::script(&current.activation, dialect))?;
    Ok(Exit::Done)
}
