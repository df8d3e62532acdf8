//! AMD GPUs on the PCI buses, with or without a driver, and their attributes in sysfs.

use std::collections::BTreeMap;

use super::Reader;
use crate::host::facts::{PciAddress, PciId};

/// The functions of vendor AMD that display or compute. `None`: sysfs cannot be seen here.
pub(super) fn amd_gpus(reader: &mut Reader<'_>) -> Option<Vec<(PciAddress, PciId)>> {
    if !reader.exists("/sys/bus") {
        return None;
    }
    let names = reader.list(DEVICES);
    let addresses = names.iter().filter_map(|name| name.parse().ok());
    Some(addresses.filter_map(|address| Some((address, amd_gpu(reader, address)?))).collect())
}

fn amd_gpu(reader: &Reader<'_>, address: PciAddress) -> Option<PciId> {
    let device = Device { address };
    let class = device.number(reader, "class")?;
    let gpu = class >> 16 == DISPLAY || class >> 8 == ACCELERATOR;
    (gpu && device.number(reader, "vendor")? == AMD).then(|| device.id(reader)).flatten()
}

/// One function in sysfs.
#[derive(Clone, Copy)]
pub(super) struct Device {
    pub(super) address: PciAddress,
}

impl Device {
    pub(super) fn id(self, reader: &Reader<'_>) -> Option<PciId> {
        let device = u16::try_from(self.number(reader, "device")?).ok()?;
        let revision = self.number(reader, "revision").and_then(|value| u8::try_from(value).ok());
        Some(PciId { device, revision })
    }

    pub(super) fn text(self, reader: &Reader<'_>, attribute: &str) -> Option<String> {
        reader.attribute(self.path(attribute))
    }

    pub(super) fn has(self, reader: &Reader<'_>, attribute: &str) -> bool {
        reader.exists(self.path(attribute))
    }

    /// A size in bytes, which these attributes write in decimal.
    pub(super) fn bytes(self, reader: &Reader<'_>, attribute: &str) -> Option<u64> {
        self.text(reader, attribute)?.parse().ok()
    }

    /// The name of the kernel driver that holds the device (`amdgpu`, `vfio-pci`).
    pub(super) fn driver(self, reader: &Reader<'_>) -> Option<String> {
        let driver = reader.root().canonical(self.path("driver").as_ref()).ok()?;
        Some(driver.file_name()?.to_string_lossy().into_owned())
    }

    /// Firmware versions by block; those of blocks that the GPU lacks read 0 and are left out.
    pub(super) fn firmware(self, reader: &mut Reader<'_>) -> BTreeMap<String, String> {
        let names = reader.list(self.path("fw_version"));
        let block = |name: &String| {
            let version = self.text(reader, &format!("fw_version/{name}"))?;
            let zero = version.trim_start_matches("0x").bytes().all(|digit| digit == b'0');
            let block = name.strip_suffix("_fw_version").unwrap_or(name);
            (!zero).then(|| (block.to_owned(), version))
        };
        names.iter().filter_map(block).collect()
    }

    /// A number that sysfs writes in hexadecimal.
    fn number(self, reader: &Reader<'_>, attribute: &str) -> Option<u32> {
        let text = self.text(reader, attribute)?;
        u32::from_str_radix(text.trim_start_matches("0x"), 16).ok()
    }

    fn path(self, attribute: &str) -> String {
        format!("{DEVICES}/{}/{attribute}", self.address)
    }
}

const DEVICES: &str = "/sys/bus/pci/devices";

/// PCI-SIG's vendor id of AMD (ATI).
const AMD: u32 = 0x1002;

/// PCI base class 03: display controllers.
const DISPLAY: u32 = 0x03;

/// PCI class 12.00: processing accelerators, which Instinct cards are.
const ACCELERATOR: u32 = 0x1200;
