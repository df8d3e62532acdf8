//! What one host is: facts, where they come from, and what the user says instead.
//!
//! `facts` are plain data. The probe fills them, and reads the machine through a
//! `Sysroot` only, so that a captured tree works as well as `/`.

pub mod facts;
mod file;
pub mod interpreters;
pub mod lookup;
mod overrides;
mod probe;
mod registry;
pub mod rocminfo;
pub mod sysroot;
pub mod windows;

pub use facts::HostFacts;
pub use file::{HostFileError, read_host_file, write_host_file};
pub use lookup::{DriverRelease, DriverReleases, NoTables, Product, ProductLookup, driver_release};
pub use overrides::{OverrideError, Overrides};
pub(crate) use probe::package::package as driver_package;
pub(crate) use probe::reader as probe_reader;
pub use probe::{ProbeOptions, probe};
pub use sysroot::{CapturedSysroot, LiveSysroot, RecordedSysroot, Sysroot};
