//! Objects: unpacked artifacts, named by the digest of the artifact that they came out of.
//!
//! An object appears under its name by one rename and never changes after it. It is *sealed*
//! once it is known to be on the disk; one that is found unsealed (its maker died, or is still
//! at work) is read again and compared with its digests before it is used. Thus many objects are
//! made durable by one flush, and a power cut can never leave a half object that is believed.

mod manifest;
mod mend;
mod pool;
mod recipe;
mod store;
mod verify;

pub use manifest::{Manifest, ManifestError};
pub use recipe::{policy_for, unpack};
pub(crate) use store::mark_sealed;
pub use store::{InUse, Object, ObjectError, Store};
pub(crate) use verify::digest_of;
pub use verify::{Damage, DamageKind, damaged_files, touched_files};

/// Every file of a store has this time (1980-01-02, the first that zip can hold in every time
/// zone), so that a write through a hard link shows.
pub(crate) const STORE_TIME: std::time::Duration =
    std::time::Duration::from_secs(DAYS_TO_1980 * 24 * 60 * 60);

const DAYS_TO_1980: u64 = 3653;
