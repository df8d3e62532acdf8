//! What a change costs, and which of two costs is less.
//!
//! States without an environment count first: they are taken where nothing else leads on. Then
//! states that nobody has said anything of, then reboots, stages and bytes. Of paths that cost the
//! same, the one with newer parts is taken.

use std::ops::Add;

use rocmenv_manifests::upgrade::TotalCost;

/// A cost; the order of the fields is their order of weight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Weight {
    pub(super) driver_only: u32,
    pub(super) unknown: u32,
    pub(super) reboots: u32,
    pub(super) stages: u32,
    /// Stages of which the bytes are not known: more than any that are known.
    pub(super) unsized_stages: u32,
    pub(super) bytes: u64,
    /// How far the parts chosen on the way are from the newest ones.
    pub(super) age: u32,
}

impl Weight {
    pub(super) fn total(self) -> TotalCost {
        TotalCost {
            driver_only: self.driver_only,
            unknown: self.unknown,
            reboots: self.reboots,
            stages: self.stages,
            unsized_stages: self.unsized_stages,
            download: self.bytes,
            // the search knows nothing of disks
            unsized_disk_stages: self.stages,
            disk: 0,
        }
    }
}

impl Add for Weight {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            driver_only: self.driver_only + other.driver_only,
            unknown: self.unknown + other.unknown,
            reboots: self.reboots + other.reboots,
            stages: self.stages + other.stages,
            unsized_stages: self.unsized_stages + other.unsized_stages,
            bytes: self.bytes + other.bytes,
            age: self.age + other.age,
        }
    }
}
