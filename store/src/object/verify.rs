//! Comparing an object with its own list: by reading every byte, or by size and time alone.

use std::io::{self, Read as _};
use std::path::Path;
use std::time::UNIX_EPOCH;

use fs_err as fs;
use rayon::prelude::*;
use rocmenv_manifests::digest::Sha256;
use sha2::Digest as _;

use super::{Manifest, STORE_TIME};
use crate::fs::{DiskError, symlink};
use crate::layout::ObjectLayout;
use crate::unpack::{Entry, Node};

/// A file that is not as it was made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Damage {
    /// The file, relative to the object's tree.
    pub path: String,
    /// What is wrong.
    pub kind: DamageKind,
}

/// What is wrong with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DamageKind {
    /// It is not there, or is something else.
    Missing,
    /// Its content is another one.
    Content,
    /// It was written to since it was made.
    Touched,
    /// The disk cannot read it.
    Unreadable,
}

/// The files of an object whose bytes are not those that it was made of, sorted. Reads all of it.
pub fn damaged_files(object: &ObjectLayout, manifest: &Manifest) -> Vec<Damage> {
    check(object, manifest, |path, entry| match &entry.node {
        Node::File { sha256, .. } => match digest_of(path) {
            Ok(found) if found == *sha256 => None,
            Ok(_) => Some(DamageKind::Content),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some(DamageKind::Missing),
            Err(_) => Some(DamageKind::Unreadable),
        },
        Node::Link { target } => {
            let said = fs::read_link(path).ok();
            // What stands for a link where there are none, or was left out, is as it was made.
            let stands_in = symlink::COME_LAST && said.is_none();
            let as_made = stands_in || said.as_deref() == Some(Path::new(target));
            (!as_made).then_some(DamageKind::Missing)
        }
        Node::Folder => (!path.is_dir()).then_some(DamageKind::Missing),
    })
}

/// The files of an object whose size or time says that they were written to, sorted. Reads no
/// content: this is what `status` can afford.
pub fn touched_files(object: &ObjectLayout, manifest: &Manifest) -> Vec<Damage> {
    check(object, manifest, |path, entry| {
        let Node::File { size, .. } = entry.node else { return None };
        let Ok(metadata) = fs::symlink_metadata(path) else { return Some(DamageKind::Missing) };
        let untouched = metadata.modified().is_ok_and(|time| time == UNIX_EPOCH + STORE_TIME);
        (metadata.len() != size || !untouched).then_some(DamageKind::Touched)
    })
}

/// The digest of a file's content.
pub(crate) fn digest_of(path: &Path) -> Result<Sha256, DiskError> {
    let mut file = fs::File::open(path)?;
    let mut hasher = sha2::Sha256::new();
    let mut buffer = vec![0; 256 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(Sha256::from_bytes(hasher.finalize().into())),
            read => hasher.update(&buffer[..read]),
        }
    }
}

fn check(
    object: &ObjectLayout,
    manifest: &Manifest,
    judge: impl Fn(&Path, &Entry) -> Option<DamageKind> + Sync,
) -> Vec<Damage> {
    let tree = object.tree();
    let mut found: Vec<Damage> = manifest
        .entries
        .par_iter()
        .filter_map(|entry| {
            let kind = judge(&tree.join(&entry.path), entry)?;
            Some(Damage { path: entry.path.clone(), kind })
        })
        .collect();
    found.sort();
    found
}
