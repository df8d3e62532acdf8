//! How a call fails: a typed exit code, one line, its causes, and the exact command to try.
//!
//! Every error of an op implements [`Failure`]; errors of the other crates get it here in cli,
//! beside the op that meets them. Nothing matches on texts.

use std::error::Error as StdError;
use std::{fmt, io};

/// How a call ended. The numbers are documented and stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// The request cannot be met: unsatisfiable, verification failed, something was not found.
    Unmet,
    /// The call itself is wrong: flags, names, the text of rocm.toml.
    Usage,
    /// The lock or the environment is out of date.
    Stale,
    /// The network could not be used, or was not allowed.
    Network,
    /// A hash, a signature or a stored file is not what it has to be.
    Integrity,
    /// The host does not fit, or has to be changed or rebooted.
    Host,
    /// The code of the program that was run.
    Child(u8),
}

impl Exit {
    /// The number that the operating system gets.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Unmet => 1,
            Self::Usage => 2,
            Self::Stale => 3,
            Self::Network => 4,
            Self::Integrity => 5,
            Self::Host => 6,
            Self::Child(code) => code,
        }
    }
}

/// An error that knows what it means for the call.
pub trait Failure: StdError + Send + Sync + 'static {
    /// The exit code of the call.
    fn exit(&self) -> Exit;

    /// A stable code that `rocmenv explain` knows.
    fn code(&self) -> Option<&'static str> {
        None
    }

    /// The exact command to try, or what to change; shown last.
    fn help(&self) -> Option<String> {
        None
    }

    /// What `--json` has of it beside its texts.
    fn data(&self) -> Option<serde_json::Value> {
        None
    }
}

/// Any failure of a call. `?` makes it of every [`Failure`].
pub struct Error(Box<dyn Failure>);

impl Error {
    /// The texts of the error and of its causes, outermost first. A cause whose text its parent
    /// already ends with is not repeated.
    pub fn chain(&self) -> Vec<String> {
        let mut texts = vec![self.0.to_string()];
        let mut source = self.0.source();
        while let Some(cause) = source {
            let text = cause.to_string();
            if !texts.last().is_some_and(|parent| parent.ends_with(&text)) {
                texts.push(text);
            }
            source = cause.source();
        }
        texts
    }

    /// The exit code of the call.
    pub fn exit(&self) -> Exit {
        if self.is_of_full_disk() { Exit::Unmet } else { self.0.exit() }
    }

    /// Whether the failure is an `F`.
    pub fn is<F: Failure>(&self) -> bool {
        let failure: &(dyn StdError + 'static) = &*self.0;
        failure.is::<F>()
    }

    /// Its stable code.
    pub fn code(&self) -> Option<&'static str> {
        if self.is_of_full_disk() { Some(DISK_FULL) } else { self.0.code() }
    }

    /// The command to try last: the failure's own, else the page of its code.
    pub fn help(&self) -> Option<String> {
        if self.is_of_full_disk() {
            return Some("rocmenv gc".to_owned());
        }
        let page = || self.0.code().map(|code| format!("rocmenv explain {code}"));
        self.0.help().or_else(page)
    }

    /// What `--json` has of it beside its texts.
    pub fn data(&self) -> Option<serde_json::Value> {
        self.0.data()
    }

    /// The failure itself, if it is of that type.
    pub fn downcast_ref<F: Failure>(&self) -> Option<&F> {
        let failure: &(dyn StdError + 'static) = &*self.0;
        failure.downcast_ref::<F>()
    }

    /// The failure as the cause of another.
    pub fn failure(&self) -> &(dyn StdError + 'static) {
        &*self.0
    }

    /// A disk fills up wherever something is written, and what helps is the same everywhere.
    fn is_of_full_disk(&self) -> bool {
        let mut cause: Option<&(dyn StdError + 'static)> = Some(&*self.0);
        while let Some(error) = cause {
            let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
            if matches!(kind, Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)) {
                return true;
            }
            cause = error.source();
        }
        false
    }
}

impl<F: Failure> From<F> for Error {
    fn from(failure: F) -> Self {
        Self(Box::new(failure))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// Standard output or a file beside it could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the output")]
pub struct OutputError(#[from] io::Error);

impl OutputError {
    /// Whether the reader has gone away, which is no failure: it has seen what it wanted.
    pub fn is_broken_pipe(&self) -> bool {
        self.0.kind() == io::ErrorKind::BrokenPipe
    }
}

impl Failure for OutputError {
    fn exit(&self) -> Exit {
        if self.is_broken_pipe() { Exit::Done } else { Exit::Unmet }
    }
}

/// The code of a full disk.
const DISK_FULL: &str = "disk-full";

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("cannot read `rocm.toml`")]
    struct Outer(#[source] io::Error);

    impl Failure for Outer {
        fn exit(&self) -> Exit {
            Exit::Usage
        }
    }

    #[test]
    fn the_chain_is_the_line_and_its_causes() {
        let error = Error::from(Outer(io::Error::other("no such file")));
        assert_eq!(error.chain(), ["cannot read `rocm.toml`", "no such file"]);
        assert_eq!(error.exit().code(), 2);
        assert_eq!((error.code(), error.help()), (None, None));
    }

    #[test]
    fn a_full_disk_is_one_wherever_it_was_met() {
        let error = Error::from(Outer(io::ErrorKind::StorageFull.into()));
        assert_eq!(error.exit().code(), 1);
        assert_eq!(
            (error.code(), error.help()),
            (Some("disk-full"), Some("rocmenv gc".to_owned()))
        );
    }

    #[test]
    fn a_broken_pipe_is_success() {
        let gone = io::Error::from(io::ErrorKind::BrokenPipe);
        assert_eq!(OutputError(gone).exit(), Exit::Done);
    }
}
