//! Everything that changes a disk.
//!
//! [`layout`] declares the trees, [`fs`] and [`lock_file`] are the only ways to touch them,
//! [`unpack`] turns hostile archives into files, [`object`] keeps them by digest,
//! [`environment`] builds a tree of links from them, [`generation`] makes it visible by one
//! rename, and [`gc`] takes away what nothing holds any more.

pub mod environment;
pub mod fs;
pub mod gc;
pub mod generation;
pub mod layout;
pub mod lock_file;
pub mod object;
pub mod unpack;
pub mod wheel;
