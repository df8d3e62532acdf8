//! `lspci -vvv` of a whole machine: AtomicOps and ACS of each function, and by the numbers of
//! buses the way from each AMD GPU up to its root port.

use std::collections::BTreeMap;

use crate::diagnose::facts::{Acs, Facts, PcieFunction, Port};

/// A function as lspci describes it.
#[derive(Default)]
struct Described {
    function: PcieFunction,
    /// Whether an extended capability was shown, so that one that is not shown is not there.
    extended: bool,
    /// The bus below a bridge.
    secondary: Option<u8>,
    is_gpu: bool,
}

pub(super) fn parse(text: &str, found: &mut Facts) {
    let mut all: BTreeMap<String, Described> = BTreeMap::new();
    let mut current: Option<Described> = None;
    let mut keep = |described: Option<Described>| {
        if let Some(described) = described {
            all.insert(described.function.address.clone(), described);
        }
    };
    for line in text.lines() {
        if let Some(address) = address_of(line) {
            keep(current.take());
            let function = PcieFunction { address, ..PcieFunction::default() };
            let is_gpu = DISPLAYS.iter().any(|class| line.contains(class))
                && (line.contains("[1002:") || line.contains("[AMD/ATI]"));
            current = Some(Described { function, is_gpu, ..Described::default() });
        } else if !line.starts_with([' ', '\t']) {
            keep(current.take());
        } else if let Some(described) = &mut current {
            detail(line.trim(), described);
        }
    }
    keep(current.take());
    for gpu in all.values().filter(|described| described.is_gpu) {
        let way = way(gpu, &all);
        // a list without details says nothing of the way
        if way.iter().any(|one| one.restricted || one.atomics.is_some() || one.acs.is_some()) {
            found.around.pcie.insert(gpu.function.address.clone(), way);
        }
    }
}

const DISPLAYS: &[&str] = &[
    "VGA compatible controller",
    "Display controller",
    "3D controller",
    "Processing accelerators",
];

/// `0000:03:00.0 …`, or without the domain.
fn address_of(line: &str) -> Option<String> {
    let word = line.split(' ').next()?;
    let whole =
        if word.matches(':').count() == 1 { format!("0000:{word}") } else { word.to_owned() };
    let parsed: crate::host::facts::PciAddress = whole.parse().ok()?;
    line.starts_with(|c: char| c.is_ascii_hexdigit()).then(|| parsed.to_string())
}

fn detail(line: &str, described: &mut Described) {
    let function = &mut described.function;
    if line.starts_with("Capabilities: <access denied>") {
        function.restricted = true;
    } else if let Some(rest) = line.strip_prefix("Bus: ") {
        let bus = rest.split("secondary=").nth(1).and_then(|rest| rest.get(..2));
        described.secondary = bus.and_then(|digits| u8::from_str_radix(digits, 16).ok());
    } else if line.starts_with("Capabilities: [") && line.contains("] Express (") {
        function.port = Some(port(line));
    } else if let Some(rest) = line.strip_prefix("AtomicOpsCap:") {
        let atomics = function.atomics.get_or_insert_default();
        atomics.routing = rest.contains("Routing+");
        atomics.completer_32 = rest.contains(" 32bit+");
        atomics.completer_64 = rest.contains(" 64bit+");
    } else if let Some(rest) = line.strip_prefix("AtomicOpsCtl:") {
        let atomics = function.atomics.get_or_insert_default();
        atomics.requester = rest.contains("ReqEn+");
        atomics.egress_blocked = rest.contains("EgressBlck+");
    } else if let Some(rest) = line.strip_prefix("ACSCtl:") {
        let acs = function.acs.get_or_insert_default();
        acs.present = true;
        acs.request_redirect = rest.contains("ReqRedir+");
        acs.completion_redirect = rest.contains("CmpltRedir+");
    }
    // `Capabilities: [150 v2] Advanced Error Reporting`: three digits are the extended part
    let place = line.strip_prefix("Capabilities: [").and_then(|rest| rest.split([' ', ']']).next());
    described.extended |= place.is_some_and(|place| place.len() == 3);
}

fn port(line: &str) -> Port {
    let kinds = [
        ("Root Port", Port::Root),
        ("Upstream Port", Port::Upstream),
        ("Downstream Port", Port::Downstream),
        ("Endpoint", Port::Endpoint),
    ];
    kinds.into_iter().find(|(word, _)| line.contains(word)).map_or(Port::Other, |(_, port)| port)
}

/// From a GPU to the bridge above its bus, and so on.
fn way(gpu: &Described, all: &BTreeMap<String, Described>) -> Vec<PcieFunction> {
    let mut way = Vec::new();
    let mut current = Some(gpu);
    while let Some(described) = current {
        let mut function = described.function.clone();
        if described.extended {
            function.acs.get_or_insert(Acs::default());
        }
        way.push(function);
        let (domain, bus) = place(&described.function.address);
        current = all.values().find(|above| {
            above.secondary == Some(bus)
                && place(&above.function.address).0 == domain
                && place(&above.function.address).1 < bus
        });
    }
    way
}

/// Domain and bus.
fn place(address: &str) -> (&str, u8) {
    let (domain, rest) = address.split_once(':').unwrap_or_default();
    (domain, rest.get(..2).and_then(|bus| u8::from_str_radix(bus, 16).ok()).unwrap_or_default())
}
