//! The ends and directories of zip archives.

use rocmenv_store::index::archive_members;

pub(crate) fn look(bytes: &[u8]) {
    let _ = archive_members(bytes);
}
