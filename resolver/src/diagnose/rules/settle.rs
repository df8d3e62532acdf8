//! Keeps findings from contradicting each other: of two that cannot hold together, the surer one
//! stays; of two that are equally sure, the one with more evidence, then the first by code.

use std::cmp::Reverse;

use rocmenv_manifests::registry::Registry;

use super::Finding;

/// The findings that stand, by code.
pub fn settle(mut findings: Vec<Finding>, registry: &Registry) -> Vec<Finding> {
    findings.sort_by(|a, b| {
        let key =
            |finding: &Finding| (finding.confidence, Reverse(finding.evidence.len()), finding.code);
        key(a).cmp(&key(b))
    });
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        if !kept.iter().any(|other| contradict(registry, other.code, finding.code)) {
            kept.push(finding);
        }
    }
    kept.sort_by_key(|finding| finding.code);
    kept
}

/// Whether two faults cannot hold together. It holds both ways, whichever row says it.
pub(crate) fn contradict(registry: &Registry, one: &str, other: &str) -> bool {
    let says = |code: &str, against: &str| {
        let row = registry.faults().fault.iter().find(|row| row.code == code);
        row.is_some_and(|row| row.contradicts.iter().any(|own| own == against))
    };
    says(one, other) || says(other, one)
}
