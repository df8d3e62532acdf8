//! Facts of native files: of an object, kept beside it, and of a wheel that was not fetched.
//!
//! What an object holds never changes, so that its facts are read once. They lie in the object's
//! own folder, in the writable store; those of a read-only layer are read anew each time.

mod object;
mod ranges;
mod wheel;

pub use object::{facts_of, facts_of_each};
pub use ranges::Place;
pub use wheel::{Depth, ProofError, Unread, WheelProof, read_wheel};
