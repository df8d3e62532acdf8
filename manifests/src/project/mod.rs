//! rocm.toml: what a user asks for.
//!
//! Two stages: `raw` is the file as read, with spans; `Project` is what was proven of it.

mod bench;
mod error;
mod fingerprint;
mod inputs;
mod instant;
mod layer;
mod ordered;
mod parse;
mod raw;
mod schema;
mod text_or;
mod types;

pub use bench::{BenchRequest, BenchRequestError};
pub use error::{Meant, Place, Problem, ProjectError, did_you_mean, nearest};
pub use fingerprint::{Fingerprint, FingerprintError};
pub use schema::json_schema;
pub use types::{
    Accelerator, Accept, ChannelChoice, DriverSpec, Environment, Framework, GpuSpec, IndexKind,
    IndexSpec, PackageRequest, Policy, Project, PythonSource, RocmOptions, TargetSpec, VerifySpec,
};
