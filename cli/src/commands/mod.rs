//! One file a verb: options to its op, the outcome to `render`. Nothing is decided here.

pub mod completions;
pub mod edit;
pub mod explain;
pub mod init;
pub mod man;
pub mod matrix;
pub mod registry;
pub mod schema;
