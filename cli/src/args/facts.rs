//! Words of the commands that answer from the registry and from the host.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rocmenv_manifests::version::Requirement;

use crate::ops::check::CheckOptions;
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

/// `check`.
#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    /// What should go together (`rocm==7.2`, `pytorch==2.9.1`, `python==3.12`); without any, what
    /// rocm.toml asks for
    #[arg(value_name = "REQUIREMENT")]
    pub requirements: Vec<String>,

    /// Describe the host: a GPU (`RX 6700 XT`, `gfx942`); may be repeated
    #[arg(long, value_name = "GPU", help_heading = HOST)]
    pub gpu: Vec<String>,

    /// Describe the host: its system (`ubuntu-24.04`, `windows-11-25H2`)
    #[arg(long, value_name = "OS", help_heading = HOST)]
    pub os: Option<String>,

    /// Describe the host: it runs under WSL2
    #[arg(long, help_heading = HOST)]
    pub wsl: bool,

    /// Describe the host: its kernel (`6.8.0-45-generic`)
    #[arg(long, value_name = "KERNEL", help_heading = HOST)]
    pub kernel: Option<String>,

    /// Describe the host: its driver (`30.20.0`, `in-tree`; for Windows the Adrenalin version)
    #[arg(long, value_name = "DRIVER", help_heading = HOST)]
    pub driver: Option<String>,

    /// Describe the host: its Python (`3.12`)
    #[arg(long, value_name = "PYTHON", help_heading = HOST)]
    pub python: Option<String>,

    /// Previews of ROCm (7.9 to 7.13) may be chosen
    #[arg(long)]
    pub preview: bool,
}

impl From<CheckArgs> for CheckOptions {
    fn from(args: CheckArgs) -> Self {
        Self {
            wishes: args.requirements,
            gpus: args.gpu,
            os: args.os,
            wsl: args.wsl,
            kernel: args.kernel,
            driver: args.driver,
            python: args.python,
            preview: args.preview,
        }
    }
}

const HOST: &str = "The host; without these, the project's targets or this host";

/// `matrix`.
#[derive(Debug, Clone, Args)]
pub struct MatrixArgs {
    /// What to show; without it the releases, and with --html everything
    #[arg(value_enum)]
    pub topic: Option<TopicArg>,

    /// Only rows that contain this text (`MI300X`, `10.1`, `pytorch`)
    pub only: Option<String>,

    /// The system that GPU support is shown for
    #[arg(long, value_enum, default_value = "linux")]
    pub platform: PlatformArg,

    /// Show every ROCm series, not the newest twelve
    #[arg(long)]
    pub all: bool,

    /// Write a page of one file in place of the table: the whole matrix with filters, or with
    /// `roadmap` the releases on a time line with this host's place and planned way
    #[arg(long, value_name = "FILE", conflicts_with_all = ["only", "all"])]
    pub html: Option<PathBuf>,

    /// With `roadmap --html`: the ROCm to go to; without it, what `upgrade` would take
    #[arg(long, value_name = "ROCM", requires = "html")]
    pub to: Option<Requirement>,
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
    /// What each release changes, and what is announced
    Roadmap,
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
            topic: args.topic.map(|topic| match topic {
                TopicArg::Rocm => Topic::Rocm,
                TopicArg::Gpu => Topic::Gpu,
                TopicArg::Driver => Topic::Driver,
                TopicArg::Framework => Topic::Framework,
                TopicArg::Roadmap => Topic::Roadmap,
            }),
            only: args.only,
            platform: match args.platform {
                PlatformArg::Linux => Platform::Linux,
                PlatformArg::Windows => Platform::Windows,
                PlatformArg::Wsl => Platform::Wsl,
            },
            all: args.all,
            html: args.html,
            to: args.to,
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

    /// Print the versions of `rocm` or a framework as Renovate's custom data source reads them
    #[arg(long, value_name = "NAME", conflicts_with = "add")]
    pub renovate: Option<String>,
}
