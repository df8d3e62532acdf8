//! What is true of one host, as plain data with a stable JSON form.
//!
//! Every fact that can be unknown is optional: `None` says that nobody looked or that
//! looking failed (then [`HostFacts::unread`] says why), an empty list says that there is
//! nothing. Nothing here reads a machine; `probe` fills these types, `overrides` changes
//! them, `file` writes and reads them. Serial numbers, UUIDs and host names are never
//! stored; a user's name may stand in the paths of interpreters and variables.

mod access;
mod driver;
mod environment;
mod gpu;
mod machine;
mod origin;
mod os;
mod pci;
mod python;
mod rocm;
mod windows;

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::platform::{Arch, Libc};
use rocmenv_manifests::sourced::{Origin, Sourced};
use serde::{Deserialize, Serialize};

pub use access::{Container, ContainerKind, DeviceNode, DeviceOpen, Process, Wsl};
pub use driver::{DkmsTree, Driver, DriverFlavour, DriverPackage};
pub use environment::{EnvironmentVariable, VariableRole, role_of};
pub use gpu::{GfxSource, Gpu, GpuKind, Partition};
pub use machine::{Cpu, Disk, Kernel, Memory};
pub use origin::{Base, Unread};
pub use os::Os;
pub use pci::{PciAddress, PciError, PciId};
pub use python::{Interpreter, InterpreterOrigin};
pub use rocm::RocmInstall;
pub use windows::{DisplayAdapter, HipRuntime, Installed, SmartAppControl, Windows};

/// The version of the JSON form that this program writes.
pub const SCHEMA: u32 = 1;

/// One host.
///
/// The JSON form is documented in `docs/host-file.md`. Fields that this version does not
/// know are ignored when read, so that a file from a later version of the same schema
/// still reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct HostFacts {
    /// Version of the form, [`SCHEMA`] when written by this program.
    pub schema: u32,
    /// Where the facts come from that no override replaced.
    pub base: Base,
    /// Facts that were given instead of read: key, and value as the user wrote it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub overrides: BTreeMap<String, Sourced<String>>,
    /// Operating system and distribution.
    pub os: Os,
    /// The running kernel.
    pub kernel: Kernel,
    /// The C library that programs of this host link to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub libc: Option<Libc>,
    /// Machine architecture, where ROCm is built for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arch: Option<Arch>,
    /// Processors.
    pub cpu: Cpu,
    /// Main memory.
    pub memory: Memory,
    /// File systems of the folders that were asked about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disks: Vec<Disk>,
    /// The amdgpu kernel driver, or on Windows the Adrenalin driver.
    pub driver: Driver,
    /// AMD GPUs, in KFD node order, then those that only the PCI bus shows. `None`: not
    /// known; empty: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpus: Option<Vec<Gpu>>,
    /// `/dev/kfd` and the render nodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<DeviceNode>,
    /// Whom this process runs as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process: Option<Process>,
    /// The container that this process runs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<Container>,
    /// Windows Subsystem for Linux, `None` where it is not that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wsl: Option<Wsl>,
    /// Edition, settings, adapters and runtimes of a native Windows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub windows: Option<Windows>,
    /// ROCm installations outside of any environment of ours.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rocm: Vec<RocmInstall>,
    /// Python interpreters, in the order in which they were found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub python: Vec<Interpreter>,
    /// Variables of the environment that change what ROCm does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<EnvironmentVariable>,
    /// What should have been readable and was not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
}

impl HostFacts {
    /// A host of which nothing is known, to be described by overrides.
    pub fn unknown() -> Self {
        Self {
            schema: SCHEMA,
            base: Base::Described,
            overrides: BTreeMap::new(),
            os: Os::default(),
            kernel: Kernel::default(),
            libc: None,
            arch: None,
            cpu: Cpu::default(),
            memory: Memory::default(),
            disks: Vec::new(),
            driver: Driver::default(),
            gpus: None,
            devices: Vec::new(),
            process: None,
            container: None,
            wsl: None,
            windows: None,
            rocm: Vec::new(),
            python: Vec::new(),
            environment: Vec::new(),
            unread: Vec::new(),
        }
    }

    /// Whether an AMD GPU is known to be there; `None` where nobody could look.
    pub fn has_gpu(&self) -> Option<bool> {
        self.gpus.as_ref().map(|gpus| !gpus.is_empty())
    }

    /// The AMD GPUs that are known, none where nobody could look.
    pub fn known_gpus(&self) -> &[Gpu] {
        self.gpus.as_deref().unwrap_or_default()
    }

    /// The instruction sets that this host can run: of the GPUs that KFD shows or that were
    /// given, or, where there is none of those, of the GPUs that only the PCI bus shows.
    pub fn gfx_targets(&self) -> BTreeSet<GfxTarget> {
        let usable =
            |gpu: &&Gpu| gpu.kfd_node.is_some() || gpu.gfx_source == Some(GfxSource::Given);
        let of = |gpus: &mut dyn Iterator<Item = &Gpu>| gpus.filter_map(|gpu| gpu.gfx).collect();
        let targets: BTreeSet<_> = of(&mut self.known_gpus().iter().filter(usable));
        if targets.is_empty() { of(&mut self.known_gpus().iter()) } else { targets }
    }

    /// The value of a watched environment variable, `None` where it is not set.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.environment
            .iter()
            .find(|variable| variable.name == name)
            .map(|variable| variable.value.as_str())
    }

    /// Where the fact under a key (`driver`, `gpus` ...) comes from: from an override, else
    /// from the machine, else nobody said it.
    pub fn origin_of(&self, key: &str) -> Origin {
        match (self.overrides.get(key), self.base) {
            (Some(given), _) => given.origin.clone(),
            (None, Base::Probed) => Origin::Probed("probe".to_owned()),
            (None, Base::Described) => Origin::Default,
        }
    }
}

impl Default for HostFacts {
    fn default() -> Self {
        Self::unknown()
    }
}
