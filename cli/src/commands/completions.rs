//! `completions SHELL`: the script that teaches a shell rocmenv's words.

use clap::ValueEnum;

use crate::error::{Error, Exit};
use crate::render::Output;

/// The shells that there is a script for.
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
}

/// Prints the script.
pub fn run(out: &mut Output, shell: Shell) -> Result<Exit, Error> {
    let generator = match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
        Shell::Powershell => clap_complete::Shell::PowerShell,
    };
    let mut script = Vec::new();
    clap_complete::generate(generator, &mut crate::args::command(), "rocmenv", &mut script);
    out.data(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
