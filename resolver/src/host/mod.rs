//! What one host is: facts, where they come from, and what the user says instead.
//!
//! `facts` are plain data. The probe fills them, and reads the machine through a
//! `Sysroot` only, so that a captured tree works as well as `/`.

pub mod facts;
pub mod lookup;
mod probe;
pub mod sysroot;

pub use facts::HostFacts;
pub use lookup::{DriverRelease, DriverReleases, NoTables, Product, ProductLookup, driver_release};
pub use probe::{ProbeOptions, probe};
pub use sysroot::{CapturedSysroot, LiveSysroot, Sysroot};
