//! Everything that changes a disk.

pub mod fetch;
pub mod report;
