//! Everything that changes a disk.
//!
//! [`fetch`] brings bytes and proves them, [`index`] asks the places that list artifacts,
//! [`sign`] says who vouches for them, [`cache`] remembers the answers. [`layout`] declares the
//! trees, [`fs`] and [`lock_file`] are the only ways to touch them, [`unpack`] turns hostile
//! archives into files, [`object`] keeps them by digest. [`report`] tells of long work.

pub mod cache;
pub mod fetch;
pub mod fs;
pub mod index;
pub mod layout;
pub mod lock_file;
pub mod object;
pub mod report;
pub mod sign;
pub mod unpack;
pub mod wheel;
