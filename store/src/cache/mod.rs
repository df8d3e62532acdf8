//! What was asked once and need not be asked again, and the catalog that a solve reads from it.
//!
//! ```text
//! CACHE/pages/<index>/<package>      an index's page, compact
//! CACHE/metadata/<2>/<key>           the headers of one wheel's METADATA
//! CACHE/metadata/<2>/<key>.extent    what the wheel weighs, where its end was read
//! CACHE/apt/<repository>             which lists a repository has
//! CACHE/apt/lists/<sha256>.packages  one list, unpacked, without descriptions
//! CACHE/interpreters                 what interpreters said of themselves
//! CACHE/settled/<project>            the question that a lock was found to be the answer of
//! ```
//!
//! Every entry ends with a checksum and the version of its format; one that is damaged or of
//! another version counts as missing. No entry holds a login.

mod answers;
mod carried;
mod catalog;
mod entry;
mod error;
mod fill;
mod freshness;
mod interpreters;
mod locate;
mod metadata;
mod page;
mod settled;
mod weight;

pub use carried::CarriedRow;
pub use catalog::{CatalogOptions, DiskCatalog};
pub use error::{CatalogError, Cause};
pub use fill::Filled;
pub use freshness::Refresh;
pub use interpreters::InterpreterWords;
pub use settled::Settled;
pub use weight::Weight;
