//! Files that somebody else has open. Windows refuses to rename and remove them; a virus scanner or
//! an indexer that has just seen a new file lets go of it in a moment, a program that runs from it
//! does not. So a refused operation is tried again for a while, and then the file counts as in use.

use std::io;
use std::time::Duration;

/// Whether an operation failed because somebody has the file open. On other systems that is no
/// reason to fail.
pub fn is_in_use(error: &io::Error) -> bool {
    cfg!(windows) && code(error).is_some_and(|code| REFUSALS.contains(&code))
}

/// The system's number of an error, also of one that was given the path it happened at.
fn code(error: &io::Error) -> Option<i32> {
    let cause = || error.get_ref()?.source()?.downcast_ref::<io::Error>()?.raw_os_error();
    error.raw_os_error().or_else(cause)
}

/// Does something to a file, again and again for about a second as long as it is in use.
pub(crate) fn patiently<T>(mut operation: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for wait in WAITS {
        match operation() {
            Err(error) if is_in_use(&error) => std::thread::sleep(Duration::from_millis(wait)),
            done => return done,
        }
    }
    operation()
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
    fn the_number_of_an_error_is_found_under_its_path() {
        let error = fs_err::File::open("no such file").unwrap_err();
        assert_eq!(code(&error), Some(2));
    }
}
