//! Display adapters: what CIM lists and what the driver wrote into the registry, put together by
//! PCI id, never by order.

use rocmenv_manifests::registry::is_windows_driver_number;
use rocmenv_manifests::version::Dotted;

use super::date::day;
use super::sources::{Sources, VideoController};
use crate::host::facts::{DisplayAdapter, PciId};

/// All adapters, in the order of CIM; those that only the registry has where CIM was not asked.
pub(super) fn adapters(sources: &Sources) -> Vec<DisplayAdapter> {
    let drivers = class_keys(sources);
    if sources.video_controllers.is_empty() {
        return drivers.into_iter().map(|driver| driver.adapter).collect();
    }
    let adapter = |controller: &VideoController| {
        let mut adapter = of_controller(controller);
        if let Some(driver) = drivers.iter().find(|driver| driver.is_of(&adapter)) {
            let known = &driver.adapter;
            adapter.adrenalin.clone_from(&known.adrenalin);
            adapter.memory_bytes = known.memory_bytes;
            adapter.driver_number = adapter.driver_number.or_else(|| known.driver_number.clone());
            adapter.driver_date = adapter.driver_date.or_else(|| known.driver_date.clone());
        }
        adapter
    };
    sources.video_controllers.iter().map(adapter).collect()
}

/// One subkey of the display class, which Windows makes for each adapter that had a driver.
struct ClassKey {
    adapter: DisplayAdapter,
}

impl ClassKey {
    /// Whether it is of an adapter: by PCI id where both have one, else by name.
    fn is_of(&self, other: &DisplayAdapter) -> bool {
        let own = &self.adapter;
        match (own.pci, other.pci) {
            (Some(one), Some(two)) => {
                let revision = one.revision.is_none()
                    || two.revision.is_none()
                    || one.revision == two.revision;
                own.vendor == other.vendor && one.device == two.device && revision
            }
            _ => own.name.is_some() && own.name == other.name,
        }
    }
}

fn class_keys(sources: &Sources) -> Vec<ClassKey> {
    let mut keys: Vec<&str> = sources.registry.iter().map(|row| row.key.as_str()).collect();
    keys.retain(|key| key.to_lowercase().contains(DISPLAY_CLASS));
    keys.dedup();
    let class_key = |key: &str| {
        let text = |name: &str| {
            let value = sources.registry.iter().find(|row| {
                row.key == key && row.name.eq_ignore_ascii_case(name) && !row.value.is_empty()
            });
            value.map(|row| row.value.clone())
        };
        // `Properties`, `Configuration` and other subkeys describe no adapter
        let number = key.rsplit('\\').next()?;
        let numbered = number.len() == 4 && number.bytes().all(|letter| letter.is_ascii_digit());
        let name = text("DriverDesc").filter(|_| numbered)?;
        let (vendor, pci) = ids(&text("MatchingDeviceId").unwrap_or_default());
        Some(ClassKey {
            adapter: DisplayAdapter {
                name: Some(name),
                vendor,
                pci,
                driver_number: text("DriverVersion"),
                driver_date: text("DriverDate").as_deref().and_then(day),
                adrenalin: text("RadeonSoftwareVersion").as_deref().and_then(adrenalin),
                memory_bytes: text("HardwareInformation.qwMemorySize")
                    .and_then(|size| size.parse().ok())
                    .filter(|size| *size > 0),
                problem: None,
            },
        })
    };
    keys.into_iter().filter_map(class_key).collect()
}

/// A version of the Adrenalin line (`26.8.1`, `25.10.30.02`); what is of Windows' line is none.
fn adrenalin(text: &str) -> Option<Dotted> {
    let version: Dotted = text.trim().parse().ok()?;
    (!is_windows_driver_number(&version)).then_some(version)
}

fn of_controller(controller: &VideoController) -> DisplayAdapter {
    let (vendor, pci) = ids(controller.device_id.as_deref().unwrap_or_default());
    DisplayAdapter {
        name: controller.name.clone(),
        vendor,
        pci,
        driver_number: controller.driver_version.clone().filter(|text| !text.is_empty()),
        driver_date: controller.driver_date.as_deref().and_then(day),
        adrenalin: None,
        memory_bytes: None,
        problem: controller.problem.and_then(|code| u32::try_from(code).ok()),
    }
}

/// Vendor, device and revision of `PCI\VEN_1002&DEV_744C&SUBSYS_...&REV_C8\...`. The instance at
/// the end names one single card and is never looked at.
fn ids(text: &str) -> (Option<String>, Option<PciId>) {
    let upper = text.to_uppercase();
    let Some(rest) = upper.strip_prefix("PCI\\") else { return (None, None) };
    let ids = rest.split('\\').next().unwrap_or_default();
    let part = |mark: &str| ids.split('&').find_map(|part| part.strip_prefix(mark));
    let device = part("DEV_").and_then(|text| u16::from_str_radix(text, 16).ok());
    let revision = part("REV_").and_then(|text| u8::from_str_radix(text, 16).ok());
    let vendor = part("VEN_").map(str::to_lowercase);
    (vendor, device.map(|device| PciId { device, revision }))
}

/// The class of display adapters.
const DISPLAY_CLASS: &str = r"\control\class\{4d36e968-e325-11ce-bfc1-08002be10318}\";
