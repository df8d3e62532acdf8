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

pub mod digest;

pub mod gfx;

pub mod name;

pub mod platform;

pub mod debian;
pub mod python;
pub mod sourced;
pub mod version;
