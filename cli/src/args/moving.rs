//! Words of the commands by which a project comes from other tools and goes to them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rocmenv_manifests::name::GroupName;

use crate::ops::export::{ExportOptions, Format, Language};
use crate::ops::import::{ImportOptions, SourceKind};

/// `export`.
#[derive(Debug, Clone, Args)]
pub struct ExportArgs {
    /// The format
    pub format: ExportFormat,

    /// Write this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// A group of packages beside the environment's own; may be repeated
    #[arg(short, long, value_name = "NAME")]
    pub group: Vec<GroupName>,

    /// Name the wheels in this folder instead of any index (requirements, pylock)
    #[arg(long, value_name = "FOLDER")]
    pub wheels: Option<String>,

    /// The image that the container begins with (dockerfile, apptainer); without it, the one of
    /// the target's distribution. For apptainer a path, too: a .sif or an unpacked image
    #[arg(long, value_name = "IMAGE")]
    pub base: Option<String>,
}

/// A format of `export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// requirements.txt with hashes, for pip and uv
    Requirements,
    /// pylock.toml (PEP 751), for pip and uv
    Pylock,
    /// A Dockerfile of two stages
    Dockerfile,
    /// A definition file of Apptainer
    Apptainer,
    /// A module file in Tcl, for Environment Modules and Lmod
    Module,
    /// A module file in Lua, for Lmod
    ModuleLua,
    /// A bill of materials with licences, CycloneDX 1.6 in JSON
    Cyclonedx,
}

impl From<ExportArgs> for ExportOptions {
    fn from(args: ExportArgs) -> Self {
        let format = match args.format {
            ExportFormat::Requirements => Format::Requirements,
            ExportFormat::Pylock => Format::Pylock,
            ExportFormat::Dockerfile => Format::Dockerfile,
            ExportFormat::Apptainer => Format::Apptainer,
            ExportFormat::Module => Format::Module(Language::Tcl),
            ExportFormat::ModuleLua => Format::Module(Language::Lua),
            ExportFormat::Cyclonedx => Format::CycloneDx,
        };
        Self {
            format,
            groups: args.group,
            output: args.output,
            wheels: args.wheels,
            base: args.base,
        }
    }
}

/// `import`.
#[derive(Debug, Clone, Args)]
pub struct ImportArgs {
    /// requirements.txt, pyproject.toml, uv.lock, pylock.toml, a virtual environment, a ROCm such
    /// as /opt/rocm, or the folder of AMD's rocm-cli (~/.rocm), which is only read
    pub source: PathBuf,

    /// What the source is, where its name does not say
    #[arg(long, value_name = "KIND")]
    pub from: Option<ImportSource>,

    /// Write rocm.toml and make no lock
    #[arg(long)]
    pub no_lock: bool,

    /// Replace lines of a rocm.toml that say something else
    #[arg(long)]
    pub force: bool,
}

/// A kind of source of `import`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ImportSource {
    /// A requirements file of pip
    Requirements,
    /// A project's pyproject.toml
    Pyproject,
    /// The lock of uv
    UvLock,
    /// A lock of PEP 751
    Pylock,
    /// A virtual environment
    Venv,
    /// A ROCm of this host
    Rocm,
    /// The folder of AMD's rocm-cli
    RocmCli,
}

impl From<ImportArgs> for ImportOptions {
    fn from(args: ImportArgs) -> Self {
        let kind = args.from.map(|kind| match kind {
            ImportSource::Requirements => SourceKind::Requirements,
            ImportSource::Pyproject => SourceKind::Pyproject,
            ImportSource::UvLock => SourceKind::UvLock,
            ImportSource::Pylock => SourceKind::Pylock,
            ImportSource::Venv => SourceKind::Venv,
            ImportSource::Rocm => SourceKind::Rocm,
            ImportSource::RocmCli => SourceKind::RocmCli,
        });
        Self { source: args.source, kind, lock: !args.no_lock, force: args.force }
    }
}
