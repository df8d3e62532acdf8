//! Comparing an unpacked wheel with its RECORD.
//!
//! A digest or size that differs is an error. A file that RECORD does not list, or lists without
//! there being one, is only noted: published wheels have both, the wheel as a whole was checked
//! by its own digest, and the RECORD that is installed is written anew.

use std::collections::HashMap;
use std::path::Path;

use fs_err as fs;
use sha2::Digest as _;

use super::record::{base64_url, read_record};
use super::{RecordRow, WheelError, WheelInfo};
use crate::fs::DiskError;
use crate::unpack::{Entry, Node};

/// Checks an unpacked wheel; returns what was passed over, in words.
pub fn check(tree: &Path, entries: &[Entry]) -> Result<Vec<String>, WheelError> {
    let info = WheelInfo::read(tree, entries)?;
    let record = format!("{}/RECORD", info.dist_info);
    let text = read_text(tree, &record)?;
    let rows = read_record(&text)?;
    let mut listed: HashMap<&str, &RecordRow> =
        rows.iter().map(|row| (row.path.as_str(), row)).collect();
    let mut notes = Vec::new();
    for entry in entries {
        let Node::File { .. } = entry.node else { continue };
        match listed.remove(entry.path.as_str()) {
            Some(row) => compare(tree, entry, row)?,
            None if is_exempt(&entry.path, &record) => {}
            None => notes.push(format!("RECORD does not list `{}`", entry.path)),
        }
    }
    let mut absent: Vec<&str> = listed.into_keys().filter(|path| *path != record).collect();
    absent.sort_unstable();
    notes.extend(absent.iter().map(|path| format!("RECORD lists `{path}`, which is not there")));
    Ok(notes)
}

/// The text of a file of the wheel.
pub(super) fn read_text(tree: &Path, path: &str) -> Result<String, WheelError> {
    match fs::read(tree.join(path)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(WheelError::Missing(path.to_owned()))
        }
        bytes => String::from_utf8(bytes.map_err(DiskError::from)?).map_err(|_| {
            WheelError::Unreadable { file: path.to_owned(), what: "not UTF-8".to_owned() }
        }),
    }
}

fn compare(tree: &Path, entry: &Entry, row: &RecordRow) -> Result<(), WheelError> {
    let Node::File { sha256, size, .. } = &entry.node else { return Ok(()) };
    let differs = |what: String| WheelError::Record { path: entry.path.clone(), what };
    if let Some(listed) = row.size.filter(|listed| listed != size) {
        return Err(differs(format!("{size} bytes instead of {listed}")));
    }
    let Some((algorithm, wanted)) = row.hash.as_deref().and_then(|hash| hash.split_once('='))
    else {
        return Ok(());
    };
    let found = match algorithm {
        "sha256" => base64_url(sha256.as_bytes()),
        "sha384" => base64_url(&sha2::Sha384::digest(read(tree, entry)?)),
        "sha512" => base64_url(&sha2::Sha512::digest(read(tree, entry)?)),
        _ => {
            let (path, algorithm) = (entry.path.clone(), algorithm.to_owned());
            return Err(WheelError::Algorithm { path, algorithm });
        }
    };
    if found == wanted.trim_end_matches('=') {
        Ok(())
    } else {
        Err(differs(format!("{algorithm} {found} instead of {wanted}")))
    }
}

fn read(tree: &Path, entry: &Entry) -> Result<Vec<u8>, WheelError> {
    Ok(fs::read(tree.join(&entry.path)).map_err(DiskError::from)?)
}

/// RECORD cannot list itself with a digest, nor its signatures (PEP 427).
fn is_exempt(path: &str, record: &str) -> bool {
    path.strip_prefix(record).is_some_and(|rest| matches!(rest, "" | ".jws" | ".p7s"))
}
