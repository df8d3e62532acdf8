//! Metadata of wheels in the cache: it never changes, so it never grows old.

use std::path::{Path, PathBuf};

use rocmenv_manifests::catalog::PythonFile;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::python::CoreMetadata;

use super::entry;

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
