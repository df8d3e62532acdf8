//! The flags that every command takes.

use std::path::PathBuf;

use clap::{ArgAction, Args, ValueEnum};
use rocmenv_manifests::name::{EnvName, TargetName};

/// Flags that every command takes.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one flag, one bool; settings gives them names")]
#[command(next_help_heading = "Global options")]
pub struct GlobalArgs {
    /// Say only errors
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "verbose")]
    pub quiet: u8,

    /// Say every step
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub verbose: u8,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,

    /// Show no progress bars
    #[arg(long, global = true)]
    pub no_progress: bool,

    /// Use no network
    #[arg(long, global = true)]
    pub offline: bool,

    /// The lock must already fit rocm.toml: nothing is written, else exit 3
    #[arg(long, global = true, conflicts_with = "frozen")]
    pub locked: bool,

    /// Use the lock as it is, without checking it (as in uv and pixi, not as in cargo)
    #[arg(long, global = true)]
    pub frozen: bool,

    /// The project's folder; without it, the nearest one with a rocm.toml is taken
    #[arg(long, global = true, value_name = "DIR")]
    pub project: Option<PathBuf>,

    /// The target to work for, by its name in rocm.toml
    #[arg(long, global = true, value_name = "NAME")]
    pub target: Option<TargetName>,

    /// The environment of the project
    #[arg(short = 'e', long = "environment", global = true, value_name = "NAME")]
    pub env: Option<EnvName>,

    /// Facts of a host from a file (made by `host --json`) in place of this machine's
    #[arg(long, global = true, value_name = "FILE")]
    pub host: Option<PathBuf>,

    /// Print one JSON document on standard output
    #[arg(long, global = true)]
    pub json: bool,

    /// Print the plan and change nothing
    #[arg(short = 'n', long, global = true)]
    pub dry_run: bool,

    /// Take every question as answered with yes
    #[arg(short = 'y', long, global = true)]
    pub yes: bool,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless a variable says otherwise
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
