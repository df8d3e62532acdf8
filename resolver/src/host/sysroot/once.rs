//! What slow programs answered in this call, so that none is run twice for the same facts.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Answers by program, failures among them: what did not answer once is not waited for again.
#[derive(Debug, Clone, Default)]
pub struct Answers(Arc<Mutex<BTreeMap<PathBuf, Answer>>>);

/// The words, or kind and text of the error.
type Answer = Result<String, (io::ErrorKind, String)>;

impl Answers {
    /// The answer of a program, which is run where it has none yet. Who asks meanwhile waits.
    pub(super) fn of(
        &self,
        program: &Path,
        run: impl FnOnce() -> io::Result<String>,
    ) -> io::Result<String> {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = answers
            .entry(program.to_owned())
            .or_insert_with(|| run().map_err(|error| (error.kind(), error.to_string())));
        answer.clone().map_err(|(kind, text)| io::Error::new(kind, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_run_once_also_where_it_fails() {
        let answers = Answers::default();
        let mut runs = 0;
        for _ in 0..2 {
            let late = answers.of(Path::new("/late"), || {
                runs += 1;
                Err(io::Error::new(io::ErrorKind::TimedOut, "no answer"))
            });
            assert_eq!(late.unwrap_err().kind(), io::ErrorKind::TimedOut);
        }
        assert_eq!(runs, 1);
        let other = answers.clone().of(Path::new("/other"), || Ok("words".to_owned()));
        assert_eq!(other.unwrap(), "words");
        assert_eq!(answers.of(Path::new("/other"), || Ok(String::new())).unwrap(), "words");
    }
}
