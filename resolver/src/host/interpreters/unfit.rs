//! Why an interpreter is not the one that an environment can be built on.

use std::fmt;
use std::path::PathBuf;

use pep440_rs::Version;
use rocmenv_manifests::version::Dotted;

/// A candidate that was passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookedAt {
    /// The path by which it was found.
    pub path: PathBuf,
    /// Why it does not fit.
    pub why: Unfit,
}

impl fmt::Display for LookedAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.path.display(), self.why)
    }
}

/// Why a candidate does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// Its name or folder says so, thus it was not run.
    Named(Dotted),
    /// It is of another series.
    Series(Version),
    /// It is of the series, and older than the lock was made for.
    TooOld {
        /// What it is.
        version: Version,
        /// What it must be at least.
        minimum: Dotted,
    },
    /// Not CPython, whose wheels are locked.
    Implementation(String),
    /// Built without the global lock (PEP 703): the wheels of the lock are not for it.
    FreeThreaded,
    /// The interpreter of a virtual environment whose base is gone.
    BaseGone(String),
    /// It could not be asked.
    Silent(String),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(series) => write!(f, "is Python {series} by its name"),
            Self::Series(version) => write!(f, "is Python {version}"),
            Self::TooOld { version, minimum } => {
                write!(f, "is Python {version}, older than {minimum}")
            }
            Self::Implementation(name) => write!(f, "is {name}, not CPython"),
            Self::FreeThreaded => f.write_str("is free-threaded, and the locked wheels are not"),
            Self::BaseGone(home) => {
                write!(f, "is of a virtual environment, and `{home}` has no interpreter any more")
            }
            Self::Silent(why) => write!(f, "does not work: {why}"),
        }
    }
}
