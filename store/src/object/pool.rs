//! Shared inodes: large files of equal content and executable bit are one file on the disk,
//! whichever objects they belong to.
//!
//! Small files are never shared: a file system allows only so many links to an inode (65,000 on
//! ext4, 1,024 on NTFS), and empty `__init__.py` would use them up.

use std::io;
use std::path::Path;

use fs_err as fs;

use super::verify::digest_of;
use crate::fs::DiskError;
use crate::layout::StoreLayout;
use crate::unpack::{Entry, Node};

/// Shares the file of `entry` below `tree` with those of other objects, or is the first to offer
/// it. A file system without hard links shares nothing.
pub(super) fn share(store: &StoreLayout, tree: &Path, entry: &Entry) -> Result<(), DiskError> {
    let Node::File { sha256, size, executable } = entry.node else { return Ok(()) };
    if size < SHARED_FROM {
        return Ok(());
    }
    let (mine, shared) = (tree.join(&entry.path), store.file(&sha256, executable));
    match fs::hard_link(&mine, &shared) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return pass_over(error),
    }
    // What is there may have been written to through another of its names, torn by a power cut,
    // or have rotted so that the disk cannot read it.
    if !digest_of(&shared).is_ok_and(|found| found == sha256) {
        return replace(store, &mine, &shared);
    }
    match adopt(store, &shared, &mine) {
        // The shared inode has no room for one more name: this file becomes the shared one.
        Err(error) if error.kind() == io::ErrorKind::TooManyLinks => replace(store, &mine, &shared),
        Err(error) => pass_over(error),
        Ok(()) => Ok(()),
    }
}

/// Puts a name of the inode `from` in the place of `to`. It begins under a name that is nobody
/// else's: two may replace one file at once, and one may have been killed while it did.
fn adopt(store: &StoreLayout, from: &Path, to: &Path) -> io::Result<()> {
    let builder = tempfile::Builder::new();
    let new = builder.make_in(store.staging(), |name| fs::hard_link(from, name))?.into_temp_path();
    let name = new.to_path_buf();
    new.persist(to).map_err(|failed| failed.error)?;
    // A rename between two names of one inode does nothing and leaves both.
    match fs::remove_file(&name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn replace(store: &StoreLayout, mine: &Path, shared: &Path) -> Result<(), DiskError> {
    match adopt(store, mine, shared) {
        Ok(()) => Ok(()),
        Err(error) => pass_over(error),
    }
}

/// Without sharing, an object is as good; only a full or broken disk is a reason to stop.
fn pass_over(error: io::Error) -> Result<(), DiskError> {
    use io::ErrorKind::{CrossesDevices, PermissionDenied, TooManyLinks, Unsupported};
    match error.kind() {
        CrossesDevices | PermissionDenied | TooManyLinks | Unsupported => Ok(()),
        _ => Err(error.into()),
    }
}

/// Bytes from which on sharing is worth a name.
const SHARED_FROM: u64 = 64 * 1024;

#[cfg(test)]
mod tests {
    use rocmenv_manifests::digest::Sha256;

    use super::*;

    #[test]
    fn a_torn_file_is_replaced_by_all_who_find_it_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let (store, tree) = (StoreLayout::new(folder.path()), folder.path().join("tree"));
        for folder in [store.files(), store.staging(), tree.clone()] {
            fs::create_dir_all(folder).unwrap();
        }
        let content = vec![7; 100_000];
        let (sha256, size) = (Sha256::of(&content), 100_000);
        let entries: Vec<Entry> = (0..8)
            .map(|at| Entry {
                path: at.to_string(),
                node: Node::File { sha256, size, executable: false },
            })
            .collect();
        let shared = store.file(&sha256, false);
        fs::write(&shared, "").unwrap();
        for entry in &entries {
            fs::write(tree.join(&entry.path), &content).unwrap();
        }
        std::thread::scope(|scope| {
            for entry in &entries {
                scope.spawn(|| share(&store, &tree, entry).unwrap());
            }
        });
        for entry in &entries {
            assert_eq!(fs::read(tree.join(&entry.path)).unwrap(), content);
        }
        assert_eq!(fs::read(shared).unwrap(), content);
        assert_eq!(fs::read_dir(store.staging()).unwrap().count(), 0);
    }
}
