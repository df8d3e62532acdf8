//! Words of the commands for more than one machine or person.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use rocmenv_manifests::name::TargetName;

use crate::ops::fetch::FetchOptions;

/// `fetch`.
#[derive(Debug, Clone, Args)]
pub struct FetchArgs {
    /// The bundle: a folder, or one file where the name ends in `.tar`; a folder keeps what it
    /// holds for other targets
    #[arg(long, value_name = "PATH")]
    pub to: PathBuf,

    /// Leave out what this earlier bundle holds
    #[arg(long, value_name = "PATH")]
    pub since: Option<PathBuf>,
}

impl From<FetchArgs> for FetchOptions {
    fn from(args: FetchArgs) -> Self {
        Self { to: args.to, since: args.since }
    }
}

/// `target`.
#[derive(Debug, Clone, Args)]
pub struct TargetArgs {
    /// What to do
    #[command(subcommand)]
    pub action: TargetAction,
}

/// Actions of `target`.
#[derive(Debug, Clone, Subcommand)]
pub enum TargetAction {
    /// Describe this host in rocm.toml and lock it beside the other targets, which stay as they are
    Add {
        /// The name of the target; without it, one is made of the system and the GPU
        name: Option<TargetName>,
    },
    /// List the targets, and say which of them this host is
    List,
    /// Take a target out of rocm.toml and rocm.lock; the others stay as they are
    Remove {
        /// The name of the target
        name: TargetName,
    },
}

/// `trust`.
#[derive(Debug, Clone, Args)]
pub struct TrustArgs {
    /// Only say which commands there are and whether they may run
    #[arg(long)]
    pub show: bool,

    /// Forget what was allowed or refused
    #[arg(long, conflicts_with = "show")]
    pub revoke: bool,
}
