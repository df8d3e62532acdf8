//! rocm.lock: what was chosen, byte for byte.
//!
//! TOML, `version = 1`. Everything in it is sorted; the same input gives the same bytes. It holds
//! no time, no host name and no mirror's address: a file is named by index, name and digest.

mod error;
mod membership;
mod merge;
mod predicate;
mod read;
mod types;
mod write;

pub use error::LockError;
pub use predicate::PredicateError;
pub use types::{
    ArtifactKind, Contract, ContractItem, Lock, LockedFile, LockedPackage, LockedPython,
    LockedTarget, Membership, Note, Predicate,
};

/// The format that this rocmenv reads and writes.
pub const VERSION: i64 = 1;
