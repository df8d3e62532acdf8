//! The one question put to an interpreter, and its answer.

use pep440_rs::Version;

/// Runs under Python 2.7 to 3.15 and PyPy, imports nothing but `sys`.
pub(super) const QUESTION: &str = "\
import sys
v = sys.version_info
level = {'alpha': 'a', 'beta': 'b', 'candidate': 'rc'}.get(v[3], '')
print('rocmenv-interpreter 1')
print('%d.%d.%d%s' % (v[0], v[1], v[2], level and level + str(v[4])))
print(getattr(getattr(sys, 'implementation', None), 'name', 'cpython'))
print('t' in getattr(sys, 'abiflags', ''))
print(getattr(sys, 'base_prefix', sys.prefix))
";

/// What an interpreter says of itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) version: Version,
    pub(super) implementation: String,
    pub(super) free_threaded: bool,
    pub(super) prefix: Option<String>,
}

impl Answer {
    /// `None` for output that is no answer to the question.
    pub(super) fn parse(output: &str) -> Option<Self> {
        let mut lines = output.lines();
        (lines.next()? == "rocmenv-interpreter 1").then_some(())?;
        Some(Self {
            version: lines.next()?.parse().ok()?,
            implementation: lines.next()?.to_owned(),
            free_threaded: lines.next()? == "True",
            prefix: lines.next().filter(|prefix| !prefix.is_empty()).map(str::to_owned),
        })
    }
}

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
        assert_eq!(Answer::parse("pyenv: python3: command not found\n"), None);
        assert_eq!(Answer::parse(""), None);
    }
}
