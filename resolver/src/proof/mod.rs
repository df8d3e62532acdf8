//! What the facts of native files prove for the GPUs of a target: whether code for each is there,
//! and whether what files need to load is supplied, and by whom.
//!
//! All of it is *static*: files were read, nothing was loaded, nothing ran. `coverage` speaks of
//! device code, `linking` and `dlls` of libraries, `versions` of symbol versions; nothing here reads a file.

mod archives;
mod coverage;
mod dlls;
mod linking;
mod placed;
mod versions;

pub use coverage::{Coverage, GpuVerdict, Hole, PackageVerdict, Verdict, Why, coverage};
pub use linking::{DeadFolder, Linked, Supplied, Supply, linking};
pub use placed::{Package, Site, Tree};
pub use versions::{Platform, TooNew, versions};

#[cfg(test)]
mod tests;
