//! Why beside what: a value that remembers where it came from, so that every message can say it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A value and its origin.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it was said.
    pub origin: Origin,
}

impl<T> Sourced<T> {
    /// Couples a value with its origin.
    pub fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }

    /// Keeps the origin and changes the value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Sourced<U> {
        Sourced { value: change(self.value), origin: self.origin }
    }
}

/// Where a value was said.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A line of a file, counted from 1 (`rocm.toml:12`).
    File {
        /// The file's name as the user knows it.
        file: String,
        /// The line, from 1.
        line: usize,
    },
    /// A command-line flag or argument (`--python`).
    Flag(String),
    /// An environment variable.
    Variable(String),
    /// Read from the machine; the text says from where.
    Probed(String),
    /// What rocmenv assumes when nobody says anything.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { file, line } => write!(f, "{file}:{line}"),
            Self::Flag(flag) => f.write_str(flag),
            Self::Variable(name) => write!(f, "${name}"),
            Self::Probed(from) => write!(f, "this host ({from})"),
            Self::Default => f.write_str("default"),
        }
    }
}
