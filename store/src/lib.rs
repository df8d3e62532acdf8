//! Everything that changes a disk.

pub mod cache;
pub mod fetch;
pub mod index;
pub mod report;
pub mod sign;
