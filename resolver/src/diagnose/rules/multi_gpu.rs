//! Several GPUs together: IOMMU, peer-to-peer, shared memory.

use rocmenv_manifests::registry::Registry;

use super::Confidence::{Certain, Likely, Possible, Symptom};
use super::{Finding, Rule, found, told};
use crate::diagnose::facts::{Facts, Signal};
use crate::host::facts::GpuKind;

pub(super) const RULES: &[Rule] = &[iommu_pt, p2p_freeze, collective_timeout, shm_small];

fn cards(facts: &Facts) -> usize {
    facts.gpus().iter().filter(|gpu| facts.kind_of(gpu) == Some(GpuKind::Discrete)).count()
}

fn passes_through(facts: &Facts) -> bool {
    let line = facts.around.command_line.as_deref().unwrap_or_default();
    let words = ["iommu=pt", "iommu=off", "amd_iommu=off", "intel_iommu=off"];
    line.split_whitespace().any(|word| words.contains(&word))
}

fn iommu_pt(facts: &Facts, _: &Registry) -> Option<Finding> {
    if facts.said(Signal::IommuWarning).is_some() {
        let sure = if passes_through(facts) { Possible } else { Certain };
        return told(facts, &[Signal::IommuWarning], "D-iommu-pt", sure);
    }
    let translated: Vec<_> =
        facts.around.iommu.iter().filter(|(_, kind)| kind.starts_with("DMA")).collect();
    if cards(facts) < 2 || translated.len() < 2 || passes_through(facts) {
        return None;
    }
    let line = |finding: Finding, (address, kind): (&String, &String)| {
        finding.because(format!("IOMMU domain of {address}: {kind}"))
    };
    Some(translated.into_iter().fold(found("D-iommu-pt", Possible), line))
}

fn p2p_freeze(facts: &Facts, _: &Registry) -> Option<Finding> {
    let family = facts.has_target(&["gfx1200", "gfx1201"]);
    told(facts, &[Signal::P2pFreeze], "D-p2p-freeze", if family { Likely } else { Possible })
}

fn collective_timeout(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::CollectiveTimeout], "D-collective-timeout", Symptom)
}

fn shm_small(facts: &Facts, _: &Registry) -> Option<Finding> {
    let bytes = facts.around.shm_bytes.filter(|bytes| *bytes < 1 << 30)?;
    (facts.container().is_some() && facts.gpus().len() > 1).then(|| {
        found("D-shm-small", Likely).because(format!("/dev/shm holds {} MiB", bytes >> 20))
    })
}
