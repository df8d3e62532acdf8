//! Kernel, processors, memory and disks.

use rocmenv_manifests::version::Dotted;
use serde::{Deserialize, Serialize};

/// The running kernel.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Kernel {
    /// `uname -r`, whole (`6.8.0-45-generic`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
}

impl Kernel {
    /// The leading numbers of the release (`6.8.0-45-generic` is `6.8.0`).
    pub fn version(&self) -> Option<Dotted> {
        Dotted::leading(self.release.as_deref()?)
    }
}

/// Processors, as `/proc/cpuinfo` and the NUMA nodes of sysfs count them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Cpu {
    /// Model name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Sockets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sockets: Option<u32>,
    /// Physical cores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// Hardware threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// NUMA nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numa_nodes: Option<u32>,
}

/// Main memory.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Memory {
    /// `MemTotal` in bytes: what the kernel can use, less than what is plugged in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_bytes: Option<u64>,
}

/// The file system under one folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Disk {
    /// The folder that was asked about.
    pub path: String,
    /// Size in bytes.
    pub total_bytes: u64,
    /// What an ordinary user may still write, in bytes.
    pub free_bytes: u64,
}
