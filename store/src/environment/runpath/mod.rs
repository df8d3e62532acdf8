//! Libraries of the ROCm prefix that find each other by themselves.
//!
//! A distribution's packages expect the loader's own folders, and AMD's expect `/opt/rocm-X`; a
//! prefix lies in neither. Files that need a library of the prefix and would not find it there are
//! copied once with a search path that leads to it, relative to themselves, so that a program of
//! the prefix runs without any variable. LD_LIBRARY_PATH stays for what is loaded by its bare name
//! and for programs that were built against the prefix.
//!
//! | file | decides or does |
//! |---|---|
//! | `tree` | what lies where in a prefix, links followed |
//! | `decide` | which files need which path |
//! | `rewrite` | the copy of one file |
//!
//! Wheels bring paths that are right where they are installed, and their files are listed with
//! digests; they are left alone.

mod decide;
mod rewrite;
mod tree;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::UNIX_EPOCH;

use fs_err as fs;
use rayon::prelude::*;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::platform::OsFamily;

use self::rewrite::{RewriteError, rewrite};
use super::prefix::is_prefix;
use crate::fs::{DiskError, set_mode};
use crate::layout::ObjectLayout;
use crate::lock_file::LockFile;
use crate::object::{InUse, Manifest, Object, ObjectError, STORE_TIME, digest_of};
use crate::proof::facts_of_each;
use crate::unpack::{Entry, Node};

/// The files of one object that were copied with another search path.
#[derive(Debug, Clone)]
pub struct Rewritten {
    /// The copies, under their paths in the object and with its digest.
    pub object: Object,
    /// What tells these copies from others of the same object.
    pub key: Sha256,
}

/// Paths in an object with the search path that each file gets.
pub(super) type Runpaths<'o> = BTreeMap<&'o str, String>;

/// The copies that the prefix of these objects needs, those made that are not there yet. Only
/// Linux has search paths in files.
pub(super) fn rewritten(
    store: &InUse<'_>,
    objects: &[Object],
    system: OsFamily,
) -> Result<Vec<Rewritten>, ObjectError> {
    let prefix: Vec<&Object> =
        objects.iter().filter(|object| is_prefix(object.manifest.kind)).collect();
    if prefix.is_empty() || system != OsFamily::Linux {
        return Ok(Vec::new());
    }
    let facts = facts_of_each(&prefix);
    let runpaths = decide::runpaths(objects, &prefix, &facts);
    let concerned: Vec<_> =
        prefix.into_iter().zip(runpaths).filter(|(_, paths)| !paths.is_empty()).collect();
    // Each holds the lock of its own object alone, so that none waits for another one's.
    concerned.par_iter().map(|(object, paths)| copies_of(store, object, paths)).collect()
}

fn copies_of(
    store: &InUse<'_>,
    object: &Object,
    runpaths: &Runpaths<'_>,
) -> Result<Rewritten, ObjectError> {
    let digest = object.digest;
    let key = key_of(&digest, runpaths);
    let done = |object| Rewritten { object, key };
    if let Some(found) = store.find_rewritten(&digest, &key)? {
        return Ok(done(found));
    }
    let _lock = LockFile::exclusive(&store.layout().lock_of(&format!("{digest}-{key}")))?;
    // Another process may have made them while this one waited.
    if let Some(found) = store.find_rewritten(&digest, &key)? {
        return Ok(done(found));
    }
    let staging =
        tempfile::Builder::new().tempdir_in(store.layout().staging()).map_err(DiskError::from)?;
    let half = ObjectLayout::at(staging.path().join("object"));
    let written: Vec<Copy> = runpaths
        .par_iter()
        .map(|(path, runpath)| copy(object, path, runpath, &half.tree()))
        .collect::<Result<_, DiskError>>()?;
    let Manifest { kind, name, version, .. } = &*object.manifest;
    let mut manifest = Manifest::new(*kind, name, version, Vec::new());
    for copy in written {
        match copy {
            Copy::Made(entry) => manifest.entries.push(entry),
            Copy::Unfit(note) => manifest.notes.push(note),
        }
    }
    let place = store.layout().rewritten_of(&digest, &key);
    Ok(done(store.finish(&half, &place, manifest, digest)?))
}

enum Copy {
    Made(Entry),
    /// The file stays as it is, and why.
    Unfit(String),
}

fn copy(object: &Object, path: &str, runpath: &str, tree: &Path) -> Result<Copy, DiskError> {
    let executable = object
        .manifest
        .entry(path)
        .is_some_and(|entry| matches!(entry.node, Node::File { executable, .. } if executable));
    let to = tree.join(path);
    fs::create_dir_all(to.parent().unwrap_or(tree))?;
    match rewrite(&object.layout.tree().join(path), &to, runpath) {
        Ok(()) => {}
        Err(RewriteError::Unfit(why)) => return Ok(Copy::Unfit(format!("{path}: {why}"))),
        Err(RewriteError::Disk(error)) => return Err(error),
    }
    let opened = fs::OpenOptions::new().write(true).open(&to)?.into_parts().0;
    opened.set_modified(UNIX_EPOCH + STORE_TIME)?;
    let node = Node::File { sha256: digest_of(&to)?, size: opened.metadata()?.len(), executable };
    set_mode(&to, node.mode())?;
    Ok(Copy::Made(Entry { path: path.to_owned(), node }))
}

/// The same files with the same paths, written by the same code, are the same copies.
fn key_of(digest: &Sha256, runpaths: &Runpaths<'_>) -> Sha256 {
    let mut text = format!("{}\0{digest}\0", rewrite::VERSION);
    for (path, runpath) in runpaths {
        text.extend([path, "\0", runpath, "\0"]);
    }
    Sha256::of(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_tells_objects_files_and_paths_apart() {
        let (one, other) = (Sha256::of(b"1"), Sha256::of(b"2"));
        let paths = |path, runpath: &str| Runpaths::from([(path, runpath.to_owned())]);
        let key = key_of(&one, &paths("lib/a.so", "$ORIGIN"));
        assert_eq!(key, key_of(&one, &paths("lib/a.so", "$ORIGIN")));
        for different in [
            key_of(&other, &paths("lib/a.so", "$ORIGIN")),
            key_of(&one, &paths("lib/b.so", "$ORIGIN")),
            key_of(&one, &paths("lib/a.so", "$ORIGIN/..")),
            key_of(&one, &paths("lib/a.so$ORIGIN", "")),
        ] {
            assert_ne!(key, different);
        }
    }
}
