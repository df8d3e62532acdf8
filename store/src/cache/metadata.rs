//! Metadata of wheels in the cache, and what they weigh: neither ever changes, so neither grows
//! old.

use std::path::{Path, PathBuf};

use rocmenv_manifests::catalog::PythonFile;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::python::CoreMetadata;

use super::entry;
use crate::index::Extent;

/// Where the metadata of a file is kept: by its hash where the index gives one, else by the
/// index and its name.
pub(super) fn place(cache: &Path, index: &Sha256, file: &PythonFile) -> PathBuf {
    let key = file
        .sha256
        .unwrap_or_else(|| Sha256::of(format!("{index} {}", file.name).as_bytes()))
        .to_string();
    cache.join("metadata").join(&key[..2]).join(&key)
}

/// The METADATA headers, as they were.
pub(super) fn read(path: &Path) -> Option<String> {
    String::from_utf8(entry::read(path)?).ok()
}

/// Keeps the headers; the description below them is of no use to a solve and often large.
pub(super) fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let end = ["\n\n", "\r\n\r\n"].iter().filter_map(|gap| text.find(gap)).min();
    entry::write(path, &text.as_bytes()[..end.map_or(text.len(), |end| end + 1)])
}

/// What a wheel weighs, where that was read; it lies beside the metadata.
pub(super) fn read_extent(metadata: &Path) -> Option<Extent> {
    postcard::from_bytes(&entry::read(&metadata.with_extension(EXTENT))?).ok()
}

/// Keeps what a wheel weighs.
pub(super) fn write_extent(metadata: &Path, extent: Extent) -> std::io::Result<()> {
    let bytes = postcard::to_stdvec(&extent).map_err(std::io::Error::other)?;
    entry::write(&metadata.with_extension(EXTENT), &bytes)
}

/// What the headers say.
///
/// # Errors
/// A text that says why they cannot be used.
pub(super) fn parse(
    name: &IndexName,
    file: &PythonFile,
    text: &str,
) -> Result<CoreMetadata, String> {
    CoreMetadata::parse(text).map(|read| read.metadata).map_err(|error| {
        format!("`{}` of index `{name}`: {}", file.name, crate::fetch::chain(&error))
    })
}

/// The ending of such a file; a key has none.
const EXTENT: &str = "extent";
