//! The way between GPU and processor: AtomicOps, and what ACS does to transfers between cards.

use rocmenv_manifests::registry::Registry;

use super::Confidence::{Certain, Likely};
use super::{Finding, Rule, found};
use crate::diagnose::facts::{AtomicPath, Facts, atomic_path};
use crate::host::facts::GpuKind;

pub(super) const RULES: &[Rule] = &[no_atomics, acs_redirect];

/// Configuration space, else what KFD writes of its own link, which needs no root.
pub(super) fn broken_ways(facts: &Facts) -> Vec<String> {
    let mut lines = Vec::new();
    for (gpu, way) in &facts.around.pcie {
        if let AtomicPath::Broken(stops) = atomic_path(way) {
            lines.extend(stops.into_iter().map(|stop| format!("{gpu}: {stop}")));
        }
    }
    let kfd = facts.around.kfd_atomics.iter().filter(|(_, works)| !**works);
    lines.extend(kfd.map(|(gpu, _)| format!("{gpu}: KFD marks its link as one without atomics")));
    lines
}

fn no_atomics(facts: &Facts, _: &Registry) -> Option<Finding> {
    let lines = broken_ways(facts);
    if lines.is_empty() || facts.is_apu() {
        return None;
    }
    let by_bits =
        facts.around.pcie.values().any(|way| matches!(atomic_path(way), AtomicPath::Broken(_)));
    let finding = found("D-pcie-no-atomics", if by_bits { Certain } else { Likely });
    Some(lines.into_iter().fold(finding, Finding::because))
}

/// Ports above cards that send transfers between devices up to the processor first.
fn acs_redirect(facts: &Facts, _: &Registry) -> Option<Finding> {
    let cards = facts.gpus().iter().filter(|gpu| facts.kind_of(gpu) == Some(GpuKind::Discrete));
    if cards.count() < 2 || facts.around.virtual_machine == Some(true) {
        return None;
    }
    let ports: std::collections::BTreeSet<&String> = facts
        .around
        .pcie
        .values()
        .flatten()
        .filter(|one| one.acs.is_some_and(|acs| acs.request_redirect))
        .map(|one| &one.address)
        .collect();
    let list: Vec<&str> = ports.iter().map(|port| port.as_str()).collect();
    if list.is_empty() {
        return None;
    }
    let finding = found("D-acs-redirect", Likely).with("ports", list.join(";"));
    Some(list.iter().fold(finding, |finding, port| {
        finding.because(format!("{port}: ACS redirects requests between devices"))
    }))
}
