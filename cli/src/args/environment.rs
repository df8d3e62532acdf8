//! Words of the commands that work in an environment or read the lock.

use std::ffi::OsString;

use clap::{Args, Subcommand};

use crate::commands::completions::Shell;

/// `run`.
#[derive(Debug, Clone, Args)]
pub struct RunArgs {
    /// The program and its arguments
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    pub command: Vec<OsString>,
}

/// `activate`.
#[derive(Debug, Clone, Args)]
pub struct ActivateArgs {
    /// The shell
    pub shell: Shell,
}

/// `info` and `why`.
#[derive(Debug, Clone, Args)]
pub struct PackageArgs {
    /// The package
    pub name: String,
}

/// `tree`.
#[derive(Debug, Clone, Args)]
pub struct TreeArgs {
    /// Begin at this package
    pub name: Option<String>,

    /// Show what needs it instead of what it needs
    #[arg(short, long, requires = "name")]
    pub invert: bool,

    /// Unfold no further than this
    #[arg(long, value_name = "LEVELS")]
    pub depth: Option<usize>,
}

/// `shims`.
#[derive(Debug, Clone, Args)]
pub struct ShimsArgs {
    /// What to do
    #[command(subcommand)]
    pub action: ShimsAction,
}

/// Actions of `shims`.
#[derive(Debug, Clone, Subcommand)]
pub enum ShimsAction {
    /// Put shims into their folder; without names, for python and the environment's programs
    Install {
        /// Names of programs
        names: Vec<String>,
    },
    /// Say which names have a shim
    List,
    /// Take shims out; without names, all
    Remove {
        /// Names of programs
        names: Vec<String>,
    },
}
