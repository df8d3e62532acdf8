//! What a stage brings, takes away and renames. Every item carries the documents behind it.

use serde::{Deserialize, Serialize};

use crate::registry::{Evidence, Reason, Verdict};
use crate::version::RocmVersion;

/// Something that holds after a stage and did not before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gain {
    /// A GPU of the host is listed now.
    Gpu {
        /// Product or target.
        gpu: String,
        /// What was said of it before.
        was: Verdict,
        /// Who lists it.
        evidence: Vec<Evidence>,
    },
    /// A framework is listed, or built, now.
    Framework {
        /// Its name.
        name: String,
        /// Its version.
        version: String,
    },
    /// A component is new.
    Component {
        /// Its name.
        name: String,
        /// The release that brings it.
        since: RocmVersion,
        /// Who says so.
        evidence: Vec<Evidence>,
    },
    /// The driver serves these series of ROCm and did not before.
    Releases(Vec<String>),
}

/// Something that held before a stage and does not afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// A GPU of the host is no longer listed.
    Gpu {
        /// Product or target.
        gpu: String,
        /// What is said of it afterwards.
        now: Verdict,
        /// The newest release that lists it.
        last: RocmVersion,
        /// That release's day.
        date: Option<String>,
        /// Who says so.
        evidence: Vec<Evidence>,
    },
    /// A framework is not listed for this target's GPUs, or nothing of it is known to be built.
    Framework {
        /// Its name.
        name: String,
        /// What is said of it afterwards.
        now: Verdict,
        /// Who says so.
        evidence: Vec<Evidence>,
    },
    /// A component is gone or has reached its end.
    Component {
        /// Its name.
        name: String,
        /// The release that it is gone from, where one is named.
        since: Option<RocmVersion>,
        /// What to use in its place.
        instead: Option<String>,
        /// Who says so.
        evidence: Vec<Evidence>,
    },
    /// The driver no longer serves these series of ROCm: older generations need the driver before.
    Releases(Vec<String>),
}

/// What kind of name or place has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveKind {
    /// The name of packages.
    Package,
    /// The index or repository that serves them.
    Index,
    /// The folder that ROCm is installed into.
    Path,
    /// The way in which it is installed.
    Method,
}

/// A rename or a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Move {
    /// What has moved.
    pub kind: MoveKind,
    /// Before.
    pub from: String,
    /// After.
    pub to: String,
    /// Since which release, where one is named.
    pub since: Option<RocmVersion>,
    /// Who says so.
    pub evidence: Vec<Evidence>,
}

/// A pair that no document lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Unproven {
    /// One thing (`driver 31.50.0`).
    pub left: String,
    /// The other (`ROCm 10.1.0`).
    pub right: String,
    /// How far it is known.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
    /// What was read.
    pub evidence: Vec<Evidence>,
}

/// A rule or key change of a release that a stage passes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Note {
    /// In words.
    pub text: String,
    /// Who says so.
    pub evidence: Vec<Evidence>,
}
