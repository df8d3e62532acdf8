//! One file a verb: options to its op, the outcome to `render`. Nothing is decided here.

pub mod completions;
pub mod explain;
pub mod man;
