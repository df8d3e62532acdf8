//! Words of `doctor`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rocmenv_manifests::version::RocmVersion;
use rocmenv_resolver::diagnose::requirements::Workload;
use rocmenv_resolver::diagnose::walks::Symptom;

use crate::ops::doctor::{DoctorOptions, RequirementOptions, Task};

/// `doctor`.
#[derive(Debug, Clone, Args)]
pub struct DoctorArgs {
    /// Diagnose this in place of the machine: a capture (packed, unpacked or one text), a host file,
    /// a folder of outputs of tools, or one output
    #[arg(long, value_name = "PATH")]
    pub from: Option<PathBuf>,

    /// Read this output or log as well (`dmesg`, a traceback, `pip list`); may be repeated
    #[arg(long, value_name = "FILE")]
    pub log: Vec<PathBuf>,

    /// Walk one symptom step by step
    #[arg(long, value_enum, conflicts_with_all = ["requirements", "fix", "capture"])]
    pub symptom: Option<SymptomArg>,

    /// Hold the machine against what ROCm needs
    #[arg(long, conflicts_with_all = ["fix", "capture"])]
    pub requirements: bool,

    /// What the machine is for: `single-gpu-training`, `multi-gpu-training`,
    /// `inference:70B@fp16`
    #[arg(long, value_name = "WORKLOAD", requires = "requirements")]
    pub workload: Option<Workload>,

    /// The ROCm whose tables are asked; without it the newest whose table of products was read
    #[arg(long, value_name = "VERSION", requires = "requirements")]
    pub rocm: Option<RocmVersion>,

    /// The power supply, which cannot be read
    #[arg(long, visible_alias = "psu", value_name = "WATTS", requires = "requirements")]
    pub power_supply: Option<u32>,

    /// Write what was seen as a capture, without names, serial numbers and secrets: an archive
    /// (.tar.gz), or one text where the file ends with .txt
    #[arg(long, value_name = "FILE", conflicts_with = "fix")]
    pub capture: Option<PathBuf>,

    /// Mend a fault inside of what rocmenv owns
    #[arg(long, value_name = "CODE")]
    pub fix: Option<String>,
}

/// Symptoms to begin with.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SymptomArg {
    /// rocminfo or HIP sees no GPU
    NoGpu,
    /// The framework does not use the GPU
    FrameworkIgnoresGpu,
    /// Training is slower than it should be
    SlowTraining,
}

impl From<DoctorArgs> for DoctorOptions {
    fn from(args: DoctorArgs) -> Self {
        let symptom = args.symptom.map(|symptom| match symptom {
            SymptomArg::NoGpu => Symptom::NoGpu,
            SymptomArg::FrameworkIgnoresGpu => Symptom::FrameworkIgnoresGpu,
            SymptomArg::SlowTraining => Symptom::SlowTraining,
        });
        let task = if let Some(code) = args.fix {
            Task::Fix(code)
        } else if let Some(file) = args.capture {
            Task::Capture(file)
        } else if args.requirements {
            Task::Requirements(RequirementOptions {
                workload: args.workload.unwrap_or(Workload::SingleGpuTraining),
                rocm: args.rocm,
                power_supply: args.power_supply,
            })
        } else if let Some(symptom) = symptom {
            Task::Symptom(symptom)
        } else {
            Task::Diagnose
        };
        Self { from: args.from, logs: args.log, task }
    }
}
