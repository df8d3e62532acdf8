//! Questions whose answer was found to be what the lock holds already, so that they need not be
//! solved again as long as every page that the answer came from may be used unasked.
//!
//! One small file a project. What the question is made of is the caller's; here it is a digest.
//! A file that is missing, damaged or of another question means: solve.

use std::path::{Path, PathBuf};

use rocmenv_manifests::digest::Sha256;
use serde::{Deserialize, Serialize};

use super::entry;
use super::freshness::Refresh;

/// The place of one project's last question.
#[derive(Debug)]
pub struct Settled {
    place: PathBuf,
}

/// A question, and until when its answer holds.
#[derive(Debug, Serialize, Deserialize)]
struct Known {
    question: [u8; 32],
    good_until: i64,
}

impl Settled {
    /// The place in a cache folder for `project`, which is anything that tells projects apart.
    pub fn of(cache: &Path, project: &[u8]) -> Self {
        Self { place: cache.join("settled").join(Sha256::of(project).to_string()) }
    }

    /// Whether this very question was settled, and a solve at `now` would read the same pages.
    pub fn knows(&self, question: &Sha256, refresh: &Refresh, now: i64) -> bool {
        let bytes = entry::read(&self.place);
        let known = bytes.and_then(|bytes| postcard::from_bytes::<Known>(&bytes).ok());
        known.is_some_and(|known| {
            known.question == *question.as_bytes()
                && match refresh {
                    Refresh::Never => true,
                    Refresh::WhenOld => now <= known.good_until,
                    Refresh::All | Refresh::Packages(_) => false,
                }
        })
    }

    /// Keeps it. A cache that cannot be written costs a solve the next time, nothing more.
    pub fn keep(&self, question: &Sha256, good_until: i64) {
        let known = Known { question: *question.as_bytes(), good_until };
        if let Ok(bytes) = postcard::to_stdvec(&known) {
            let _ = entry::write(&self.place, &bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_settled_as_long_as_its_pages_are_fresh() {
        let cache = tempfile::tempdir().unwrap();
        let (question, other) = (Sha256::of(b"a"), Sha256::of(b"b"));
        let settled = Settled::of(cache.path(), b"/project");
        assert!(!settled.knows(&question, &Refresh::Never, 0));
        settled.keep(&question, 100);
        assert!(settled.knows(&question, &Refresh::WhenOld, 100));
        assert!(!settled.knows(&question, &Refresh::WhenOld, 101));
        assert!(settled.knows(&question, &Refresh::Never, 101));
        assert!(!settled.knows(&question, &Refresh::All, 1));
        assert!(!settled.knows(&other, &Refresh::Never, 1));
        assert!(!Settled::of(cache.path(), b"/other").knows(&question, &Refresh::Never, 1));
        settled.keep(&other, 100);
        assert!(!settled.knows(&question, &Refresh::Never, 1));
    }
}
