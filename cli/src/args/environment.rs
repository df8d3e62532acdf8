//! Words of the commands that work in an environment or read the lock.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use rocmenv_manifests::name::GroupName;

use super::size::bytes;
use crate::commands::activate::Shell;
use crate::ops::gc::CollectOptions;
use crate::ops::rollback::RollbackOptions;
use crate::ops::verify::{LIMIT, VerifyOptions};
use crate::render::Format;

/// Groups of packages, for the verbs that speak of an environment.
#[derive(Debug, Clone, Args)]
pub struct GroupArgs {
    /// A group of packages beside the environment's own; may be repeated
    #[arg(short, long, value_name = "NAME")]
    pub group: Vec<GroupName>,
}

/// `run`.
#[derive(Debug, Clone, Args)]
pub struct RunArgs {
    /// Lock and sync first, where that is needed
    #[arg(long)]
    pub sync: bool,

    /// Groups that must be there.
    #[command(flatten)]
    pub groups: GroupArgs,

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

    /// Groups that must be there.
    #[command(flatten)]
    pub groups: GroupArgs,
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

    /// Groups that are shown; without any, all.
    #[command(flatten)]
    pub groups: GroupArgs,
}

/// `why`.
#[derive(Debug, Clone, Args)]
pub struct WhyArgs {
    /// The package; with `--not` and its version (`torch@2.9.1`)
    #[arg(value_name = "PACKAGE")]
    pub name: String,

    /// Prove instead that this version cannot be there (a package, framework, rocm or python)
    #[arg(long)]
    pub not: bool,
}

/// `graph`.
#[derive(Debug, Clone, Args)]
pub struct GraphArgs {
    /// Only this package and what it needs
    pub name: Option<String>,

    /// How the graph is written
    #[arg(long, value_enum, default_value = "dot")]
    pub format: GraphFormat,
}

/// Formats of `graph`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum GraphFormat {
    /// Graphviz
    Dot,
    /// Mermaid, which code hosts draw
    Mermaid,
    /// A drawing
    Svg,
    /// A page with the drawing, in one file
    Html,
}

impl From<GraphFormat> for Format {
    fn from(format: GraphFormat) -> Self {
        match format {
            GraphFormat::Dot => Self::Dot,
            GraphFormat::Mermaid => Self::Mermaid,
            GraphFormat::Svg => Self::Svg,
            GraphFormat::Html => Self::Html,
        }
    }
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
    /// Put the folder of the shims on PATH for every program that is started later: on Windows in
    /// the user's environment; elsewhere the line for the shell is printed and nothing is changed
    UpdateShell {
        /// Take it off PATH again
        #[arg(long)]
        undo: bool,
    },
    /// Say which names have a shim
    List,
    /// Take shims out; without names, all
    Remove {
        /// Names of programs
        names: Vec<String>,
    },
}

/// `generations`.
#[derive(Debug, Clone, Args)]
pub struct GenerationsArgs {
    /// What to do; without it, they are listed
    #[command(subcommand)]
    pub action: Option<GenerationsAction>,
}

/// Actions of `generations`.
#[derive(Debug, Clone, Subcommand)]
pub enum GenerationsAction {
    /// List them
    List,
    /// Say what changes from one to another
    Diff {
        /// The one
        from: u32,
        /// The other
        to: u32,
    },
    /// Keep one, whatever comes
    Pin {
        /// Its number
        number: u32,
    },
    /// Keep one no longer
    Unpin {
        /// Its number
        number: u32,
    },
}

/// `rollback`.
#[derive(Debug, Clone, Args)]
pub struct RollbackArgs {
    /// The generation; without it, the one before the current
    pub number: Option<u32>,

    /// The same
    #[arg(long, value_name = "NUMBER", conflicts_with = "number")]
    pub to: Option<u32>,

    /// Put rocm.toml and rocm.lock back, too, as they were then
    #[arg(long)]
    pub files: bool,
}

impl From<RollbackArgs> for RollbackOptions {
    fn from(args: RollbackArgs) -> Self {
        Self { to: args.to.or(args.number), files: args.files }
    }
}

/// `verify`.
#[derive(Debug, Clone, Args)]
pub struct VerifyArgs {
    /// Only these stages: host, files, rocm, import, framework, gpus, commands
    #[arg(value_name = "STAGE")]
    pub stages: Vec<String>,

    /// Read every file and compare its hash, not only its size and time
    #[arg(long)]
    pub deep: bool,

    /// Fail where there is no AMD GPU, or nothing runs on it for want of one
    #[arg(long)]
    pub require_gpu: bool,

    /// Stop a program that runs longer, and count it as failed; 0 lets it run
    #[arg(long, value_name = "SECONDS", default_value_t = LIMIT.as_secs())]
    pub timeout: u64,

    /// Write the report as a page of one file, too
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

impl From<&VerifyArgs> for VerifyOptions {
    fn from(args: &VerifyArgs) -> Self {
        Self {
            only: args.stages.clone(),
            deep: args.deep,
            require_gpu: args.require_gpu,
            limit: (args.timeout > 0).then(|| Duration::from_secs(args.timeout)),
        }
    }
}

/// `cache`.
#[derive(Debug, Clone, Args)]
pub struct CacheArgs {
    /// What to do
    #[command(subcommand)]
    pub action: CacheAction,
}

/// Actions of `cache`.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum CacheAction {
    /// Print the folder of pages and downloads
    Dir,
    /// Say what the store and the cache take
    Size,
    /// Remove pages and downloads; environments and the store stay
    Clean,
}

/// `gc`.
#[derive(Debug, Clone, Args)]
pub struct GcArgs {
    /// Environments below this path are gone for good; may be repeated
    #[arg(long, value_name = "PATH")]
    pub forget: Vec<PathBuf>,

    /// First remove old generations of every environment beyond so many; those that are current,
    /// were current before, are pinned or in use stay
    #[arg(long, value_name = "N")]
    pub keep: Option<usize>,

    /// First remove further old generations, the oldest first, until the store takes no more than
    /// this (`500MB`, `20GB`, `20GiB`, bytes); what `--keep` would never remove stays
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub max_size: Option<u64>,
}

impl From<GcArgs> for CollectOptions {
    fn from(args: GcArgs) -> Self {
        Self { forget: args.forget, keep: args.keep, max_size: args.max_size }
    }
}
