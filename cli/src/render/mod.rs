//! All printing: data on standard output, talk on standard error, failures, progress.

mod bytes;
mod check;
mod failure;
mod host;
mod output;
mod plan;
mod progress;
mod style;
mod table;
mod tree;

pub use bytes::bytes;
pub use check::check;
pub use host::host;
pub use output::Output;
pub use plan::plan;
pub use progress::reporter;
pub use style::Style;
pub use table::table;
pub use tree::tree;
