//! Words of the commands that move a project along the releases.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use rocmenv_manifests::version::Requirement;

use crate::ops::bisect::{BisectOptions, End};
use crate::ops::outdated::OutdatedOptions;
use crate::ops::upgrade::{Action, UpgradeOptions, UpgradeWish};

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
    /// A generation in which it works (`3`; without it, the oldest that is kept), or a release of
    /// ROCm with which it works (`7.2.4`): then releases are locked and synced aside and tried
    #[arg(long, value_name = "WHERE")]
    pub good: Option<End>,

    /// A later one in which it fails; without it, the current one
    #[arg(long, value_name = "WHERE")]
    pub bad: Option<End>,

    /// The command that tells (code 0 is good, 125 cannot tell); without it, those of `[verify]`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

impl From<BisectArgs> for BisectOptions {
    fn from(args: BisectArgs) -> Self {
        Self { good: args.good, bad: args.bad, command: args.command }
    }
}

/// `upgrade`.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one flag, one bool")]
pub struct UpgradeArgs {
    /// The ROCm to go to (`10.0`); without it, the newest patch, then the newest release
    #[arg(long, value_name = "ROCM")]
    pub to: Option<Requirement>,

    /// The driver to go to (`31.50.0`, `in-tree`; for Windows the Adrenalin version)
    #[arg(long, value_name = "DRIVER")]
    pub driver: Option<String>,

    /// Go even where a GPU of the host is no longer listed
    #[arg(long)]
    pub accept_losses: bool,

    /// Carry the plan out, to the next step that the host's owner takes
    #[arg(long, conflicts_with_all = ["continue", "abort"])]
    pub apply: bool,

    /// Go on with the upgrade that is under way, after looking at the host anew
    #[arg(long, conflicts_with_all = ["abort", "to", "driver"])]
    pub r#continue: bool,

    /// Return to where the upgrade that is under way began
    #[arg(long, conflicts_with_all = ["to", "driver"])]
    pub abort: bool,

    /// The installer of a Windows driver, which is verified and kept
    #[arg(long, value_name = "FILE")]
    pub installer: Option<PathBuf>,
}

impl From<UpgradeArgs> for UpgradeOptions {
    fn from(args: UpgradeArgs) -> Self {
        Self {
            action: match (args.apply, args.r#continue, args.abort) {
                (true, _, _) => Action::Apply,
                (_, true, _) => Action::Continue,
                (_, _, true) => Action::Abort,
                _ => Action::Plan,
            },
            wish: UpgradeWish {
                rocm: args.to,
                driver: args.driver,
                accept_losses: args.accept_losses,
            },
            installer: args.installer,
        }
    }
}
