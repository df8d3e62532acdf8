//! Words of the commands that write rocm.toml.

use std::path::PathBuf;

use clap::Args;
use rocmenv_manifests::name::{ComponentName, GroupName, IndexName};
use rocmenv_manifests::version::Requirement;

use crate::ops::edit::{AddOptions, RemoveOptions};
use crate::ops::init::{InitOptions, Precision, TargetDraft, TemplateOptions};

/// `init`.
#[derive(Debug, Clone, Args)]
pub struct InitArgs {
    /// The folder that becomes a project; without it, the current one
    pub folder: Option<PathBuf>,

    /// The project's name; without it, the folder's
    #[arg(long)]
    pub name: Option<String>,

    /// A framework, with versions if they matter (`pytorch>=2.12`); may be repeated
    #[arg(long, value_name = "FRAMEWORK")]
    pub framework: Vec<String>,

    /// Which ROCm (`10.0`, `>=7.2,<10`)
    #[arg(long, value_name = "VERSIONS")]
    pub rocm: Option<Requirement>,

    /// Which Python (`3.12`)
    #[arg(long, value_name = "VERSIONS")]
    pub python: Option<Requirement>,

    /// A Python package (`transformers>=4.50`); may be repeated
    #[arg(long, value_name = "PACKAGE")]
    pub package: Vec<String>,

    /// Begin from a scenario: rocm.toml, a script and a verify command (`--list-templates`)
    #[arg(long, value_name = "NAME", help_heading = "Scenarios")]
    pub template: Option<String>,

    /// List the scenarios
    #[arg(long, help_heading = "Scenarios")]
    pub list_templates: bool,

    /// Of llm-serve: how many parameters the model has (`7b`, `70b`)
    #[arg(long, value_name = "COUNT", requires = "template", help_heading = "Scenarios")]
    pub parameters: Option<String>,

    /// Of llm-serve: in what precision its weights are
    #[arg(long, value_enum, requires = "template", help_heading = "Scenarios")]
    pub precision: Option<Precision>,

    /// A part of ROCm beside what the wheels bring (`runtime`, `smi`, `hip-dev`); may be repeated
    #[arg(long, value_name = "NAME")]
    pub component: Vec<ComponentName>,

    /// Where ROCm comes from: auto, amd, therock, distro, host, or a channel's name
    #[arg(long, value_name = "CHANNEL")]
    pub channel: Option<String>,

    /// Describe the target: a GPU (`MI300X`, `RX 7900 XTX`, `gfx1100`); may be repeated
    #[arg(long, value_name = "GPU", help_heading = "The target; without these, this host")]
    pub gpu: Vec<String>,

    /// Describe the target: its system (`ubuntu-24.04`, `windows-11-25H2`)
    #[arg(long, value_name = "OS", help_heading = "The target; without these, this host")]
    pub os: Option<String>,

    /// Describe the target: its driver (`31.50.0`, `in-tree`)
    #[arg(long, value_name = "DRIVER", help_heading = "The target; without these, this host")]
    pub driver: Option<String>,

    /// Describe the target: the ROCm that it already has (`10.1.0`)
    #[arg(long, value_name = "RELEASE", help_heading = "The target; without these, this host")]
    pub host_rocm: Option<String>,
}

impl From<InitArgs> for InitOptions {
    fn from(args: InitArgs) -> Self {
        let target =
            TargetDraft { os: args.os, gpus: args.gpu, driver: args.driver, rocm: args.host_rocm };
        Self {
            folder: args.folder,
            name: args.name,
            frameworks: args.framework,
            rocm: args.rocm,
            python: args.python,
            packages: args.package,
            components: args.component,
            channel: args.channel,
            template: args.template.map(|name| TemplateOptions {
                name,
                parameters: args.parameters,
                precision: args.precision.unwrap_or_default(),
            }),
            target: (target != TargetDraft::default()).then_some(target),
        }
    }
}

/// `quickstart`.
#[derive(Debug, Clone, Args)]
pub struct QuickstartArgs {
    /// The folder of the project; without it, rocmenv-quickstart in the current one
    pub folder: Option<PathBuf>,
}

/// `add`.
#[derive(Debug, Clone, Args)]
pub struct AddArgs {
    /// Frameworks, `rocm`, `python`, `driver`, components of ROCm or Python packages, with
    /// versions where they matter (`pytorch>=2.12`, `rocm==10.0`, `smi`, `transformers[torch]`)
    #[arg(required_unless_present = "from_env", value_name = "REQUIREMENT")]
    pub requirements: Vec<String>,

    /// Take over the packages that pip or another program put into the environment
    #[arg(long, conflicts_with_all = ["requirements", "index"])]
    pub from_env: bool,

    /// Put Python packages into this group
    #[arg(long, value_name = "NAME")]
    pub group: Option<GroupName>,

    /// Take the Python packages from this index of rocm.toml
    #[arg(long, value_name = "NAME")]
    pub index: Option<IndexName>,

    /// Take every name as a Python package, even one that the registry knows otherwise
    #[arg(long)]
    pub package: bool,
}

impl From<AddArgs> for AddOptions {
    fn from(args: AddArgs) -> Self {
        Self {
            requests: args.requirements,
            group: args.group,
            index: args.index,
            only_packages: args.package,
            from_env: args.from_env,
        }
    }
}

/// `remove`.
#[derive(Debug, Clone, Args)]
pub struct RemoveArgs {
    /// Names that rocm.toml asks for
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,

    /// Look in this group
    #[arg(long, value_name = "NAME")]
    pub group: Option<GroupName>,
}

impl From<RemoveArgs> for RemoveOptions {
    fn from(args: RemoveArgs) -> Self {
        Self { names: args.names, group: args.group }
    }
}
