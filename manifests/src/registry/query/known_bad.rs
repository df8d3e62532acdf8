//! Combinations that are known to fail. A condition on something that is not described is not
//! judged, so that silence never makes a fault.

use std::str::FromStr;

use pep440_rs::{Version, VersionSpecifiers};

use crate::gfx::GfxTarget;
use crate::version::{DriverVersion, RocmVersion};

use super::super::loader::Registry;
use super::super::rows::kernels::DriverKind;
use super::super::rows::known_bad::{Effect, KnownBad, OverrideRow, PackageCondition};
use super::super::verdict::{Judgement, Reason, Verdict};
use super::kernel::Kernel;
use super::system::System;

/// What is known of a host and an environment. `None` and empty mean not described.
#[derive(Debug, Clone, Copy, Default)]
pub struct Situation<'s> {
    /// The GPUs' targets.
    pub gfx: &'s [GfxTarget],
    /// The release.
    pub rocm: Option<&'s RocmVersion>,
    /// AMD's release of the driver.
    pub driver: Option<&'s DriverVersion>,
    /// Whose driver it is.
    pub driver_kind: Option<DriverKind>,
    /// The system.
    pub system: Option<&'s System>,
    /// The kernel.
    pub kernel: Option<&'s Kernel>,
    /// Firmware as `name version` (`mes 0x83`).
    pub firmware: &'s [String],
    /// Packages with their versions.
    pub packages: &'s [(&'s str, &'s Version)],
}

impl Registry {
    /// The combinations that hold in a situation, with what they lead to.
    pub fn known_bad_in(&self, situation: &Situation<'_>) -> Vec<(&KnownBad, Judgement)> {
        let rows = self.known_bad().combination.iter();
        rows.filter(|row| holds(row, situation))
            .map(|row| {
                let reason = Reason::Fails {
                    id: row.id.clone(),
                    what: row.what.clone(),
                    instead: row.instead.clone(),
                };
                let evidence = self.evidence(&row.source, &row.basis, &None);
                let verdict = match row.effect {
                    Effect::Refuse => Verdict::KnownBad,
                    Effect::Warn => Verdict::NotKnown,
                };
                (row, Judgement::new(verdict, reason, evidence))
            })
            .collect()
    }

    /// What an override of the gfx version does to a target, by report.
    pub fn override_of(&self, gfx: GfxTarget) -> Option<&OverrideRow> {
        self.known_bad().r#override.iter().find(|row| row.gfx.contains(&gfx))
    }
}

fn holds(row: &KnownBad, situation: &Situation<'_>) -> bool {
    let gfx = row.gfx.is_empty() || situation.gfx.iter().any(|gfx| row.gfx.contains(gfx));
    let rocm = row.rocm.is_empty()
        || situation.rocm.is_some_and(|rocm| {
            let release = rocm.dotted();
            row.rocm.iter().any(|own| own.contains(release.parts()))
        });
    let driver = row.driver.is_empty()
        || situation
            .driver
            .is_some_and(|driver| row.driver.iter().any(|own| own.contains(driver.parts())));
    let kind = row.driver_kind.is_none() || row.driver_kind == situation.driver_kind;
    let system =
        row.os.as_ref().is_none_or(|os| situation.system.is_some_and(|system| system.is(os)));
    let from = row
        .kernel_from
        .as_deref()
        .is_none_or(|floor| situation.kernel.is_some_and(|kernel| kernel.is_at_least(floor)));
    let below = row
        .kernel_below
        .as_deref()
        .is_none_or(|end| situation.kernel.is_some_and(|kernel| !kernel.is_at_least(end)));
    let firmware = row
        .firmware
        .as_ref()
        .is_none_or(|firmware| situation.firmware.iter().any(|own| own == firmware));
    let packages = row.packages.iter().all(|condition| is_there(condition, situation));
    gfx && rocm && driver && kind && system && from && below && firmware && packages
}

fn is_there(condition: &PackageCondition, situation: &Situation<'_>) -> bool {
    situation.packages.iter().any(|(name, version)| {
        *name == condition.name
            && (condition.versions == "*"
                || VersionSpecifiers::from_str(&condition.versions)
                    .is_ok_and(|specifiers| specifiers.contains(version)))
    })
}
