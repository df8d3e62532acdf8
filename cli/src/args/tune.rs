//! Words of `tune` and `profile`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rocmenv_manifests::registry::rows::tuning::Workload;

use crate::ops::profile::{ProfileOptions, Tool};
use crate::ops::tune::TuneOptions;

/// `tune`.
#[derive(Debug, Clone, Args)]
pub struct TuneArgs {
    /// Only advice for this use
    #[arg(long, value_enum, value_name = "USE")]
    pub workload: Option<WorkloadName>,

    /// Write the variables of this rule into rocm.toml; the next sync sets them
    #[arg(long, value_name = "RULE", conflicts_with = "workload")]
    pub apply: Option<String>,

    /// Take the last applied rule back, or the one named
    #[arg(long, value_name = "RULE", num_args = 0..=1, conflicts_with_all = ["workload", "apply"])]
    pub undo: Option<Option<String>>,
}

/// Uses of a machine.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum WorkloadName {
    /// Training on one GPU
    Training,
    /// Training over several GPUs
    MultiGpuTraining,
    /// Serving models
    Inference,
}

impl From<WorkloadName> for Workload {
    fn from(name: WorkloadName) -> Self {
        match name {
            WorkloadName::Training => Self::Training,
            WorkloadName::MultiGpuTraining => Self::MultiGpuTraining,
            WorkloadName::Inference => Self::Inference,
        }
    }
}

impl TuneArgs {
    /// What advice is asked for.
    pub fn options(&self) -> TuneOptions {
        TuneOptions { workload: self.workload.map(Into::into) }
    }
}

/// `profile`.
#[derive(Debug, Clone, Args)]
pub struct ProfileArgs {
    /// The profiler
    #[arg(long, value_enum, value_name = "TOOL", default_value = "torch")]
    pub tool: ToolName,

    /// Write a page that needs no network (HTML)
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// The program and its arguments (`-- python train.py`)
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    pub command: Vec<OsString>,
}

/// Profilers.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ToolName {
    /// torch.profiler, in the program's own process
    Torch,
    /// rocprofv3 of rocprofiler-sdk, around any program
    Rocprofv3,
    /// The former rocprof, which has ended
    Rocprof,
}

impl From<ProfileArgs> for ProfileOptions {
    fn from(args: ProfileArgs) -> Self {
        let tool = match args.tool {
            ToolName::Torch => Tool::Torch,
            ToolName::Rocprofv3 => Tool::Rocprofv3,
            ToolName::Rocprof => Tool::Rocprof,
        };
        Self { tool, command: args.command }
    }
}
