//! The lean shim.
