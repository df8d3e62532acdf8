//! Versions of the stack and the one grammar that asks for them.
//!
//! ROCm releases are semver, drivers (and kernels, libcs, firmware) are dotted numbers; Python,
//! frameworks and packages are PEP 440 and live in `python`. A `Requirement` is written the
//! same way for all of them.

mod dotted;
mod requirement;
mod rocm;

pub use dotted::{Dotted, DottedError};
pub use requirement::{Clause, Op, Requirement, RequirementError};
pub use rocm::{RocmVersion, RocmVersionError, Series};

/// AMD's release number of a kernel driver (`30.20.1`), or of an Adrenalin package (`26.8.1`).
///
/// The same grammar serves both; which line a number belongs to is said by the field that holds
/// it, and the two are never compared with each other.
pub type DriverVersion = Dotted;
