//! What a diagnosis reads: the host's facts, and what lies around them that only a diagnosis
//! wants. Plain data; `probe` reads it off a machine, `parse` out of texts that somebody handed
//! in, and rules see no difference.

mod message;
mod pcie;
mod read;
mod torch;

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::version::Dotted;
use serde::{Deserialize, Serialize};

use crate::host::HostFacts;

pub use message::{Message, Signal};
pub use pcie::{Acs, AtomicOps, AtomicPath, PcieFunction, Port, atomic_path};
pub use read::{Kfd, gpu_label};
pub use torch::{Torch, TorchBuild};

/// Everything that rules see.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// The host.
    pub host: HostFacts,
    /// What lies around it.
    pub around: Surroundings,
}

/// What a diagnosis wants to know beside the host's facts. What is `None` or empty is not known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Surroundings {
    /// The kernel's command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_line: Option<String>,
    /// Whether the firmware checks signatures of modules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secure_boot: Option<bool>,
    /// Files that forbid amdgpu.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub blacklist: BTreeSet<String>,
    /// Whether the kernel was configured with `CONFIG_HSA_AMD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hsa_in_kernel: Option<bool>,
    /// Whether this is a virtual machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_machine: Option<bool>,
    /// How many GPUs KFD's topology shows, where somebody looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kfd_gpus: Option<usize>,
    /// Kind of the IOMMU domain of each AMD GPU, by address (`identity` is pass-through).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub iommu: BTreeMap<String, String>,
    /// PCIe links of AMD GPUs, by address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub links: BTreeMap<String, Link>,
    /// The way from each AMD GPU to the processor, by the GPU's address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub pcie: BTreeMap<String, Vec<PcieFunction>>,
    /// Whether KFD could switch AtomicOps on, by the GPU's address; where its links say so.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub kfd_atomics: BTreeMap<String, bool>,
    /// `/proc/sys/kernel/numa_balancing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numa_balancing: Option<bool>,
    /// `/sys/module/ttm/parameters/pages_limit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttm_pages: Option<u64>,
    /// Size of `/dev/shm` in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shm_bytes: Option<u64>,
    /// Whether a display device of NVIDIA is on the PCI bus. Files of its tools are no sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nvidia: Option<bool>,
    /// Sensors of AMD GPUs at their limit, in words.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub hot: BTreeSet<String>,
    /// Groups that `/etc/group` gives the user of this process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member_of: Option<BTreeSet<String>>,
    /// Groups of the process by name, where only names are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_names: Option<BTreeSet<String>>,
    /// Python packages of the environment, name to version; `None` where nobody looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packages: Option<BTreeMap<String, String>>,
    /// ROCm packages of the distribution's package manager, name to version.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub system_packages: BTreeMap<String, String>,
    /// What torch says of itself.
    #[serde(skip_serializing_if = "Torch::is_empty")]
    pub torch: Torch,
    /// The files that could be loaded as libamdhip64, in the order in which the loader looks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hip_libraries: Vec<HipLibrary>,
    /// AMD's repositories in the sources of apt, dnf and zypper.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub repositories: BTreeSet<String>,
    /// Devices that a runtime lists, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runtime_gpus: Vec<RuntimeGpu>,
    /// torch as it was asked of an index of pytorch.org.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub wanted: BTreeSet<Wanted>,
    /// Group ids that a container's configuration gives to device nodes.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mapped_nodes: BTreeMap<String, u32>,
    /// What only Windows has.
    #[serde(skip_serializing_if = "Windows::is_empty")]
    pub windows: Windows,
    /// Recognised lines, sorted.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub messages: BTreeSet<Message>,
    /// Lines that look like a failure and that nothing recognised.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub unmatched: BTreeSet<String>,
}

/// A PCIe link, in lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Link {
    /// Lanes in use.
    pub width: u32,
    /// Lanes that both ends have.
    pub maximum: u32,
}

/// A file that could be loaded as libamdhip64.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct HipLibrary {
    /// Its path, links followed.
    pub path: String,
    /// Why the loader looks there.
    pub by: LoadedBy,
}

/// Why the loader looks at a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoadedBy {
    /// It lies in the environment's packages.
    Environment,
    /// A folder of `LD_LIBRARY_PATH`.
    LibraryPath,
    /// A folder of the loader's configuration, or its default ones.
    System,
}

/// A device as a runtime (rocminfo, hipinfo) lists it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct RuntimeGpu {
    /// Its name.
    pub name: String,
    /// The instruction set that the runtime gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gfx: Option<GfxTarget>,
    /// Compute units, where they are said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compute_units: Option<u32>,
}

/// torch, asked of an index that serves one ROCm.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Wanted {
    /// The specifiers (`==2.8.0`, `<2.9`).
    pub torch: String,
    /// The index's ROCm.
    pub rocm: Dotted,
}

/// What only Windows has.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Windows {
    /// Display adapters in the order of Windows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub adapters: Vec<Adapter>,
    /// HIP runtimes in System32.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub system32: BTreeSet<String>,
    /// `VerifiedAndReputablePolicyState` is not 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smart_app_control: Option<bool>,
    /// `LongPathsEnabled` is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub long_paths: Option<bool>,
    /// Whether the Visual C++ runtime is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vc_runtime: Option<bool>,
    /// The release of an installed HIP SDK (`HIP_PATH`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hip_sdk: Option<String>,
}

impl Windows {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A display adapter of Windows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Adapter {
    /// Its name.
    pub name: String,
    /// PCI vendor and device (`1002:744c`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The Windows driver's number (`32.0.21025.1024`), another line than Adrenalin's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver_version: Option<String>,
}
