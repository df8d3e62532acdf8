//! Everything that changes a disk.
//!
//! [`layout`] declares the trees, [`fs`] and [`lock_file`] are the only ways to touch them,
//! [`unpack`] turns hostile archives into files, [`object`] keeps them by digest,
//! [`environment`] builds a tree of links from them, [`generation`] makes it visible by one
//! rename, and [`gc`] takes away what nothing holds any more. [`report`] tells of long work.

<<<<<<< HEAD
pub mod fs;
pub mod layout;
pub mod lock_file;
pub mod object;
pub mod report;
pub mod unpack;
pub mod wheel;
=======
pub mod cache;
pub mod fetch;
pub mod index;
pub mod report;
pub mod sign;
>>>>>>> net
