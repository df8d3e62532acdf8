//! PCI configuration space, as the kernel gives it in `/sys/bus/pci/devices/*/config`: the whole
//! of it to root, the first 64 bytes to others.
//!
//! Offsets are those of the PCI Express specification and of the kernel's `pci_regs.h`.

use std::path::Path;

use super::super::facts::{Acs, AtomicOps, PcieFunction, Port};
use crate::host::probe_reader::Reader;

/// The functions on the way from a GPU to the processor, the GPU first.
pub(super) fn way(reader: &Reader<'_>, folder: &str) -> Vec<PcieFunction> {
    let Ok(real) = reader.root().canonical(Path::new(folder)) else { return Vec::new() };
    let is_function = |name: &str| name.matches(':').count() == 2 && name.contains('.');
    real.ancestors()
        .filter_map(|path| Some((path, path.file_name()?.to_str()?)))
        .take_while(|(_, name)| is_function(name))
        .filter_map(|(path, name)| {
            let bytes = reader.root().read_start(&path.join("config"), WHOLE).ok()?;
            Some(PcieFunction { address: name.to_owned(), ..function(&bytes) })
        })
        .collect()
}

/// What the bytes say, without the address.
fn function(bytes: &[u8]) -> PcieFunction {
    let mut found = PcieFunction { restricted: bytes.len() <= HEADER, ..PcieFunction::default() };
    if found.restricted {
        return found;
    }
    if let Some(at) = capability(bytes) {
        let flags = word(bytes, at + 2);
        found.port = Some(match flags >> 4 & 0xf {
            0 | 1 => Port::Endpoint,
            4 => Port::Root,
            5 => Port::Upstream,
            6 => Port::Downstream,
            _ => Port::Other,
        });
        // the second half of the capability came with its version 2
        if flags & 0xf >= 2 {
            let (can, told) = (word(bytes, at + 0x24), word(bytes, at + 0x28));
            found.atomics = Some(AtomicOps {
                routing: can & 1 << 6 != 0,
                completer_32: can & 1 << 7 != 0,
                completer_64: can & 1 << 8 != 0,
                requester: told & 1 << 6 != 0,
                egress_blocked: told & 1 << 7 != 0,
            });
        }
    }
    if bytes.len() > EXTENDED {
        found.acs = Some(acs(bytes));
    }
    found
}

/// Where the PCI Express capability stands.
fn capability(bytes: &[u8]) -> Option<usize> {
    let has_list = word(bytes, 0x06) & 1 << 4 != 0;
    let mut at = usize::from(byte(bytes, 0x34) & 0xfc);
    // as many as fit into the space: a list that leads in a circle ends
    for _ in 0..48 {
        if !has_list || at < HEADER {
            return None;
        }
        if byte(bytes, at) == 0x10 {
            return Some(at);
        }
        at = usize::from(byte(bytes, at + 1) & 0xfc);
    }
    None
}

/// Access Control Services, extended capability 13.
fn acs(bytes: &[u8]) -> Acs {
    let mut at = EXTENDED;
    for _ in 0..(WHOLE - EXTENDED) / 8 {
        let (id, next) = (word(bytes, at), usize::from(word(bytes, at + 2) >> 4));
        if id == 0xd {
            let control = word(bytes, at + 6);
            return Acs {
                present: true,
                request_redirect: control & 1 << 2 != 0,
                completion_redirect: control & 1 << 3 != 0,
            };
        }
        if id == 0 || id == 0xffff || next < EXTENDED {
            break;
        }
        at = next;
    }
    Acs::default()
}

fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or_default()
}

fn word(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([byte(bytes, at), byte(bytes, at + 1)])
}

/// What everybody may read.
const HEADER: usize = 64;
/// Where the extended part begins.
const EXTENDED: usize = 256;
const WHOLE: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    /// A root port with AtomicOps completion and ACS that redirects.
    fn root_port() -> Vec<u8> {
        let mut bytes = vec![0_u8; WHOLE];
        bytes[0x06] = 0x10;
        bytes[0x34] = 0x50;
        bytes[0x50] = 0x01; // power management, then PCI Express
        bytes[0x51] = 0x58;
        bytes[0x58] = 0x10;
        bytes[0x5a] = 0x42; // version 2, root port
        bytes[0x58 + 0x24] = 0x80; // 32 bits
        bytes[0x58 + 0x25] = 0x01; // 64 bits
        bytes[0x100..0x104].copy_from_slice(&[0x01, 0x00, 0x02, 0x2a]); // AER, next 0x2a0
        bytes[0x2a0..0x2a4].copy_from_slice(&[0x0d, 0x00, 0x01, 0x00]);
        bytes[0x2a6] = 0x1d;
        bytes
    }

    #[test]
    fn capabilities_are_found_where_the_lists_lead() {
        let found = function(&root_port());
        assert_eq!(found.port, Some(Port::Root));
        let atomics = found.atomics.unwrap();
        assert!(atomics.completer_32 && atomics.completer_64 && !atomics.routing);
        let wanted = Acs { present: true, request_redirect: true, completion_redirect: true };
        assert_eq!(found.acs, Some(wanted));
        assert!(!found.restricted);
    }

    #[test]
    fn what_may_not_be_read_is_not_known() {
        let found = function(&root_port()[..64]);
        assert!(found.restricted);
        assert_eq!((found.port, found.atomics, found.acs), (None, None, None));
        // an old device without the extended part has its atomics and no word on ACS
        let found = function(&root_port()[..256]);
        assert!(found.atomics.is_some() && found.acs.is_none());
    }

    #[test]
    fn lists_that_lead_in_a_circle_end() {
        let mut bytes = root_port();
        bytes[0x51] = 0x50;
        bytes[0x100..0x104].copy_from_slice(&[0x01, 0x00, 0x02, 0x10]);
        let found = function(&bytes);
        assert_eq!((found.port, found.atomics), (None, None));
        assert_eq!(found.acs, Some(Acs::default()));
        assert_eq!(function(&[0xff; WHOLE]).acs, Some(Acs::default()));
    }
}
