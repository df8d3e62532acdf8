//! Every decision of rocmenv, each a pure function of facts, catalog and registry.
//!
//! A machine is read only through `host::Sysroot`; nothing here uses a network or waits.

pub mod bench;
pub mod check;
pub mod diagnose;
pub mod guard;
pub mod host;
pub mod profile;
pub mod proof;
pub mod python_builds;
pub mod solve;
pub mod target;
pub mod tune;
pub mod upgrade;
