//! The embedded registry: that it parses and agrees with the documents cell by cell, what its
//! answers are, what overlays may do, and what the checks refuse.

#[path = "registry/cells.rs"]
mod cells;
#[path = "registry/data.rs"]
mod data;
#[path = "registry/drivers.rs"]
mod drivers;
#[path = "registry/frameworks.rs"]
mod frameworks;
#[path = "registry/gpus.rs"]
mod gpus;
#[path = "registry/known_bad.rs"]
mod known_bad;
#[path = "registry/overlays.rs"]
mod overlays;
#[path = "registry/packages.rs"]
mod packages;
#[path = "registry/systems.rs"]
mod systems;
