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
    // What is there may have been written to through another of its names.
    if digest_of(&shared)? != sha256 {
        return replace(&mine, &shared);
    }
    match adopt(&shared, &mine) {
        // The shared inode has no room for one more name: this file becomes the shared one.
        Err(error) if error.kind() == io::ErrorKind::TooManyLinks => replace(&mine, &shared),
        Err(error) => pass_over(error),
        Ok(()) => Ok(()),
    }
}

/// Puts a name of the inode `from` in the place of `to`.
fn adopt(from: &Path, to: &Path) -> io::Result<()> {
    let mut beside = to.as_os_str().to_owned();
    beside.push(BESIDE);
    fs::hard_link(from, &beside)?;
    fs::rename(&beside, to)?;
    // A rename between two names of one inode does nothing and leaves both.
    match fs::remove_file(&beside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn replace(mine: &Path, shared: &Path) -> Result<(), DiskError> {
    match adopt(mine, shared) {
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
const BESIDE: &str = ".rocmenv-shared";
