//! Staged upgrades: where a project stands on the roadmap, and the stages that lead on.

mod goal;

pub use goal::{Goal, UpgradeHost, UpgradePolicy, driver_of_spec};
