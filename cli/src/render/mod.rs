//! All printing: data on standard output, talk on standard error, failures, progress.

mod failure;
mod host;
mod output;
mod progress;
mod style;
mod table;

pub use host::host;
pub use output::Output;
pub use progress::reporter;
pub use style::Style;
pub use table::table;
