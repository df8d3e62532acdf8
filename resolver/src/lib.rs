//! Every decision.

pub mod host;
