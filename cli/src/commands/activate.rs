//! `activate SHELL`: text that the shell evaluates.

use clap::ValueEnum;

use rocmenv_manifests::name::GroupName;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::activate::Dialect;
use crate::render::Output;

/// The shells that can be spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// Bash
    Bash,
    /// Z shell
    Zsh,
    /// fish
    Fish,
    /// PowerShell
    Powershell,
    /// Command Prompt: write the text to a file and `call` it
    Cmd,
}

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
        Shell::Cmd => Dialect::Cmd,
    };
    out.data(&ops::activate::script(&current.activation, dialect))?;
    Ok(Exit::Done)
}
