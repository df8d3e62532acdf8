//! Files that somebody else has open. Windows refuses to rename and remove them; a virus scanner or
//! an indexer that has just seen a new file lets go of it in a moment, a program that runs from it
//! does not. So a refused operation is tried again for a while, and then the file counts as in use.

#![expect(
    clippy::disallowed_methods,
    reason = "what is decided on is the system's number of an error, which fs_err hides"
)]

use std::io;
use std::path::Path;
use std::time::Duration;

/// Whether an operation of this module failed because somebody has the file open. On other systems
/// that is no reason to fail.
pub fn is_in_use(error: &io::Error) -> bool {
    cfg!(windows) && error.kind() == io::ErrorKind::ResourceBusy
}

/// Gives a file or folder another name.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    patiently(|| std::fs::rename(from, to)).map_err(|error| {
        let what = format!("rename file from `{}` to `{}`", from.display(), to.display());
        failed_to(&what, &error)
    })
}

/// Removes a file or a link.
pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    patiently(|| std::fs::remove_file(path))
        .map_err(|error| failed_to(&format!("remove file `{}`", path.display()), &error))
}

/// Removes a folder with everything in it.
pub(crate) fn remove_dir_all(path: &Path) -> io::Result<()> {
    patiently(|| std::fs::remove_dir_all(path))
        .map_err(|error| failed_to(&format!("remove directory `{}`", path.display()), &error))
}

/// Does something to a file, again and again for about a second as long as it is in use. The
/// operation must give the system's own error.
pub(crate) fn patiently<T>(mut operation: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for wait in WAITS {
        match operation() {
            Err(error) if is_refused(&error) => std::thread::sleep(Duration::from_millis(wait)),
            done => return done,
        }
    }
    operation()
}

/// Whether the system says that somebody else has the file.
pub(crate) fn is_refused(error: &io::Error) -> bool {
    cfg!(windows) && error.raw_os_error().is_some_and(|code| REFUSALS.contains(&code))
}

/// The error in the words of fs_err.
pub(crate) fn failed_to(what: &str, error: &io::Error) -> io::Error {
    let kind = if is_refused(error) { io::ErrorKind::ResourceBusy } else { error.kind() };
    io::Error::new(kind, format!("failed to {what}: {error}"))
}

/// `ERROR_ACCESS_DENIED` (a running program, or a file whose removal waits for its last user),
/// `ERROR_SHARING_VIOLATION`, `ERROR_LOCK_VIOLATION`, `ERROR_DIR_NOT_EMPTY` (of a folder whose
/// files were removed and are still open), `ERROR_USER_MAPPED_FILE` ("System Error Codes" of the
/// Windows documentation).
const REFUSALS: [i32; 5] = [5, 32, 33, 145, 1224];

/// Milliseconds between the tries.
const WAITS: [u64; 7] = [10, 20, 40, 80, 160, 320, 500];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_in_use_is_tried_again() {
        let mut tries = 0;
        let mut refused = |code: i32, until: u32| {
            tries = 0;
            let done = patiently(|| {
                tries += 1;
                if tries < until { Err(io::Error::from_raw_os_error(code)) } else { Ok(()) }
            });
            (tries, done.is_ok())
        };
        let patience = if cfg!(windows) { (3, true) } else { (1, false) };
        assert_eq!(refused(32, 3), patience);
        assert_eq!(refused(2, 3), (1, false));
    }

    #[test]
    fn what_is_in_use_is_known_by_its_error() {
        let refused = failed_to("x", &io::Error::from_raw_os_error(32));
        assert_eq!(is_in_use(&refused), cfg!(windows));
        let error = remove_file(Path::new("no such file")).unwrap_err();
        assert_eq!((error.kind(), is_in_use(&error)), (io::ErrorKind::NotFound, false));
        assert!(error.to_string().starts_with("failed to remove file `no such file`: "));
    }
}
