//! Everything that changes a disk.
//!
//! [`fetch`] brings bytes and proves them, [`index`] asks the places that list artifacts,
//! [`sign`] says who vouches for them, [`cache`] remembers the answers. [`layout`] declares the
//! trees, [`fs`] and [`lock_file`] are the only ways to touch them, [`unpack`] turns hostile
//! archives into files, [`object`] keeps them by digest, [`environment`] builds a tree of links
//! from them, [`generation`] makes it visible by one rename, and [`gc`] takes away what nothing
//! holds any more. [`native`] reads what native files hold for GPUs, [`proof`] keeps it beside
//! objects and reads it out of wheels that were not fetched. [`bundle`] carries files to machines
//! without a network, [`members`] packs a few plain files for people. [`user_path`] is the search
//! path that Windows keeps for a user. [`report`] tells of long work.

pub mod bundle;
pub mod cache;
pub mod environment;
pub mod fetch;
pub mod fs;
pub mod gc;
pub mod generation;
pub mod index;
pub mod layout;
pub mod lock_file;
pub mod members;
pub mod native;
pub mod object;
pub mod proof;
pub mod report;
pub mod sign;
pub mod unpack;
pub mod user_path;
pub mod wheel;
