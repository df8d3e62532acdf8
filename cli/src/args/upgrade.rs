//! Words of the commands that move a project along the releases.

use std::ffi::OsString;

use clap::Args;

use crate::ops::bisect::BisectOptions;
use crate::ops::outdated::OutdatedOptions;

/// `outdated`.
#[derive(Debug, Clone, Copy, Args)]
pub struct OutdatedArgs {
    /// Ask the channels for releases that the registry does not know
    #[arg(long)]
    pub online: bool,
}

impl From<OutdatedArgs> for OutdatedOptions {
    fn from(args: OutdatedArgs) -> Self {
        Self { online: args.online }
    }
}

/// `bisect`.
#[derive(Debug, Clone, Args)]
pub struct BisectArgs {
    /// A generation in which it works; without it, the oldest that is kept
    #[arg(long, value_name = "GENERATION")]
    pub good: Option<u32>,

    /// A later one in which it fails; without it, the current one
    #[arg(long, value_name = "GENERATION")]
    pub bad: Option<u32>,

    /// The command that tells (code 0 is good, 125 cannot tell); without it, those of `[verify]`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

impl From<BisectArgs> for BisectOptions {
    fn from(args: BisectArgs) -> Self {
        Self { good: args.good, bad: args.bad, command: args.command }
    }
}
