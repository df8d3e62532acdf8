//! Everything that changes a disk.
