//! What lies between two releases: changes, and GPUs that tables list or no longer list.

use std::collections::BTreeSet;

use crate::gfx::GfxTarget;
use crate::version::RocmVersion;

use super::super::loader::Registry;
use super::super::rows::changes::ReleaseChange;
use super::super::rows::releases::ReleaseKind;
use super::super::rows::support::Platform;
use super::super::verdict::Evidence;

/// The targets that a release's table lists and the table before it does not, and the other way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GpuChange {
    /// The release.
    pub release: RocmVersion,
    /// The release before it whose table was read.
    pub before: RocmVersion,
    /// Listed now.
    pub gained: Vec<GfxTarget>,
    /// No longer listed.
    pub lost: Vec<GfxTarget>,
    /// The tables.
    pub evidence: Vec<Evidence>,
}

impl Registry {
    /// The changes of the releases after `from`, up to and with `to`, oldest release first. What
    /// names no release is not among them.
    pub fn changes_between(&self, from: &RocmVersion, to: &RocmVersion) -> Vec<&ReleaseChange> {
        let all = self.changes().change.iter();
        let mut found: Vec<_> = all
            .filter(|row| row.since.as_ref().is_some_and(|since| from < since && since <= to))
            .collect();
        found.sort_by(|a, b| a.since.cmp(&b.since));
        found
    }

    /// The targets that production releases gain and lose on a platform, oldest first. Only
    /// releases whose table was read take part; the table is open, so that a target that is lost
    /// is one that the newer table does not print.
    pub fn gpu_changes(&self, platform: Platform) -> Vec<GpuChange> {
        let mut releases: Vec<&RocmVersion> = self
            .releases()
            .release
            .iter()
            .filter(|row| row.kind == ReleaseKind::Production)
            .map(|row| &row.version)
            .collect();
        releases.sort();
        let mut found = Vec::new();
        let mut previous: Option<(&RocmVersion, BTreeSet<GfxTarget>)> = None;
        for release in releases {
            let (printed, evidence) = self.targets_of(release, platform);
            if printed.is_empty() {
                continue;
            }
            if let Some((before, held)) = &previous {
                let gained: Vec<_> = printed.difference(held).copied().collect();
                let lost: Vec<_> = held.difference(&printed).copied().collect();
                if !gained.is_empty() || !lost.is_empty() {
                    let (release, before) = (release.clone(), (*before).clone());
                    found.push(GpuChange { release, before, gained, lost, evidence });
                }
            }
            previous = Some((release, printed));
        }
        found
    }

    /// The targets that a release's own table lists, with the documents.
    fn targets_of(
        &self,
        release: &RocmVersion,
        platform: Platform,
    ) -> (BTreeSet<GfxTarget>, Vec<Evidence>) {
        let number = release.dotted();
        let mut targets = BTreeSet::new();
        let mut evidence: Vec<Evidence> = Vec::new();
        let rows = self.gpu_support().row.iter();
        for row in rows.filter(|row| {
            row.os == platform && row.status.is_listed() && row.release.contains(number.parts())
        }) {
            targets.extend(row.gfx.iter().copied());
            for one in self.evidence(&row.source, "", &row.confidence) {
                if !evidence.contains(&one) {
                    evidence.push(one);
                }
            }
        }
        (targets, evidence)
    }
}
