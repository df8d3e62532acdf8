//! The way from a GPU up to the processor, as configuration space of each function shows it.
//!
//! Without root the kernel gives the first 64 bytes of it, where neither AtomicOps nor ACS stand:
//! what was not readable is kept apart from what is not there.

use serde::{Deserialize, Serialize};

/// One PCI function on that way.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct PcieFunction {
    /// Its address.
    pub address: String,
    /// What it is; `None` where that could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<Port>,
    /// Whether only the part was readable that everybody may read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub restricted: bool,
    /// AtomicOps of `DevCap2` and `DevCtl2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atomics: Option<AtomicOps>,
    /// Access Control Services, where the extended part was readable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acs: Option<Acs>,
}

/// Device/Port Type of the PCI Express capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Port {
    /// A device.
    Endpoint,
    /// A port of the processor.
    Root,
    /// The side of a switch that looks to the processor.
    Upstream,
    /// The side of a switch that looks to devices.
    Downstream,
    /// Anything else.
    Other,
}

/// What a function can do with AtomicOps, and what it was told.
#[expect(clippy::struct_excessive_bools, reason = "bits of two registers")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct AtomicOps {
    /// A switch or root port passes them on.
    pub routing: bool,
    /// It completes those of 32 bits.
    pub completer_32: bool,
    /// It completes those of 64 bits.
    pub completer_64: bool,
    /// A device may ask for them.
    pub requester: bool,
    /// A port lets none out.
    pub egress_blocked: bool,
}

/// Access Control Services of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Acs {
    /// Whether it has them at all.
    pub present: bool,
    /// Requests from device to device are sent up to the processor.
    pub request_redirect: bool,
    /// Their answers as well.
    pub completion_redirect: bool,
}

/// Whether AtomicOps reach the processor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AtomicPath {
    /// They do, by every function on the way.
    Whole,
    /// They do not; the functions that stop them, and how.
    Broken(Vec<String>),
    /// Some function was not readable, and none of the others stops them.
    NotKnown,
}

/// The judgement of the kernel's `pci_enable_atomic_ops_to_root`: switches have to route, ports
/// that look up must not block, the root port has to complete 32 and 64 bits.
pub fn atomic_path(way: &[PcieFunction]) -> AtomicPath {
    let mut broken = Vec::new();
    let mut known = way.iter().any(|function| function.port == Some(Port::Root));
    for function in way {
        let (Some(port), Some(atomics)) = (function.port, function.atomics) else {
            known &= function.port == Some(Port::Endpoint) || function.port == Some(Port::Other);
            continue;
        };
        let address = &function.address;
        match port {
            Port::Root if !(atomics.completer_32 && atomics.completer_64) => {
                broken.push(format!("{address}: the root port completes no AtomicOps"));
            }
            Port::Upstream | Port::Downstream if !atomics.routing => {
                broken.push(format!("{address}: this switch routes no AtomicOps"));
            }
            Port::Upstream if atomics.egress_blocked => {
                broken.push(format!("{address}: this switch blocks AtomicOps"));
            }
            _ => {}
        }
    }
    match (broken.is_empty(), known) {
        (false, _) => AtomicPath::Broken(broken),
        (true, true) => AtomicPath::Whole,
        (true, false) => AtomicPath::NotKnown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(port: Port, atomics: Option<AtomicOps>) -> PcieFunction {
        let address = "0000:00:01.0".to_owned();
        PcieFunction { address, port: Some(port), atomics, ..PcieFunction::default() }
    }

    #[test]
    fn a_way_is_whole_broken_or_not_known() {
        let completes =
            AtomicOps { completer_32: true, completer_64: true, ..AtomicOps::default() };
        let card = function(Port::Endpoint, Some(AtomicOps::default()));
        let root = function(Port::Root, Some(completes));
        let routes = AtomicOps { routing: true, ..AtomicOps::default() };
        let switch = function(Port::Upstream, Some(routes));
        assert_eq!(atomic_path(&[card.clone(), switch.clone(), root.clone()]), AtomicPath::Whole);
        let blocked = AtomicOps { egress_blocked: true, ..routes };
        let dull = [AtomicOps::default(), blocked].map(|one| function(Port::Upstream, Some(one)));
        for switch in dull {
            let way = [card.clone(), switch, root.clone()];
            assert!(matches!(atomic_path(&way), AtomicPath::Broken(_)));
        }
        let half = function(Port::Root, Some(AtomicOps { completer_64: false, ..completes }));
        assert!(matches!(atomic_path(&[card.clone(), half]), AtomicPath::Broken(_)));
        assert_eq!(atomic_path(&[card.clone(), function(Port::Root, None)]), AtomicPath::NotKnown);
        assert_eq!(atomic_path(&[card, switch]), AtomicPath::NotKnown, "no root port was seen");
        assert_eq!(atomic_path(&[]), AtomicPath::NotKnown);
    }
}
