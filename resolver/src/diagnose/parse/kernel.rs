//! What the kernel wrote: KFD's topology, `amdgpu_firmware_info`, `dkms status`, sysfs values,
//! apt's sources.

use rocmenv_manifests::gfx::GfxTarget;

use crate::diagnose::facts::Facts;
use crate::host::facts::{DkmsTree, GfxSource, Gpu, PciId};
use crate::host::lookup::ProductLookup;

pub(super) fn parse(text: &str, found: &mut Facts, products: &dyn ProductLookup) {
    topology(text, found, products);
    for line in text.lines().map(str::trim) {
        dkms(line, found);
        if line.contains("repo.radeon.com")
            && ["deb ", "URIs:", "baseurl="].iter().any(|start| line.starts_with(start))
        {
            found.around.repositories.insert(line.to_owned());
        }
        if let Some(version) = line.strip_prefix("[drm] amdgpu version:") {
            found.host.driver.module_version = Some(version.trim().to_owned());
        }
        if (line.starts_with("dmesg:") || line.starts_with('['))
            && line.contains("Hypervisor detected")
        {
            found.around.virtual_machine = Some(true);
        }
    }
    module_version(text, found);
}

/// Properties of KFD nodes, one block a node; a node without SIMDs is a processor.
fn topology(text: &str, found: &mut Facts, products: &dyn ProductLookup) {
    let mut gpus: Vec<Gpu> = Vec::new();
    let mut nodes = 0;
    let mut block: Vec<(&str, u64)> = Vec::new();
    let mut finish = |block: &mut Vec<(&str, u64)>, gpus: &mut Vec<Gpu>| {
        let value = |key: &str| block.iter().find(|(own, _)| *own == key).map(|(_, value)| *value);
        if value("gfx_target_version").is_none() && value("simd_count").is_none() {
            return;
        }
        nodes += 1;
        if value("simd_count").unwrap_or(1) > 0 && value("gfx_target_version") != Some(0) {
            let device = value("device_id").and_then(|id| u16::try_from(id).ok());
            let pci = device.map(|device| PciId { device, revision: None });
            let table = pci.map(|id| products.by_pci(id)).unwrap_or_default();
            let gfx = value("gfx_target_version")
                .and_then(|version| GfxTarget::from_kfd(u32::try_from(version).ok()?));
            // an old kernel has no such line: the table of PCI ids says it
            let (gfx, source) = match gfx {
                Some(gfx) => (Some(gfx), GfxSource::Kfd),
                None => (table.first().map(|product| product.gfx), GfxSource::PciTable),
            };
            let kind = gfx.and_then(|gfx| products.kind_of(gfx));
            gpus.push(Gpu {
                gfx,
                gfx_source: gfx.map(|_| source),
                kfd_node: u32::try_from(nodes - 1).ok(),
                kind,
                pci,
                simd_count: value("simd_count").and_then(|count| u32::try_from(count).ok()),
                ..Gpu::default()
            });
        }
        block.clear();
    };
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let (Some(key), Some(value), None) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        let Ok(value) = value.parse::<u64>() else { continue };
        if key == "cpu_cores_count" {
            finish(&mut block, &mut gpus);
        }
        if block.iter().any(|(own, _)| *own == key) && key == "gfx_target_version" {
            finish(&mut block, &mut gpus);
        }
        block.push((key, value));
    }
    finish(&mut block, &mut gpus);
    if nodes > 0 {
        found.around.kfd_gpus = Some(gpus.len());
        if !gpus.is_empty() {
            found.host.gpus = Some(gpus);
        }
    }
}

/// `MES feature version: 1, firmware version: 0x00000083`
pub(super) fn firmware(text: &str, found: &mut Facts) {
    for line in text.lines() {
        firmware_line(line.trim(), found);
    }
}

fn firmware_line(line: &str, found: &mut Facts) {
    let Some((block, version)) = line.split_once("firmware version:") else { return };
    let block = block.split_whitespace().next().unwrap_or_default().to_lowercase();
    if block != "mes" && block != "mec" && block != "mes," {
        return;
    }
    let version = version.trim().trim_matches(['"', ',', ' ']);
    let number = match version.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => version.parse().ok(),
    };
    let Some(number) = number else { return };
    let gpus = found.host.gpus.get_or_insert_default();
    if gpus.is_empty() {
        gpus.push(Gpu::default());
    }
    for gpu in gpus {
        gpu.firmware
            .entry(block.trim_end_matches(',').to_owned())
            .or_insert(format!("0x{number:x}"));
    }
}

/// `amdgpu/6.16.6-2255209.24.04, 6.17.0-5-generic, x86_64: installed`, or `amdgpu, 1.9-307: added`.
fn dkms(line: &str, found: &mut Facts) {
    let Some(rest) = line.strip_prefix("amdgpu/").or(line.strip_prefix("amdgpu, ")) else { return };
    let Some((what, state)) = rest.rsplit_once(": ") else { return };
    let state = state.split([' ', '(']).next().unwrap_or_default();
    if !["added", "built", "installed", "broken"].contains(&state) {
        return;
    }
    let mut parts = what.split(", ");
    let Some(version) = parts.next() else { return };
    let kernel = parts.next().filter(|_| state != "added").map(str::to_owned);
    let (module, build) = version.split_once('-').unwrap_or((version, ""));
    let tree = DkmsTree {
        version: version.to_owned(),
        module_version: Some(module.to_owned()),
        build: build.split('.').next().filter(|build| !build.is_empty()).map(str::to_owned),
        has_source: state != "broken",
        kernels: kernel.into_iter().collect(),
    };
    match found.host.driver.dkms.iter_mut().find(|known| known.version == tree.version) {
        Some(known) => known.kernels.extend(tree.kernels),
        None => found.host.driver.dkms.push(tree),
    }
}

/// The answer under `cat /sys/module/amdgpu/version`; the kernel's own module has no such file,
/// which is no fault.
fn module_version(text: &str, found: &mut Facts) {
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        if !line.ends_with("/sys/module/amdgpu/version") || line.contains("No such file") {
            continue;
        }
        let Some(answer) = lines.next() else { return };
        if answer.starts_with(|c: char| c.is_ascii_digit()) && !answer.contains(' ') {
            found.host.driver.module_version = Some(answer.to_owned());
        }
    }
}
