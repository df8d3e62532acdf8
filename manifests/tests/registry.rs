//! The embedded registry: that it parses, what overlays may do, and what the checks refuse.

#[path = "registry/data.rs"]
mod data;
#[path = "registry/overlays.rs"]
mod overlays;
