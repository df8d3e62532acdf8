//! What interpreters said of themselves: one small file, so that a sync that has nothing to do
//! runs none of them.
//!
//! A damaged file is an empty one, and a cache that cannot be written costs a run of a program
//! the next time, nothing more.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::entry;

/// The words of interpreters, by file.
#[derive(Debug)]
pub struct InterpreterWords {
    place: PathBuf,
    known: Mutex<BTreeMap<String, Said>>,
}

/// What the file of one interpreter was, and what it said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Said {
    size: u64,
    modified: u64,
    words: String,
}

impl InterpreterWords {
    /// What is kept in a cache folder.
    pub fn open(cache: &Path) -> Self {
        let place = cache.join("interpreters");
        let known = entry::read(&place).and_then(|bytes| postcard::from_bytes(&bytes).ok());
        Self { place, known: Mutex::new(known.unwrap_or_default()) }
    }

    /// What the interpreter said whose file is this one: `real` is no link, `modified` counts
    /// nanoseconds since 1970 UTC.
    pub fn recall(&self, real: &Path, size: u64, modified: u64) -> Option<String> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let said = known.get(real.to_str()?)?;
        (said.size == size && said.modified == modified).then(|| said.words.clone())
    }

    /// Keeps what an interpreter said, in place of what another file at that path did.
    pub fn remember(&self, real: &Path, size: u64, modified: u64, words: &str) {
        let Some(path) = real.to_str() else { return };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            // what is of use is soon learned again
            known.clear();
        }
        known.insert(path.to_owned(), Said { size, modified, words: words.to_owned() });
        if let Ok(bytes) = postcard::to_stdvec(&*known) {
            let _ = entry::write(&self.place, &bytes);
        }
    }
}

/// Far more interpreters than one host has.
const MOST: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_for_the_very_file_and_damage_is_forgotten() {
        let cache = tempfile::tempdir().unwrap();
        let path = Path::new("/usr/bin/python3.12");
        let words = InterpreterWords::open(cache.path());
        words.remember(path, 7, 100, "3.12.1");
        words.remember(Path::new("/usr/bin/python3.11"), 7, 100, "3.11.2");
        let again = InterpreterWords::open(cache.path());
        assert_eq!(again.recall(path, 7, 100).as_deref(), Some("3.12.1"));
        assert_eq!(again.recall(path, 8, 100), None);
        assert_eq!(again.recall(path, 7, 101), None);
        again.remember(path, 8, 200, "3.12.2");
        let again = InterpreterWords::open(cache.path());
        assert_eq!(again.recall(path, 8, 200).as_deref(), Some("3.12.2"));
        assert_eq!(again.recall(path, 7, 100), None);
        let file = cache.path().join("interpreters");
        let whole = fs_err::read(&file).unwrap();
        fs_err::write(&file, &whole[..whole.len() / 2]).unwrap();
        let again = InterpreterWords::open(cache.path());
        assert_eq!(again.recall(path, 8, 200), None);
        again.remember(path, 8, 200, "3.12.2");
        assert!(InterpreterWords::open(cache.path()).recall(path, 8, 200).is_some());
    }

    #[test]
    fn a_cache_that_cannot_be_written_remembers_for_the_run() {
        let cache = tempfile::tempdir().unwrap();
        fs_err::write(cache.path().join("file"), "").unwrap();
        let words = InterpreterWords::open(&cache.path().join("file"));
        words.remember(Path::new("/usr/bin/python3"), 1, 1, "3.12.1");
        assert!(words.recall(Path::new("/usr/bin/python3"), 1, 1).is_some());
    }
}
