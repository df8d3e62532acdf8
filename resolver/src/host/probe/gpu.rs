//! The AMD GPUs of a host: KFD's nodes, completed from sysfs and the registry, then those
//! that only the PCI bus shows (no driver, passed on to a guest, skipped by KFD).

use std::collections::BTreeMap;

use rocmenv_manifests::gfx::GfxTarget;

use super::Reader;
use super::gpu_kind;
use super::kfd::{self, GpuNode};
use super::names::Names;
use super::pci::{self, Device};
use crate::host::facts::{GfxSource, Gpu, Partition, PciAddress, PciId};
use crate::host::lookup::{Product, ProductLookup};
use crate::host::registry::plain;

/// `None` where neither KFD nor the PCI bus can be seen, and under WSL, where the GPU is on
/// neither.
pub(super) fn find(
    reader: &mut Reader<'_>,
    table: &dyn ProductLookup,
    is_wsl: bool,
) -> Option<Vec<Gpu>> {
    let nodes = kfd::gpu_nodes(reader);
    let on_bus = pci::amd_gpus(reader);
    if nodes.is_empty() && (is_wsl || on_bus.is_none()) {
        // of WSL the Windows outside is asked
        if !is_wsl {
            reader.note("GPUs", "sysfs is hidden");
        }
        return None;
    }
    let mut search = Search { table, names: None, parts: BTreeMap::new() };
    for device in nodes.iter().filter_map(physical_device) {
        *search.parts.entry(device).or_default() += 1;
    }
    let mut gpus = Vec::new();
    let mut indices = BTreeMap::new();
    for node in &nodes {
        let index: &mut u32 = indices.entry(physical_device(node)).or_default();
        gpus.push(search.read_node(reader, node, *index));
        *index += 1;
    }
    let nodes_on = |address: PciAddress| search.parts.contains_key(&address.first_function());
    let rest: Vec<_> =
        on_bus.unwrap_or_default().into_iter().filter(|(address, _)| !nodes_on(*address)).collect();
    for (address, id) in rest {
        gpus.push(search.read_function(reader, address, id));
    }
    Some(gpus)
}

/// Partitions of one GPU share bus and device; older kernels tell them apart by function.
fn physical_device(node: &GpuNode) -> Option<PciAddress> {
    node.address().map(PciAddress::first_function)
}

struct Search<'a> {
    table: &'a dyn ProductLookup,
    /// Read once, when the first GPU needs it.
    names: Option<Names>,
    /// How many nodes each physical device has.
    parts: BTreeMap<PciAddress, u32>,
}

impl Search<'_> {
    fn read_node(&mut self, reader: &mut Reader<'_>, node: &GpuNode, index: u32) -> Gpu {
        let address = physical_device(node);
        let device = address.map(|address| Device { address });
        let count = address.and_then(|address| self.parts.get(&address).copied()).unwrap_or(1);
        let from_kfd = node.property("device_id").map(|device| PciId { device, revision: None });
        let gfx = node.gfx();
        let mut gpu = Gpu {
            gfx,
            gfx_source: gfx.map(|_| GfxSource::Kfd),
            kfd_node: Some(node.number),
            pci: device.and_then(|device| device.id(reader)).or(from_kfd),
            address,
            render_minor: node.property("drm_render_minor").filter(|&minor: &u32| minor > 0),
            simd_count: node.property("simd_count"),
            compute_units: node.compute_units(),
            ..Gpu::default()
        };
        self.complete(reader, &mut gpu, device, node.has_processor());
        // of a partition sysfs shows the whole GPU's memory, KFD its own
        let whole = gpu.vram_bytes.filter(|_| count == 1);
        let legacy = node.property("local_mem_size").filter(|&size: &u64| size > 0);
        gpu.vram_bytes = whole.or(node.bank_bytes).or(legacy);
        gpu.partition = partition(reader, device, index, count);
        gpu
    }

    fn read_function(&mut self, reader: &mut Reader<'_>, address: PciAddress, id: PciId) -> Gpu {
        let mut gpu = Gpu { pci: Some(id), address: Some(address), ..Gpu::default() };
        self.complete(reader, &mut gpu, Some(Device { address }), false);
        gpu
    }

    /// Names, memory, firmware and kind; the instruction set where KFD did not say it.
    fn complete(
        &mut self,
        reader: &mut Reader<'_>,
        gpu: &mut Gpu,
        device: Option<Device>,
        has_processor: bool,
    ) {
        let mut products = gpu.pci.map(|id| self.table.by_pci(id)).unwrap_or_default();
        if let Some(gfx) = gpu.gfx {
            products.retain(|product| product.gfx == gfx);
        } else {
            gpu.gfx = common_gfx(&products);
            gpu.gfx_source = gpu.gfx.map(|_| GfxSource::PciTable);
        }
        let names = self.names.get_or_insert_with(|| Names::read(reader));
        gpu.marketing_name = gpu.pci.and_then(|id| names.name(id));
        if let Some(name) = &gpu.marketing_name {
            choose_by_name(&mut products, name);
        }
        match products.as_slice() {
            [only] => gpu.product = Some(only.name.clone()),
            several => {
                gpu.product_candidates =
                    several.iter().map(|product| product.name.clone()).collect();
            }
        }
        if let Some(device) = device {
            gpu.kernel_driver = device.driver(reader);
            gpu.board_name = device.text(reader, "product_name");
            gpu.vram_bytes = device.bytes(reader, "mem_info_vram_total");
            gpu.visible_vram_bytes = device.bytes(reader, "mem_info_vis_vram_total");
            gpu.gtt_bytes = device.bytes(reader, "mem_info_gtt_total");
            gpu.firmware = device.firmware(reader);
        }
        gpu.kind = gpu_kind::kind(gpu, &products, has_processor, device, reader, self.table);
    }
}

/// Of several products that share a PCI id, the one that libdrm's table names.
pub(super) fn choose_by_name(products: &mut Vec<Product>, name: &str) {
    let named = |product: &Product| plain(&product.name) == plain(name);
    if products.iter().any(named) {
        products.retain(named);
    }
}

/// The instruction set of a PCI id, where all products that share the id have the same.
pub(super) fn common_gfx(products: &[Product]) -> Option<GfxTarget> {
    let first = products.first()?.gfx;
    products.iter().all(|product| product.gfx == first).then_some(first)
}

/// How a GPU is split: told where it is, or where the driver says that it could be.
fn partition(
    reader: &Reader<'_>,
    device: Option<Device>,
    index: u32,
    count: u32,
) -> Option<Partition> {
    let attribute = |name| device.and_then(|device| device.text(reader, name));
    let compute_mode = attribute("current_compute_partition");
    let memory_mode = attribute("current_memory_partition");
    let told = count > 1 || compute_mode.is_some() || memory_mode.is_some();
    told.then_some(Partition { index, count, compute_mode, memory_mode })
}
