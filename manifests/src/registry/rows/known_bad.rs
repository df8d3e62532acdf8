//! Combinations that are known to fail.

use serde::{Deserialize, Serialize};

use super::super::pattern::{DriverPattern, ReleasePattern};
use super::super::vocabulary::GfxTarget;
use super::kernels::DriverKind;
use super::sources::SourceKeys;
use super::support::SystemName;

/// `known-bad.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct KnownBadTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The combinations.
    pub combination: Vec<KnownBad>,
    /// What an override of the gfx version does.
    pub r#override: Vec<OverrideRow>,
}

/// What a known-bad combination leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// It is refused.
    Refuse,
    /// It is said aloud.
    Warn,
}

/// A combination that fails when all its conditions hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct KnownBad {
    /// Its stable name.
    pub id: String,
    /// What happens.
    pub what: String,
    /// On any of these targets.
    #[serde(default)]
    pub gfx: Vec<GfxTarget>,
    /// With any of these releases.
    #[serde(default)]
    pub rocm: Vec<ReleasePattern>,
    /// With any of these releases of AMD's driver.
    #[serde(default)]
    pub driver: Vec<DriverPattern>,
    /// With this kind of driver.
    #[serde(default)]
    pub driver_kind: Option<DriverKind>,
    /// On this system.
    #[serde(default)]
    pub os: Option<SystemName>,
    /// From this kernel on.
    #[serde(default)]
    pub kernel_from: Option<String>,
    /// Below this kernel.
    #[serde(default)]
    pub kernel_below: Option<String>,
    /// With this firmware.
    #[serde(default)]
    pub firmware: Option<String>,
    /// With all of these packages.
    #[serde(default)]
    pub packages: Vec<PackageCondition>,
    /// What it leads to.
    pub effect: Effect,
    /// What to take in its place.
    #[serde(default)]
    pub instead: Option<String>,
    /// Who says so: `vendor`, `maintainer`, `reporter`, `third-party`, `inferred`.
    pub basis: String,
    /// Where.
    pub source: SourceKeys,
}

/// A package that takes part in a combination.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PackageCondition {
    /// Its normalized name.
    pub name: String,
    /// PEP 440 specifiers, `*` for any.
    pub versions: String,
}

/// What `HSA_OVERRIDE_GFX_VERSION` does to targets, by report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct OverrideRow {
    /// The targets.
    pub gfx: Vec<GfxTarget>,
    /// The value, where one is meant.
    #[serde(default)]
    pub value: Option<String>,
    /// `harmful` or `stopgap`.
    pub verdict: String,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}
