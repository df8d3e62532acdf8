//! `lspci -nn`, `-k`, `-vv`: display devices with ids, their driver, their link.

use crate::diagnose::facts::{Facts, Link};
use crate::host::facts::{GfxSource, Gpu, PciAddress, PciId};
use crate::host::lookup::ProductLookup;

pub(super) fn parse(text: &str, found: &mut Facts, products: &dyn ProductLookup) {
    let mut gpus: Vec<Gpu> = Vec::new();
    let mut current = false;
    let mut maximum = None;
    for line in text.lines() {
        let is_device = [
            "VGA compatible controller",
            "Display controller",
            "3D controller",
            "Processing accelerators",
        ]
        .iter()
        .any(|class| line.contains(class));
        if is_device {
            current = false;
            maximum = None;
            if line.contains("NVIDIA") || line.contains("[10de:") {
                found.around.nvidia = Some(true);
            } else if let Some(gpu) = device(line, products) {
                gpus.push(gpu);
                current = true;
            }
            continue;
        }
        if !line.starts_with([' ', '\t']) {
            current = false;
            continue;
        }
        let (true, Some(gpu)) = (current, gpus.last_mut()) else { continue };
        let line = line.trim();
        if let Some(driver) = line.strip_prefix("Kernel driver in use:") {
            gpu.kernel_driver = Some(driver.trim().to_owned());
        } else if line.starts_with("LnkCap:") {
            maximum = width(line);
        } else if line.starts_with("LnkSta:")
            && let (Some(width), Some(maximum), Some(address)) = (width(line), maximum, gpu.address)
        {
            found.around.links.insert(address.to_string(), Link { width, maximum });
        }
    }
    if !gpus.is_empty() {
        found.around.nvidia.get_or_insert(false);
        found.host.gpus.get_or_insert(gpus);
    }
}

/// `0a:00.0 VGA compatible controller [0300]: Advanced Micro Devices ... [1002:7551] (rev c0)`
fn device(line: &str, products: &dyn ProductLookup) -> Option<Gpu> {
    if !line.contains("[1002:") && !line.contains("[AMD/ATI]") {
        return None;
    }
    let address = line.split_whitespace().next()?;
    let address: Option<PciAddress> = if address.matches(':').count() == 1 {
        format!("0000:{address}").parse().ok()
    } else {
        address.parse().ok()
    };
    let id = line.split("[1002:").nth(1).and_then(|rest| rest.get(..4));
    let device = id.and_then(|id| u16::from_str_radix(id, 16).ok());
    let revision = line.split("(rev ").nth(1).and_then(|rest| rest.get(..2));
    let revision = revision.and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let pci = device.map(|device| PciId { device, revision });
    let table = pci.map(|id| products.by_pci(id)).unwrap_or_default();
    let gfx = table
        .first()
        .map(|product| product.gfx)
        .filter(|gfx| table.iter().all(|one| one.gfx == *gfx));
    let kind = table
        .first()
        .and_then(|product| product.kind)
        .filter(|kind| table.iter().all(|one| one.kind == Some(*kind)));
    let product = match table.as_slice() {
        [only] => Some(only.name.clone()),
        _ => None,
    };
    let name = line.rsplit("[AMD/ATI]").next().and_then(|rest| rest.split(" [1002:").next());
    Some(Gpu {
        gfx,
        gfx_source: gfx.map(|_| GfxSource::PciTable),
        kind,
        product,
        marketing_name: name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()),
        pci,
        address,
        ..Gpu::default()
    })
}

/// `Width x16`
fn width(line: &str) -> Option<u32> {
    let rest = line.split("Width x").nth(1)?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}
