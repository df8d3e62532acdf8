//! Staged upgrades: where a project stands on the roadmap, and the stages that lead on.
//!
//! A state is one host with one environment. The planner draws the graph of states that the
//! registry allows, with single changes as edges, and takes the cheapest way through it; it does
//! nothing itself. `targets` says what is wished for, `axes` which values a part can take, `judge`
//! and `sets` what the registry says of them, `graph` finds the way, `stages` and `effects` say
//! what it means.

mod axes;
mod effects;
mod firmware;
mod goal;
mod graph;
mod installable;
mod judge;
mod meets;
mod planner;
mod reboot;
mod roadmap;
mod sets;
mod stages;
mod standing;
mod targets;
mod weight;

pub use effects::{Effects, effects_between};
pub use goal::{Goal, UpgradeHost, UpgradePolicy, driver_of_spec};
pub use meets::{Unmet, unmet};
pub use planner::plan;
pub use roadmap::{Announcement, EndedChannel, Roadmap, RoadmapChange, RoadmapRelease, roadmap};
pub use standing::standing;
