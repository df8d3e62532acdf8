//! Kernel, processors, memory, disks.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::Reader;
use crate::host::facts::{Cpu, Disk, HostFacts, Memory};
use crate::host::sysroot::Sysroot;

/// Kernel release and architecture.
pub(super) fn kernel(reader: &mut Reader<'_>, facts: &mut HostFacts) {
    match reader.root().kernel() {
        Ok(name) => {
            facts.kernel.release = Some(name.release);
            match name.machine.parse() {
                Ok(arch) => facts.arch = Some(arch),
                Err(error) => reader.note("architecture", format!("{error}")),
            }
        }
        Err(error) => reader.note("kernel release", error.to_string()),
    }
}

/// Processors by `/proc/cpuinfo`. Arm kernels list neither model nor cores there: those stay
/// unknown.
pub(super) fn cpu(reader: &mut Reader<'_>) -> Cpu {
    let text = reader.text("/proc/cpuinfo").unwrap_or_default();
    let mut model = None;
    let mut threads = 0;
    let mut socket = None;
    let mut sockets = BTreeSet::new();
    let mut cores = BTreeSet::new();
    for line in text.lines() {
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        let value = value.trim();
        match key.trim() {
            "processor" => {
                threads += 1;
                socket = None;
            }
            "model name" if model.is_none() => model = Some(value.to_owned()),
            "physical id" => {
                socket = Some(value);
                sockets.insert(value);
            }
            "core id" => {
                cores.insert((socket, value));
            }
            _ => {}
        }
    }
    let known = |count: usize| u32::try_from(count).ok().filter(|&count| count > 0);
    let nodes = reader.list("/sys/devices/system/node");
    let numa_nodes = nodes.iter().filter(|name| is_numbered(name, "node")).count();
    Cpu {
        model,
        sockets: known(sockets.len()),
        cores: known(cores.len()),
        threads: known(threads),
        numa_nodes: known(numa_nodes),
    }
}

/// `MemTotal` of `/proc/meminfo`, which counts in KiB whatever it writes.
pub(super) fn memory(reader: &mut Reader<'_>) -> Memory {
    let text = reader.text("/proc/meminfo").unwrap_or_default();
    let total = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|number| number.parse::<u64>().ok());
    Memory { total_bytes: total.and_then(|kib| kib.checked_mul(1024)) }
}

/// The file systems under the folders that were asked about; one that cannot be asked is
/// left out.
pub(super) fn disks(root: &dyn Sysroot, folders: &[PathBuf]) -> Vec<Disk> {
    let disk = |folder: &PathBuf| {
        let space = root.space(folder).ok()?;
        let path = folder.to_string_lossy().into_owned();
        Some(Disk { path, total_bytes: space.total, free_bytes: space.free })
    };
    folders.iter().filter_map(disk).collect()
}

/// Whether a name is a prefix followed by a number (`node0`, `renderD128`).
pub(super) fn is_numbered(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix)
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|letter| letter.is_ascii_digit()))
}
