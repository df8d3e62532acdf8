//! All printing: data on standard output, talk on standard error, failures, progress.

mod bytes;
mod check;
mod collection;
mod doctor;
mod failure;
mod host;
mod moment;
mod output;
mod plan;
mod progress;
mod rollback;
mod status;
mod style;
mod table;
mod tree;
mod verify;

pub use bytes::bytes;
pub use check::check;
pub use collection::{collection, collection_json, collection_warnings};
pub use doctor::{diagnosis, diagnosis_json, requirements, walk, walk_json};
pub use host::host;
pub use moment::moment;
pub use output::Output;
pub use plan::plan;
pub use progress::reporter;
pub use rollback::{mismatch_json, rollback, rollback_json, rollback_warnings};
pub use status::{status, status_json};
pub use style::Style;
pub use table::table;
pub use tree::tree;
pub use verify::verify;
