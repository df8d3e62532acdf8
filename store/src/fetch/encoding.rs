//! Servers that compress a file on the way although they were asked not to.
//!
//! Two kinds exist: one packs a plain file (its hash is that of the unpacked bytes), one says
//! `gzip` of a file that is a `.gz` by nature (its hash is that of the bytes as they came).

use std::io::{self, Read, Write};
use std::path::Path;

use reqwest::header::{CONTENT_ENCODING, HeaderMap};
use rocmenv_manifests::digest::Sha256;
use sha2::Digest as _;

use super::sink::Written;

/// Whether the body is packed with gzip.
pub(super) fn is_gzip(headers: &HeaderMap) -> bool {
    headers
        .get(CONTENT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| matches!(value.trim(), "gzip" | "x-gzip"))
}

/// Whether the body must be unpacked to be the file.
pub(super) fn must_unpack(name: &str, came: &Sha256, promised: Option<&Sha256>) -> bool {
    match promised {
        Some(promised) => came != promised,
        None => ![".gz", ".tgz"].iter().any(|end| name.ends_with(end)),
    }
}

/// Unpacks the file in its place, at most `limit` bytes of it.
pub(super) fn unpack_in_place(path: &Path, limit: u64) -> io::Result<Written> {
    let mut unpacked = path.as_os_str().to_owned();
    unpacked.push(".plain");
    let mut reader = flate2::read::MultiGzDecoder::new(fs_err::File::open(path)?).take(limit);
    let mut file = fs_err::File::create(&unpacked)?;
    let mut hasher = sha2::Sha256::new();
    let mut size = 0;
    let mut buffer = vec![0; 128 * 1024];
    loop {
        let count = reader.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        file.write_all(&buffer[..count])?;
        hasher.update(&buffer[..count]);
        size += count as u64;
    }
    fs_err::rename(&unpacked, path)?;
    Ok(Written { sha256: Sha256::from_bytes(hasher.finalize().into()), size })
}
