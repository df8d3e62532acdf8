//! Disks and downloads.

use rocmenv_manifests::registry::Registry;

use super::Confidence::{Certain, Likely};
use super::{Finding, Rule, found, told};
use crate::diagnose::facts::{Facts, Signal};

pub(super) const RULES: &[Rule] =
    &[disk_full, disk_low, hash_mismatch, archive_corrupt, wheel_name, slow];

fn disk_full(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::DiskFull], "D-disk-full", Certain)
}

fn disk_low(facts: &Facts, _: &Registry) -> Option<Finding> {
    let low = facts.host.disks.iter().min_by_key(|disk| disk.free_bytes)?;
    let free = low.free_bytes >> 30;
    (free < ENOUGH_GIB).then(|| {
        found("D-disk-low", Likely)
            .because(format!("{free} GiB free under {}", low.path))
            .with("free", format!("{free} GiB"))
    })
}

/// What one environment with its downloads takes.
const ENOUGH_GIB: u64 = 20;

fn hash_mismatch(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::HashMismatch], "D-hash-mismatch", Certain)
}

fn archive_corrupt(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::ArchiveCorrupt], "D-archive-corrupt", Certain)
}

fn wheel_name(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::WheelName], "D-wheel-url-name", Certain)
}

fn slow(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::SlowDownload], "D-download-slow", Likely)
}
