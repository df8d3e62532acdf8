//! Everything that changes a disk.

pub mod report;
