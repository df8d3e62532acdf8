//! PCI ids and addresses of AMD's devices.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Device and revision of a PCI function; the vendor is AMD (1002) throughout.
///
/// Written `744c:c8`, or `744c` where the revision is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PciId {
    /// Device id.
    pub device: u16,
    /// Revision: several products share a device id and differ in it.
    pub revision: Option<u8>,
}

/// Where a function sits on the PCI buses: `0000:03:00.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PciAddress {
    /// Domain.
    pub domain: u32,
    /// Bus.
    pub bus: u8,
    /// Device on the bus.
    pub device: u8,
    /// Function of the device.
    pub function: u8,
}

impl PciAddress {
    /// The address behind KFD's `domain` and `location_id` (bus, device and function in
    /// the low 16 bits, as the kernel's `PCI_DEVID` packs them).
    pub fn from_kfd(domain: u32, location_id: u32) -> Self {
        let [function_byte, bus, ..] = location_id.to_le_bytes();
        Self { domain, bus, device: function_byte >> 3, function: function_byte & 7 }
    }

    /// The same device's first function.
    #[must_use]
    pub fn first_function(self) -> Self {
        Self { function: 0, ..self }
    }
}

impl fmt::Display for PciId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04x}", self.device)?;
        match self.revision {
            Some(revision) => write!(formatter, ":{revision:02x}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for PciAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { domain, bus, device, function } = self;
        write!(formatter, "{domain:04x}:{bus:02x}:{device:02x}.{function}")
    }
}

/// The text is neither a PCI id nor a PCI address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PciError {
    /// Not `DEVICE` or `DEVICE:REVISION` in hexadecimal.
    #[error("`{0}` is not a PCI device and revision (such as `744c:c8`)")]
    Id(String),
    /// Not `DOMAIN:BUS:DEVICE.FUNCTION`.
    #[error("`{0}` is not a PCI address (such as `0000:03:00.0`)")]
    Address(String),
}

impl FromStr for PciId {
    type Err = PciError;

    fn from_str(text: &str) -> Result<Self, PciError> {
        let parsed = || {
            let (device, revision) = match text.split_once(':') {
                Some((device, revision)) => (device, Some(revision)),
                None => (text, None),
            };
            let device = u16::from_str_radix(device, 16).ok()?;
            let revision = match revision {
                Some(revision) => Some(u8::from_str_radix(revision, 16).ok()?),
                None => None,
            };
            Some(Self { device, revision })
        };
        parsed().ok_or_else(|| PciError::Id(text.to_owned()))
    }
}

impl FromStr for PciAddress {
    type Err = PciError;

    fn from_str(text: &str) -> Result<Self, PciError> {
        let parsed = || {
            let (rest, function) = text.rsplit_once('.')?;
            let (rest, device) = rest.rsplit_once(':')?;
            let (domain, bus) = rest.split_once(':')?;
            Some(Self {
                domain: u32::from_str_radix(domain, 16).ok()?,
                bus: u8::from_str_radix(bus, 16).ok()?,
                device: u8::from_str_radix(device, 16).ok()?,
                function: function.parse().ok()?,
            })
        };
        parsed().ok_or_else(|| PciError::Address(text.to_owned()))
    }
}

impl TryFrom<String> for PciId {
    type Error = PciError;

    fn try_from(text: String) -> Result<Self, PciError> {
        text.parse()
    }
}

impl From<PciId> for String {
    fn from(id: PciId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for PciAddress {
    type Error = PciError;

    fn try_from(text: String) -> Result<Self, PciError> {
        text.parse()
    }
}

impl From<PciAddress> for String {
    fn from(address: PciAddress) -> Self {
        address.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn location_ids_of_kfd_are_bus_device_function() {
        assert_eq!(PciAddress::from_kfd(0, 34304).to_string(), "0000:86:00.0");
        assert_eq!(PciAddress::from_kfd(0, 1287).to_string(), "0000:05:00.7");
        // newer kernels put the partition in the top four bits
        assert_eq!(PciAddress::from_kfd(1, 0x3000_0500).to_string(), "0001:05:00.0");
    }

    #[test]
    fn ids_and_addresses_read_what_they_write() {
        for text in ["744c:c8", "1586"] {
            assert_eq!(text.parse::<PciId>().unwrap().to_string(), text);
        }
        let text = "0000:c3:00.0";
        assert_eq!(text.parse::<PciAddress>().unwrap().to_string(), text);
        for text in ["", "xyz", "744c:", "744c:c8:1", "0000:c3:00"] {
            assert!(text.parse::<PciId>().is_err(), "{text}");
            assert!(text.parse::<PciAddress>().is_err(), "{text}");
        }
    }
}
