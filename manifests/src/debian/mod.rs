//! Debian's words: versions, relations, package lists, releases.
//!
//! Built on `debversion` and `deb822-fast`. Everything works on texts that are already there and
//! verified: signatures, hashes and compression are the store's.

pub use self::index::DebIndex;
pub use self::relation::{Dependency, Provided, Relation};
pub use self::release::Release;
pub use self::stanza::{DebPackage, StanzaError};
pub use self::version::DebVersion;

pub mod index;
pub mod relation;
pub mod release;
pub mod stanza;
pub mod version;
