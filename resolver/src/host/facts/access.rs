//! Whether this process may reach the device: nodes, ids, container, WSL.

use rocmenv_manifests::platform::OsRelease;
use serde::{Deserialize, Serialize};

/// A device node that ROCm opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct DeviceNode {
    /// Its path (`/dev/kfd`, `/dev/dri/renderD128`).
    pub path: String,
    /// Owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<u32>,
    /// Group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gid: Option<u32>,
    /// Name of the group in this system's `/etc/group`; `None` where it has none, as in a
    /// container with other groups than its host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Permission bits, octal (`0660`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// What came of opening it for reading and writing.
    pub open: DeviceOpen,
}

/// What came of opening a device node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceOpen {
    /// It opened.
    Ok,
    /// There is no such node (`ENOENT`).
    Absent,
    /// Refused by owner and mode (`EACCES`).
    PermissionDenied,
    /// Refused by the kernel or a device cgroup (`EPERM`).
    NotPermitted,
    /// The kernel has no device behind it (`ENXIO`, `ENODEV`).
    NoDevice,
    /// KFD refused this process (`EINVAL`).
    InvalidArgument,
    /// KFD has no GPU that it can serve (`ENOMEM`).
    OutOfMemory,
    /// Another error number.
    Errno(i32),
    /// Nobody tried.
    NotTried,
}

/// Whom this process runs as (effective ids).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Process {
    /// User id.
    pub uid: u32,
    /// Group id.
    pub gid: u32,
    /// Supplementary groups, sorted.
    pub groups: Vec<u32>,
}

impl Process {
    /// Whether the process has a group, as its own or a supplementary one.
    pub fn is_in_group(&self, gid: u32) -> bool {
        self.gid == gid || self.groups.contains(&gid)
    }
}

/// The container that a process runs in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Container {
    /// Which kind.
    pub kind: ContainerKind,
    /// The file or variable that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

/// Kinds of container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContainerKind {
    /// It was looked for and there is none.
    None,
    /// Docker.
    Docker,
    /// Podman, Toolbox and Distrobox included.
    Podman,
    /// LXC, Proxmox containers included.
    Lxc,
    /// Apptainer or Singularity.
    Apptainer,
    /// systemd-nspawn.
    Nspawn,
    /// A pod of Kubernetes, whatever runs it.
    Kubernetes,
    /// Another kind, by the name it gives itself.
    Other(String),
}

/// Windows Subsystem for Linux.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Wsl {
    /// 1 or 2; only 2 reaches a GPU.
    pub version: u8,
    /// Whether `/dev/dxg`, the way to the GPU, is there.
    pub dxg: bool,
    /// AMD's bridge library (`librocdxg.so`), where one was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub librocdxg: Option<String>,
    /// The Windows outside, where it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub windows: Option<OsRelease>,
}
