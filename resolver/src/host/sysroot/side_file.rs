//! What a tree of files cannot hold: the side file of a captured machine.

use std::collections::BTreeMap;

use rocmenv_manifests::platform::OsFamily;
use serde::Deserialize;

use crate::host::facts::{DeviceOpen, Process};

/// The side file, TOML. An unknown key is an error: it is written by hand.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct SideFile {
    /// `linux` where nothing is said.
    pub(super) family: Option<OsFamily>,
    pub(super) uname: Option<Uname>,
    pub(super) process: Option<Process>,
    pub(super) environment: BTreeMap<String, String>,
    pub(super) device: Vec<Device>,
    pub(super) disk: Vec<DiskEntry>,
    /// Programs that answer, by path; a path in the tree without an entry fails to run.
    pub(super) program: Vec<Program>,
    /// Paths that exist and may not be read.
    pub(super) unreadable: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Uname {
    pub(super) release: String,
    pub(super) machine: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Device {
    pub(super) path: String,
    pub(super) uid: u32,
    pub(super) gid: u32,
    /// Octal digits, as `stat` prints them.
    pub(super) mode: String,
    pub(super) open: DeviceOpen,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct DiskEntry {
    pub(super) path: String,
    pub(super) total_bytes: u64,
    pub(super) free_bytes: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Program {
    pub(super) path: String,
    /// What it writes to standard output, whatever its arguments.
    #[serde(default)]
    pub(super) output: String,
    #[serde(default)]
    pub(super) exit_code: i32,
}
