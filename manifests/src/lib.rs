//! Every word of the rocmenv domain, once: formats, types and the registry data.
//!
//! Nothing here touches a disk or a network. `resolver` decides with these types, `store`
//! acts on them, `cli` speaks of them:
//!
//! ```text
//!  shims (std only)      manifests (this crate)
//!     ^                     ^          ^
//!     |       +-------------+          |
//!   store ----+                    resolver
//!     ^                                ^
//!     +-------------- cli -------------+
//! ```

pub mod catalog;
pub mod debian;
pub mod digest;
pub mod generation;
pub mod gfx;
pub mod lock;
pub mod name;
pub mod plan;
pub mod platform;
pub mod project;
pub mod python;
pub mod registry;
pub mod sourced;
pub mod upgrade;
pub mod version;
