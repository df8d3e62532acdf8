//! Words of `lock` and `sync`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use rocmenv_manifests::name::GroupName;
use rocmenv_resolver::solve::Moves;

use crate::ops::lock::LockOptions;
use crate::ops::lock_difference::LockDifferenceOptions;
use crate::ops::sync::{GATE_IDS, SyncOptions};

/// `lock`.
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct LockArgs {
    /// Something else than locking
    #[command(subcommand)]
    pub action: Option<LockAction>,

    /// Choose everything anew, the newest that fits
    #[arg(short = 'U', long)]
    pub upgrade: bool,

    /// Let this package, framework, `rocm` or `python` move; may be repeated
    #[arg(short = 'P', long, value_name = "NAME", conflicts_with = "upgrade")]
    pub upgrade_package: Vec<String>,

    /// Only say whether rocm.lock is up to date; write nothing
    #[arg(long)]
    pub check: bool,

    /// Download and hash the files of all targets that an index gives no hash of
    #[arg(long)]
    pub hash: bool,

    /// Choose among the files of this bundle alone, which `fetch` made; may be repeated
    #[arg(long, value_name = "PATH", conflicts_with_all = ["upgrade", "hash"])]
    pub from: Vec<PathBuf>,

    /// Apply this fix of the refusal to rocm.toml, then lock
    #[arg(long, value_name = "N", conflicts_with_all = ["check", "upgrade"])]
    pub fix: Option<usize>,
}

/// Actions of `lock`.
#[derive(Debug, Clone, Subcommand)]
pub enum LockAction {
    /// Say what changes from one lock to another; without any, from what runs to rocm.lock
    Diff {
        /// The one; without it, what the current generation was made of
        from: Option<PathBuf>,
        /// The other; without it, rocm.lock
        to: Option<PathBuf>,
    },
}

impl From<LockAction> for LockDifferenceOptions {
    fn from(action: LockAction) -> Self {
        let LockAction::Diff { from, to } = action;
        Self { from, to }
    }
}

impl From<LockArgs> for LockOptions {
    fn from(args: LockArgs) -> Self {
        let names: BTreeSet<String> = args.upgrade_package.into_iter().collect();
        let moves = match (args.upgrade, names.is_empty()) {
            (true, _) => Moves::Everything,
            (false, true) => Moves::Nothing,
            (false, false) => Moves::Named(names),
        };
        Self { moves, check: args.check, hash_all: args.hash, from: args.from, ..Self::default() }
    }
}

/// `sync`.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct SyncArgs {
    /// A group of packages beside the environment's own; may be repeated
    #[arg(short, long, value_name = "NAME")]
    pub group: Vec<GroupName>,

    /// Compile no modules ahead
    #[arg(long)]
    pub no_compile_bytecode: bool,

    /// Do not ask this gate; may be repeated
    #[arg(long, value_name = "GATE", value_parser = GATE_IDS)]
    pub skip_gate: Vec<String>,

    /// Go on where the files hold no code for a GPU of the target
    #[arg(long)]
    pub allow_uncovered: bool,

    /// Go on from a rollback: take its pin away
    #[arg(long)]
    pub unpin: bool,

    /// Drop the packages that pip or another program put into the environment
    #[arg(long)]
    pub discard: bool,

    /// Read every file in the store, bring damaged packages anew and make the environment anew
    #[arg(long)]
    pub repair: bool,

    /// Take files from this bundle, which `fetch` made; may be repeated
    #[arg(long, value_name = "PATH")]
    pub from: Vec<PathBuf>,
}

impl From<SyncArgs> for SyncOptions {
    fn from(args: SyncArgs) -> Self {
        Self {
            groups: args.group,
            bytecode: !args.no_compile_bytecode,
            skip_gates: args.skip_gate.into_iter().collect(),
            allow_uncovered: args.allow_uncovered,
            unpin: args.unpin,
            discard: args.discard,
            repair: args.repair,
            from: args.from,
        }
    }
}
