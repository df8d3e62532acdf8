//! KFD's topology: one folder a node, one `key value` line a property.
//!
//! The instruction set is the line `gfx_target_version` and nothing else. The file `name`
//! is not read: on newer kernels it says "ip discovery" for every GPU.

use std::collections::BTreeMap;

use rocmenv_manifests::gfx::GfxTarget;

use super::Reader;
use crate::host::facts::PciAddress;

/// A node that computes: one GPU, one die, or one partition.
pub(super) struct GpuNode {
    pub(super) number: u32,
    properties: BTreeMap<String, u64>,
    /// Local memory in bytes over all banks, `None` where no bank is listed.
    pub(super) bank_bytes: Option<u64>,
}

/// The GPU nodes in order of their numbers; nodes that are processors alone are left out.
pub(super) fn gpu_nodes(reader: &mut Reader<'_>) -> Vec<GpuNode> {
    let names = reader.list(NODES);
    let mut numbers: Vec<u32> = names.iter().filter_map(|name| name.parse().ok()).collect();
    numbers.sort_unstable();
    numbers.into_iter().filter_map(|number| gpu_node(reader, number)).collect()
}

fn gpu_node(reader: &mut Reader<'_>, number: u32) -> Option<GpuNode> {
    // a GPU that this process's device cgroup does not allow answers with EPERM
    let properties = parse(&reader.text(format!("{NODES}/{number}/properties"))?);
    if properties.get("simd_count").copied().unwrap_or(0) == 0 {
        return None;
    }
    let bank_bytes = local_memory(reader, number);
    Some(GpuNode { number, properties, bank_bytes })
}

impl GpuNode {
    /// A property that fits the type, `None` where the kernel does not write it.
    pub(super) fn property<T: TryFrom<u64>>(&self, key: &str) -> Option<T> {
        self.properties.get(key).and_then(|&value| T::try_from(value).ok())
    }

    /// The instruction set, `None` on kernels that are too old to say it.
    pub(super) fn gfx(&self) -> Option<GfxTarget> {
        self.property("gfx_target_version").and_then(GfxTarget::from_kfd)
    }

    pub(super) fn address(&self) -> Option<PciAddress> {
        let location = self.property("location_id")?;
        Some(PciAddress::from_kfd(self.property("domain").unwrap_or(0), location))
    }

    /// SIMD units by those in each compute unit.
    pub(super) fn compute_units(&self) -> Option<u32> {
        let simds: u32 = self.property("simd_count")?;
        simds.checked_div(self.property("simd_per_cu")?)
    }

    /// Whether processor and GPU are one node, as KFD shows APUs of the Carrizo and Raven
    /// generations. Later APUs have a node of their own, like cards.
    pub(super) fn has_processor(&self) -> bool {
        self.property::<u32>("cpu_cores_count").is_some_and(|cores| cores > 0)
    }
}

/// Frame buffer banks only: heap types 1 and 2 (`HSA_HEAPTYPE_FRAME_BUFFER_PUBLIC` and
/// `_PRIVATE` of ROCm's hsakmttypes.h); 0 is system memory. The property `local_mem_size` is
/// 0 on current kernels although the memory is there.
fn local_memory(reader: &mut Reader<'_>, number: u32) -> Option<u64> {
    let folder = format!("{NODES}/{number}/mem_banks");
    let mut total = None;
    for bank in reader.list(&folder) {
        let Some(text) = reader.text(format!("{folder}/{bank}/properties")) else {
            continue;
        };
        let bank = parse(&text);
        if bank.get("heap_type").is_some_and(|heap| !matches!(heap, 1 | 2)) {
            continue;
        }
        if let Some(&size) = bank.get("size_in_bytes").filter(|&&size| size > 0) {
            total = Some(total.unwrap_or(0) + size);
        }
    }
    total
}

fn parse(text: &str) -> BTreeMap<String, u64> {
    text.lines()
        .filter_map(|line| line.trim().split_once(' '))
        .filter_map(|(key, value)| Some((key.to_owned(), value.trim().parse().ok()?)))
        .collect()
}

const NODES: &str = "/sys/class/kfd/kfd/topology/nodes";
