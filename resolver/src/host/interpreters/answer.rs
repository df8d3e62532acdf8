//! The one question put to an interpreter, and its answer.

use std::path::Path;
use std::time::Duration;

use pep440_rs::Version;

use crate::host::sysroot::Sysroot;

/// Runs an interpreter and gives its own words.
///
/// # Errors
/// Why there are none, as a text for the user.
pub(in crate::host) fn ask(root: &dyn Sysroot, program: &Path) -> Result<String, String> {
    // -E -s -S -B: no variables, no user or site packages, no bytecode written
    let arguments = ["-E", "-s", "-S", "-B", "-c", QUESTION];
    root.run(program, &arguments, LIMIT).map_err(|error| error.to_string())
}

/// What an interpreter says of itself.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::host) struct Answer {
    pub(in crate::host) version: Version,
    pub(in crate::host) implementation: String,
    pub(in crate::host) free_threaded: bool,
    pub(in crate::host) prefix: Option<String>,
}

impl Answer {
    /// Reads an interpreter's words.
    ///
    /// # Errors
    /// They are no answer to the question, as a text for the user.
    pub(in crate::host) fn parse(words: &str) -> Result<Self, String> {
        Self::read(words).ok_or_else(|| "it ran and gave no answer".to_owned())
    }

    fn read(words: &str) -> Option<Self> {
        let mut lines = words.lines();
        (lines.next()? == "rocmenv-interpreter 1").then_some(())?;
        Some(Self {
            version: lines.next()?.parse().ok()?,
            implementation: lines.next()?.to_owned(),
            free_threaded: lines.next()? == "True",
            prefix: lines.next().filter(|prefix| !prefix.is_empty()).map(str::to_owned),
        })
    }
}

/// Runs under Python 2.7 to 3.15 and PyPy, imports nothing but `sys`.
const QUESTION: &str = "\
import sys
v = sys.version_info
level = {'alpha': 'a', 'beta': 'b', 'candidate': 'rc'}.get(v[3], '')
print('rocmenv-interpreter 1')
print('%d.%d.%d%s' % (v[0], v[1], v[2], level and level + str(v[4])))
print(getattr(getattr(sys, 'implementation', None), 'name', 'cpython'))
print('t' in getattr(sys, 'abiflags', ''))
print(getattr(sys, 'base_prefix', sys.prefix))
";

const LIMIT: Duration = Duration::from_secs(5);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_and_noise_is_not() {
        let text = "rocmenv-interpreter 1\n3.14.0rc2\ncpython\nTrue\n/opt/python\n";
        let answer = Answer::parse(text).unwrap();
        assert_eq!(answer.version.to_string(), "3.14.0rc2");
        assert!(answer.free_threaded);
        assert_eq!(answer.prefix.as_deref(), Some("/opt/python"));
        assert_eq!(Answer::read("pyenv: python3: command not found\n"), None);
        assert_eq!(Answer::read(""), None);
    }
}
