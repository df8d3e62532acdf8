//! The words of a call. clap's types live in this folder and nowhere else; every command gets
//! plain values made of them.

mod bench;
mod doctor;
mod environment;
mod facts;
mod global;
mod lock;
mod meta;
mod moving;
mod project;
mod prove;
mod python;
#[cfg(test)]
mod shown;
mod size;
mod team;
mod tune;
mod upgrade;

use clap::{CommandFactory as _, Parser, Subcommand};

pub use bench::{BenchAction, BenchArgs, MeasureArgs};
pub use doctor::DoctorArgs;
pub use environment::{
    ActivateArgs, CacheAction, CacheArgs, GcArgs, GenerationsAction, GenerationsArgs, GraphArgs,
    GroupArgs, PackageArgs, RollbackArgs, RunArgs, ShimsAction, ShimsArgs, TreeArgs, VerifyArgs,
    WhyArgs,
};
pub use facts::{CheckArgs, HostArgs, MatrixArgs, RegistryArgs};
pub use global::{ColorChoice, GlobalArgs};
pub use lock::{LockArgs, SyncArgs};
pub use meta::{CompletionsArgs, ExplainArgs, ManArgs};
pub use moving::{ExportArgs, ImportArgs};
pub use project::{AddArgs, InitArgs, QuickstartArgs, RemoveArgs};
pub use prove::ProveArgs;
pub use python::{PythonAction, PythonArgs};
pub use team::{FetchArgs, TargetAction, TargetArgs, TrustArgs};
pub use tune::{ProfileArgs, TuneArgs};
pub use upgrade::{BisectArgs, OutdatedArgs, UpgradeArgs};

/// Takes a machine with an AMD GPU to a working deep-learning environment.
///
/// rocm.toml says what is wanted, `rocmenv lock` chooses one compatible set of driver, ROCm,
/// Python and packages, `rocmenv sync` installs it without root, `rocmenv run` runs in it.
#[derive(Debug, Parser)]
#[command(name = "rocmenv", version, disable_help_subcommand = false, max_term_width = 100)]
#[command(after_help = EXIT_CODES, arg_required_else_help = true)]
pub struct Cli {
    /// Flags that every command takes.
    #[command(flatten)]
    pub global: GlobalArgs,
    /// The verb.
    #[command(subcommand)]
    pub command: Command,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a project: a first rocm.toml
    Init(Box<InitArgs>),
    /// Detect the host, make a small project, lock, sync and verify it
    Quickstart(QuickstartArgs),
    /// Ask for a framework, a ROCm, a component or a Python package
    Add(AddArgs),
    /// Ask for something no longer
    Remove(RemoveArgs),
    /// Add this host to the targets, list them, or remove one
    Target(TargetArgs),
    /// Choose one compatible set for each target and write rocm.lock
    Lock(LockArgs),
    /// Make the environment what rocm.lock says
    Sync(SyncArgs),
    /// Fetch what a sync needs into a bundle, for machines without a network
    Fetch(FetchArgs),
    /// Say whether a stack goes together, from the registry alone
    Check(CheckArgs),
    /// Run a program in the environment
    Run(RunArgs),
    /// Start a shell in the environment
    Shell(GroupArgs),
    /// Print text that a shell evaluates to enter the environment
    Activate(ActivateArgs),
    /// Look whether the environment is what it should be
    Verify(VerifyArgs),
    /// Measure copies, collectives and matrix products, and compare measurements
    Bench(BenchArgs),
    /// Run a program under a profiler and say what holds it back
    Profile(ProfileArgs),
    /// Give advice for speed, with reason, effect and risk
    Tune(TuneArgs),
    /// Say whether the files, fetched or not, hold code for the target's GPUs
    Prove(ProveArgs),
    /// List the environments that there were
    Generations(GenerationsArgs),
    /// Go back to an earlier environment
    Rollback(RollbackArgs),
    /// Move to a newer ROCm or driver in stages that can be taken back
    Upgrade(Box<UpgradeArgs>),
    /// Find the generation, or the release of ROCm, that broke something
    Bisect(BisectArgs),
    /// Say what is newer than what is locked
    Outdated(OutdatedArgs),
    /// Say how rocm.toml, rocm.lock, the environment and this host stand to each other
    Status(GroupArgs),
    /// List what is locked
    List(GroupArgs),
    /// Say everything that the lock holds of a package
    Info(PackageArgs),
    /// Show what needs what
    Tree(TreeArgs),
    /// Take over what another tool wrote down or installed
    Import(ImportArgs),
    /// Say what is locked in the words of another tool
    Export(ExportArgs),
    /// Say why a package is there, or prove that a version cannot be
    Why(WhyArgs),
    /// Draw what needs what
    Graph(GraphArgs),
    /// Say what this machine is
    Host(HostArgs),
    /// Say what is wrong with this machine or environment, and the way out
    Doctor(Box<DoctorArgs>),
    /// List interpreters, and say which one an environment gets
    Python(PythonArgs),
    /// Install, list or remove shims: programs that find the environment by themselves
    Shims(ShimsArgs),
    /// Allow the commands of this project's rocm.toml to be run
    Trust(TrustArgs),
    /// Say where the cache is and what it takes
    Cache(CacheArgs),
    /// Remove from the store what no environment uses
    Gc(GcArgs),
    /// Show a table of the registry: releases, GPUs, drivers, frameworks
    Matrix(MatrixArgs),
    /// Say what the registry holds, or extend it
    Registry(RegistryArgs),
    /// Print the JSON schema of rocm.toml
    Schema,
    /// Print the completion script of a shell
    Completions(CompletionsArgs),
    /// Print the manual, or write one page per command
    Man(ManArgs),
    /// Say what a code of an error, refusal or finding means
    Explain(ExplainArgs),
}

/// The command as clap sees it, for completions, the manual and the documents.
pub fn command() -> clap::Command {
    Cli::command()
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  cannot be met (no solution, verification failed)
  2  usage
  3  lock or environment out of date
  4  network
  5  integrity or signature
  6  host does not fit, host change or reboot needed
  `run` and shims pass the code of the program through";
