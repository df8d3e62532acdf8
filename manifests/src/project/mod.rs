//! rocm.toml: what a user asks for.
//!
//! Two stages: `raw` is the file as read, with spans; `Project` is what was proven of it.

mod types;

pub use types::{
    Accelerator, Accept, ChannelChoice, DriverSpec, Environment, Framework, GpuSpec, IndexKind,
    IndexSpec, PackageRequest, Policy, Project, PythonSource, RocmOptions, TargetSpec, VerifySpec,
};
