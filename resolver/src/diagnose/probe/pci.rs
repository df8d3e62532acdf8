//! The PCI bus in sysfs: links, IOMMU domains, sensors, other makers' display devices.

use std::path::Path;

use super::super::facts::{Link, Surroundings};
use super::config;
use crate::host::HostFacts;
use crate::host::facts::GpuKind;
use crate::host::probe_reader::Reader;

pub(super) fn read(reader: &mut Reader<'_>, host: &HostFacts, around: &mut Surroundings) {
    let devices = reader.list(DEVICES);
    if !devices.is_empty() {
        around.nvidia = Some(devices.iter().any(|name| is_nvidia(reader, name)));
    }
    for gpu in host.known_gpus() {
        let Some(address) = gpu.address.map(|address| address.first_function().to_string()) else {
            continue;
        };
        let folder = format!("{DEVICES}/{address}");
        // an integrated GPU's link is none
        if gpu.kind != Some(GpuKind::Integrated)
            && let Some(link) = link(reader, &folder)
        {
            around.links.insert(address.clone(), link);
        }
        if let Some(kind) = reader.attribute(format!("{folder}/iommu_group/type")) {
            around.iommu.insert(address.clone(), kind);
        }
        if gpu.kind != Some(GpuKind::Integrated) {
            let way = config::way(reader, &folder);
            if !way.is_empty() {
                around.pcie.insert(address.clone(), way);
            }
            if let Some(works) = gpu.kfd_node.and_then(|node| kfd_atomics(reader, node)) {
                around.kfd_atomics.insert(address.clone(), works);
            }
        }
        sensors(reader, &folder, &address, around);
    }
}

/// Classes 03xxxx are display controllers.
fn is_nvidia(reader: &Reader<'_>, name: &str) -> bool {
    let attribute = |file: &str| reader.attribute(format!("{DEVICES}/{name}/{file}"));
    attribute("vendor").as_deref() == Some("0x10de")
        && attribute("class").is_some_and(|class| class.starts_with("0x03"))
}

/// The link of the card's slot: a card with a switch of its own has a short link inside, so the
/// narrowest bridge on the way up counts with its own maximum.
fn link(reader: &Reader<'_>, folder: &str) -> Option<Link> {
    let value = |folder: &Path, file: &str| -> Option<u32> {
        reader.attribute(folder.join(file))?.trim_start_matches('x').parse().ok()
    };
    let real = reader.root().canonical(Path::new(folder)).ok()?;
    let whole = value(&real, "max_link_width")?;
    let mut best = Link { width: value(&real, "current_link_width")?, maximum: whole };
    let bridges = real.ancestors().skip(1).take_while(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().contains(':'))
    });
    for bridge in bridges {
        let vendor = reader.attribute(bridge.join("vendor"));
        let (Some(width), Some(maximum)) =
            (value(bridge, "current_link_width"), value(bridge, "max_link_width"))
        else {
            continue;
        };
        // the card's own switch carries the link to the slot
        if vendor.as_deref() == Some("0x1002") && width > 0 {
            best = Link { width, maximum: maximum.min(whole.max(maximum)) };
        }
    }
    Some(best)
}

/// Whether the links of a KFD node over PCIe have AtomicOps: KFD marks those that it could not
/// switch them on for (`CRAT_IOLINK_FLAGS_NO_ATOMICS_*`, kfd_topology.c). Links of XGMI always do.
fn kfd_atomics(reader: &mut Reader<'_>, node: u32) -> Option<bool> {
    let folder = format!("/sys/class/kfd/kfd/topology/nodes/{node}/io_links");
    let mut works = None;
    for link in reader.list(&folder) {
        let text = reader.attribute(format!("{folder}/{link}/properties")).unwrap_or_default();
        let value = |key: &str| -> Option<u32> {
            let line = text.lines().find_map(|line| line.strip_prefix(key))?;
            line.trim().parse().ok()
        };
        if let (Some(PCI_EXPRESS), Some(flags)) = (value("type "), value("flags ")) {
            works = Some(works.unwrap_or(true) && flags & NO_ATOMICS == 0);
        }
    }
    works
}

/// `CRAT_IOLINK_TYPE_PCIEXPRESS`.
const PCI_EXPRESS: u32 = 2;
/// `CRAT_IOLINK_FLAGS_NO_ATOMICS_32_BIT` and `_64_BIT`.
const NO_ATOMICS: u32 = 1 << 2 | 1 << 3;

/// Temperatures within five degrees of their critical value, in thousandths (hwmon).
fn sensors(reader: &mut Reader<'_>, folder: &str, address: &str, around: &mut Surroundings) {
    for monitor in reader.list(format!("{folder}/hwmon")) {
        for number in 1..=3 {
            let value = |kind: &str| -> Option<i64> {
                reader
                    .attribute(format!("{folder}/hwmon/{monitor}/temp{number}_{kind}"))?
                    .parse()
                    .ok()
            };
            let (Some(now), Some(limit)) = (value("input"), value("crit")) else { continue };
            if limit > 0 && now >= limit - 5000 {
                let (now, limit) = (now / 1000, limit / 1000);
                around
                    .hot
                    .insert(format!("{address}: sensor {number} is at {now} of {limit} degrees"));
            }
        }
    }
}

const DEVICES: &str = "/sys/bus/pci/devices";
