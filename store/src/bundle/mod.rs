//! Bundles: the files of a lock in one folder or one tar file, for machines without a network.
//!
//! ```text
//! BUNDLE/bundle.json              a line with the format and the digest of the rest, then JSON
//! BUNDLE/files/<sha256>/<name>    the files, as their index serves them
//! ```
//!
//! A tar file holds the same, `bundle.json` first, and no byte of it is free: owners, times and
//! fillings are fixed, so that the list says every byte. Nothing but what is listed may be there.
//! The list also has what the indexes say of the files (some hundred bytes each), so that a lock can
//! be made where no index can be asked.
//! A bundle that was made against an earlier one lists its files and leaves them out.

mod archive;
mod error;
mod folder;
mod list;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rocmenv_manifests::digest::Sha256;

pub use error::BundleError;
pub use list::{Bundle, BundleFile};

use crate::fetch::finished_place;
use crate::fs::DiskError;

/// Reads what a bundle lists, without looking at its files.
///
/// # Errors
/// It is no bundle, of a newer format, or its list is damaged.
pub fn read(at: &Path) -> Result<Bundle, BundleError> {
    if at.is_dir() { folder::read(at) } else { archive::read(at) }
}

/// Writes a bundle: a tar file where the name ends in `.tar`, else a folder. What lies in the folder
/// and is not listed any more is removed, if it was of a bundle. `sources` says where each file
/// that is listed as being here lies now.
///
/// # Errors
/// The disk, or a source that is not what it should be.
pub fn write(
    to: &Path,
    bundle: &Bundle,
    sources: &BTreeMap<Sha256, PathBuf>,
) -> Result<(), BundleError> {
    if is_archive(to) {
        archive::write(to, bundle, sources)
    } else {
        folder::write(to, bundle, sources)
    }
}

/// Checks every byte of a bundle and puts the `wanted` files among the downloads.
///
/// # Errors
/// A byte that is not what the list says, a file that is missing or that nobody listed, or the
/// disk. What was put among the downloads by then is right.
pub fn take(at: &Path, wanted: &BTreeSet<Sha256>, downloads: &Path) -> Result<Bundle, BundleError> {
    if at.is_dir() {
        folder::take(at, wanted, downloads)
    } else {
        archive::take(at, wanted, downloads)
    }
}

/// Whether a bundle of this name is one file.
pub fn is_archive(to: &Path) -> bool {
    to.extension().is_some_and(|extension| extension == "tar")
}

/// Where a wanted file goes among the downloads; its folder is made.
fn place_of(file: &BundleFile, downloads: &Path, at: &Path) -> Result<PathBuf, BundleError> {
    let place = finished_place(downloads, &file.name, &file.sha256)
        .map_err(|_| BundleError::damaged(at, format!("`{}` is no file name", file.name)))?;
    let folder = place.parent().unwrap_or(downloads);
    fs_err::create_dir_all(folder).map_err(DiskError::from)?;
    Ok(place)
}

/// The list of a bundle.
const LIST: &str = "bundle.json";
/// The folder of its files.
const FILES: &str = "files";
