//! What the planner answers. "Nothing to do" and "stay" are answers like a path is one.

use serde::{Deserialize, Serialize};

use crate::registry::{Evidence, Reason, Verdict};
use crate::version::RocmVersion;

use super::cost::TotalCost;
use super::stage::Stage;
use super::standing::{ReleaseRef, Standing};
use super::state::State;

/// A whole plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct UpgradePlan {
    /// The day of the registry that it was made from.
    pub registry_date: String,
    /// Where it begins.
    pub from: State,
    /// Where it ends; `from` where nothing is done.
    pub to: State,
    /// The answer.
    pub answer: Answer,
    /// The stages of a path, in order; empty for every other answer.
    pub stages: Vec<Stage>,
    /// What they cost together.
    pub cost: TotalCost,
    /// Pairs of the state that it begins in that the registry refuses: the host is already where
    /// no document wants it.
    pub refused_now: Vec<RefusedPair>,
    /// Where the project stands on the roadmap.
    pub standing: Standing,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// What is asked for is what is there.
    NothingToDo,
    /// Moving on would lose more than it brings.
    Stay {
        /// Why.
        reason: StayReason,
    },
    /// The plan's stages lead there.
    Path,
    /// No stages lead there.
    NoPath {
        /// Why.
        reason: NoPathReason,
        /// The nearest state that can be reached, where one is nearer than where it begins.
        nearest: Option<Box<Nearest>>,
    },
}

/// Why to stay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StayReason {
    /// A GPU of the host was listed once and is not by any release that was asked for.
    GpuDropped {
        /// Product or target.
        gpu: String,
        /// The release that was asked for.
        wanted: RocmVersion,
        /// What is said of the GPU there.
        verdict: Verdict,
        /// Why.
        reason: Reason,
        /// The newest release that lists it.
        last: ReleaseRef,
        /// The documents, with the end of its support where one names it.
        evidence: Vec<Evidence>,
        /// Releases for which it is built and not listed, newest first.
        built: Vec<RocmVersion>,
    },
    /// A framework of the project has nothing that is listed or built there.
    FrameworkMissing {
        /// Its name.
        framework: String,
        /// The release that was asked for.
        wanted: RocmVersion,
    },
}

/// Why no stages lead there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoPathReason {
    /// No release that the registry knows is what was asked for.
    NoRelease {
        /// What was asked for.
        wanted: String,
        /// The nearest known release.
        nearest: Option<String>,
        /// Whether a preview would be.
        needs_preview: bool,
    },
    /// Every state that is asked for is refused, and these pairs refuse the nearest of them.
    Refused(Vec<RefusedPair>),
    /// No build of a framework that the project asks for is known there.
    FrameworkMissing {
        /// Its name.
        framework: String,
        /// Which versions are asked for.
        wanted: String,
        /// The release.
        release: RocmVersion,
        /// The versions that are known there, newest first.
        known: Vec<String>,
    },
    /// The states that are asked for are allowed and no single changes lead to them.
    NoOverlap,
    /// Only states of which some pair is not known lead there, and the policy accepts none.
    NotAccepted,
}

/// A pair that the registry refuses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RefusedPair {
    /// One thing (`driver 5.7`).
    pub left: String,
    /// The other (`ROCm 10.0.0`).
    pub right: String,
    /// `stated-no` or `known-bad`.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
    /// Who says so.
    pub evidence: Vec<Evidence>,
}

/// The nearest state that can be reached, with the way there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Nearest {
    /// The state.
    pub state: State,
    /// The stages that lead there.
    pub stages: Vec<Stage>,
    /// What they cost together.
    pub cost: TotalCost,
}
