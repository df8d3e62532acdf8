//! Words of `python`.

use clap::{Args, Subcommand};
use rocmenv_manifests::version::Dotted;

use crate::ops::python::PythonOptions;

/// `python`.
#[derive(Debug, Clone, Args)]
pub struct PythonArgs {
    /// What to do
    #[command(subcommand)]
    pub action: PythonAction,
}

/// What to do with interpreters.
#[derive(Debug, Clone, Subcommand)]
pub enum PythonAction {
    /// List the interpreters of this machine, and say which one a sync would take
    List {
        /// A series (`3.12`) in place of the one that is locked
        series: Option<Dotted>,
    },
}

impl From<PythonAction> for PythonOptions {
    fn from(action: PythonAction) -> Self {
        let PythonAction::List { series } = action;
        Self { series }
    }
}
