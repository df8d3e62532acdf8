//! A host that a solve is made for: the live one or a described one, in one form.
//!
//! What is `None` was not described and is not checked, which a lock says. Every value keeps
//! where it comes from, so that a refusal can name it.

mod fit;
mod from_host;
mod from_spec;

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::platform::{Arch, Libc, OsFamily, OsRelease};
use rocmenv_manifests::project::Accelerator;
use rocmenv_manifests::sourced::Sourced;
use rocmenv_manifests::version::{Dotted, DriverVersion, RocmVersion};

pub use fit::{Mismatch, fit};
pub use from_host::from_host;
pub use from_spec::{TargetError, from_spec};

/// Everything that a solve knows of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its name in rocm.toml, or `host`.
    pub name: TargetName,
    /// Operating system family; known even where the release is not.
    pub family: OsFamily,
    /// Operating system release.
    pub os: Option<Sourced<OsRelease>>,
    /// Whether it is a WSL distribution.
    pub wsl: bool,
    /// Kernel version, its leading numbers.
    pub kernel: Option<Sourced<Dotted>>,
    /// C library.
    pub libc: Option<Sourced<Libc>>,
    /// Processor.
    pub arch: Sourced<Arch>,
    /// GPUs; empty where there are none, `None` where nobody said.
    pub gpus: Option<Vec<Sourced<TargetGpu>>>,
    /// Driver.
    pub driver: Option<Sourced<TargetDriver>>,
    /// The ROCm that it already has.
    pub host_rocm: Option<Sourced<RocmVersion>>,
    /// What the frameworks must be built for.
    pub accelerator: Accelerator,
}

impl Target {
    /// The gfx targets of its GPUs, sorted, each once. Empty where none is known.
    pub fn gfx_targets(&self) -> Vec<GfxTarget> {
        let gpus = self.gpus.as_deref().unwrap_or_default();
        let mut targets: Vec<_> = gpus.iter().filter_map(|gpu| gpu.value.gfx).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }
}

/// One GPU of a target, or several alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetGpu {
    /// Its instruction set, where known.
    pub gfx: Option<GfxTarget>,
    /// Its product's name in the registry, where known: support is per product.
    pub product: Option<String>,
    /// How many.
    pub count: u32,
}

/// The driver of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetDriver {
    /// AMD's driver for Linux, by its release (`30.20.1`, or the group `6.4` where no more is
    /// known of it).
    Amd(DriverVersion),
    /// AMD's driver for Linux with a module version that no table maps to a release.
    UnknownRelease {
        /// The module version.
        module: String,
    },
    /// The kernel's own.
    InTree,
    /// AMD's driver for Windows, by its Adrenalin version.
    Adrenalin(DriverVersion),
}
