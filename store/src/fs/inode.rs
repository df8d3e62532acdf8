//! What a file takes on the disk, and how many names it has.

use std::fs::Metadata;
use std::path::Path;

/// One name of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileFacts {
    /// What tells the file from others: file system and number in it. `None` where the file
    /// system does not tell; then every name counts as a file of its own.
    pub(crate) identity: Option<(u64, u64)>,
    /// How many names it has.
    pub(crate) names: u64,
    /// Bytes on the disk.
    pub(crate) bytes: u64,
}

/// The facts of the file at `path`; a link is not followed.
#[cfg(unix)]
pub(crate) fn file_facts(_: &Path, metadata: &Metadata) -> FileFacts {
    use std::os::unix::fs::MetadataExt as _;
    FileFacts {
        identity: Some((metadata.dev(), metadata.ino())),
        names: metadata.nlink(),
        bytes: metadata.blocks() * 512,
    }
}

/// The facts of the file at `path`. Windows tells them of an open file only.
#[cfg(windows)]
pub(crate) fn file_facts(path: &Path, metadata: &Metadata) -> FileFacts {
    let opened = winapi_util::Handle::from_path_any(super::reachable(path));
    match opened.and_then(winapi_util::file::information) {
        Ok(facts) => FileFacts {
            identity: Some((facts.volume_serial_number(), facts.file_index())),
            names: facts.number_of_links(),
            bytes: metadata.len(),
        },
        Err(_) => FileFacts { identity: None, names: 1, bytes: metadata.len() },
    }
}
