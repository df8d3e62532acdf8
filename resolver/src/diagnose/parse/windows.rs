//! Windows: `Win32_VideoController`, `dxdiag`, `reg query`, `where`.

use rocmenv_manifests::platform::OsFamily;

use crate::diagnose::facts::{Adapter, Facts, RuntimeGpu};
use crate::host::facts::PciId;
use crate::host::lookup::ProductLookup;

pub(super) fn parse(text: &str, found: &mut Facts, products: &dyn ProductLookup) {
    let adapters = adapters(text);
    if !adapters.is_empty() {
        found.host.os.family.get_or_insert(OsFamily::Windows);
        found.around.nvidia = Some(adapters.iter().any(|one| one.name.contains("NVIDIA")));
        let ours = adapters.iter().filter(|one| is_amd(one));
        let gpus = ours.map(|adapter| {
            let device = RuntimeGpu { name: adapter.name.clone(), ..RuntimeGpu::default() };
            let mut gpu = super::hip::gpu_of(&device, products);
            let id = adapter.id.as_deref().and_then(|id| id.strip_prefix("1002:"));
            if let Some(device) = id.and_then(|id| u16::from_str_radix(id, 16).ok()) {
                let pci = PciId { device, revision: None };
                gpu.pci = Some(pci);
                if let Some(product) = products.by_pci(pci).first() {
                    gpu.gfx = gpu.gfx.or(Some(product.gfx));
                    gpu.kind = gpu.kind.or(product.kind);
                }
            }
            gpu
        });
        let gpus: Vec<_> = gpus.collect();
        if !gpus.is_empty() {
            found.host.gpus.get_or_insert(gpus);
        }
        found.around.windows.adapters = adapters;
    }
    for line in text.lines().map(str::trim) {
        registry_value(line, found);
        system32(line, found);
    }
}

fn is_amd(adapter: &Adapter) -> bool {
    let by_id = adapter.id.as_deref().is_some_and(|id| id.starts_with("1002:"));
    by_id || adapter.name.contains("AMD") || adapter.name.contains("Radeon")
}

/// Blocks of `Name:` or `Card name:` with what belongs to them. A name alone counts only where
/// the text is of one of these tools.
fn adapters(text: &str) -> Vec<Adapter> {
    let is_tool = [
        "DriverVersion",
        "PNPDeviceID",
        "Card name:",
        "Win32_VideoController",
        "AdapterRAM",
        "VideoProcessor",
        "DriverDesc",
    ]
    .iter()
    .any(|mark| text.contains(mark));
    if !is_tool {
        return Vec::new();
    }
    let mut adapters: Vec<Adapter> = Vec::new();
    for line in text.lines() {
        // a line of `reg query`: name, type and value
        let parts = line.split_once("REG_SZ").or_else(|| line.split_once([':', '=']));
        let Some((key, value)) = parts else { continue };
        let (key, value) = (key.trim().to_lowercase(), value.trim());
        let last = adapters.last_mut();
        match (key.as_str(), last) {
            ("name" | "card name" | "caption" | "driverdesc", _) if is_display(value) => {
                let known =
                    adapters.iter().any(|one| one.name == value && one.driver_version.is_none());
                if !known || key == "card name" {
                    adapters.push(Adapter { name: value.to_owned(), ..Adapter::default() });
                }
            }
            ("pnpdeviceid" | "matchingdeviceid", Some(adapter)) => adapter.id = pnp_id(value),
            ("chip type", Some(adapter)) => {
                let hex = value.split("(0x").nth(1).and_then(|rest| rest.split(')').next());
                adapter.id =
                    adapter.id.take().or(hex.map(|hex| format!("1002:{}", hex.to_lowercase())));
            }
            ("driverversion" | "driver version", Some(adapter)) => {
                adapter.driver_version.get_or_insert(value.to_owned());
            }
            _ => {}
        }
    }
    adapters
}

fn is_display(name: &str) -> bool {
    ["Radeon", "AMD", "NVIDIA", "GeForce", "Intel", "Instinct", "Microsoft Basic"]
        .iter()
        .any(|maker| name.contains(maker))
        && !name.contains("Audio")
        && !name.contains("Processor")
}

/// `PCI\VEN_1002&DEV_687F` is `1002:687f`.
fn pnp_id(text: &str) -> Option<String> {
    let part =
        |mark: &str| text.split(mark).nth(1).and_then(|rest| rest.get(..4)).map(str::to_lowercase);
    Some(format!("{}:{}", part("VEN_")?, part("DEV_")?))
}

/// `    LongPathsEnabled    REG_DWORD    0x1`
fn registry_value(line: &str, found: &mut Facts) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, "REG_DWORD" | "REG_SZ", ref rest @ ..] = words[..] else { return };
    let value = rest.join(" ");
    let number = value.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match name {
        "LongPathsEnabled" => found.around.windows.long_paths = number.map(|number| number != 0),
        "VerifiedAndReputablePolicyState" => {
            found.around.windows.smart_app_control = number.map(|number| number != 0);
        }
        "RadeonSoftwareVersion" => found.host.driver.release = value.parse().ok(),
        _ => return,
    }
    found.host.os.family.get_or_insert(OsFamily::Windows);
}

/// Which HIP runtimes `where` or `dir` shows in System32.
fn system32(line: &str, found: &mut Facts) {
    let lower = line.to_lowercase();
    if !lower.contains("system32\\") && !lower.contains("system32/") {
        return;
    }
    for name in ["amdhip64_6.dll", "amdhip64_7.dll", "amdhip64.dll"] {
        let missing = lower.contains("not found") || lower.contains("could not");
        if lower.contains(name) && !missing {
            found.around.windows.system32.insert(name.to_owned());
        }
    }
    found.host.os.family.get_or_insert(OsFamily::Windows);
}
