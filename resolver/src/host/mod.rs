//! What one host is: facts, where they come from, and what the user says instead.
//!
//! `facts` are plain data. The probe fills them, and reads the machine through a
//! `Sysroot` only, so that a captured tree works as well as `/`.

pub mod facts;
pub mod lookup;

pub use facts::HostFacts;
pub use lookup::{DriverRelease, DriverReleases, NoTables, Product, ProductLookup, driver_release};
