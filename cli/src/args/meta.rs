//! Words of the commands about rocmenv itself.

use std::path::PathBuf;

use clap::Args;

use crate::commands::completions::Shell;

/// `completions`.
#[derive(Debug, Clone, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// `man`.
#[derive(Debug, Clone, Args)]
pub struct ManArgs {
    /// Write one page per command into this folder
    #[arg(long, value_name = "DIR")]
    pub directory: Option<PathBuf>,
}

/// `explain`.
#[derive(Debug, Clone, Args)]
pub struct ExplainArgs {
    /// The code, as an error shows it in brackets; without it, all codes are listed
    pub code: Option<String>,
}
