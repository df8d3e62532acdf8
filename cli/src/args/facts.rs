//! Words of the commands that answer from the registry and from the host.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::ops::host::HostOptions;
use crate::ops::matrix::{MatrixOptions, Platform, Topic};

/// `host`.
#[derive(Debug, Clone, Args)]
pub struct HostArgs {
    /// A fact in place of the one found (`driver=30.20.1`, `os=ubuntu-24.04`); may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl From<HostArgs> for HostOptions {
    fn from(args: HostArgs) -> Self {
        Self { set: args.set, interpreters: true }
    }
}

/// `matrix`.
#[derive(Debug, Clone, Args)]
pub struct MatrixArgs {
    /// What to show
    #[arg(value_enum, default_value = "rocm")]
    pub topic: TopicArg,

    /// Only rows that contain this text (`MI300X`, `10.1`, `pytorch`)
    pub only: Option<String>,

    /// The system that GPU support is shown for
    #[arg(long, value_enum, default_value = "linux")]
    pub platform: PlatformArg,

    /// Show every ROCm series, not the newest twelve
    #[arg(long)]
    pub all: bool,
}

/// Topics of `matrix`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum TopicArg {
    /// ROCm releases and their lines
    Rocm,
    /// gfx targets and the releases that list them
    Gpu,
    /// Kernel drivers and the releases that AMD lists for them
    Driver,
    /// Frameworks and the versions that AMD lists
    Framework,
}

/// Systems of `matrix gpu`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum PlatformArg {
    /// Linux, bare or in a container
    Linux,
    /// Native Windows
    Windows,
    /// Linux under WSL2
    Wsl,
}

impl From<MatrixArgs> for MatrixOptions {
    fn from(args: MatrixArgs) -> Self {
        Self {
            topic: match args.topic {
                TopicArg::Rocm => Topic::Rocm,
                TopicArg::Gpu => Topic::Gpu,
                TopicArg::Driver => Topic::Driver,
                TopicArg::Framework => Topic::Framework,
            },
            only: args.only,
            platform: match args.platform {
                PlatformArg::Linux => Platform::Linux,
                PlatformArg::Windows => Platform::Windows,
                PlatformArg::Wsl => Platform::Wsl,
            },
            all: args.all,
        }
    }
}

/// `registry`.
#[derive(Debug, Clone, Args)]
pub struct RegistryArgs {
    /// Check an overlay and put it beside the registry
    #[arg(long, value_name = "FILE")]
    pub add: Option<PathBuf>,

    /// Put it into the user's folder even inside a project
    #[arg(long, requires = "add")]
    pub user: bool,
}
