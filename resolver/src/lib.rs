//! Every decision of rocmenv, each a pure function of facts, catalog and registry.
//!
//! A machine is read only through `host::Sysroot`; nothing here uses a network or waits.

pub mod check;
pub mod diagnose;
pub mod host;
pub mod python_builds;
pub mod solve;
pub mod target;
