//! Python interpreters.

use pep440_rs::Version;
use serde::{Deserialize, Serialize};

/// One interpreter that ran and answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Interpreter {
    /// The path by which it was found.
    pub path: String,
    /// Where that leads once links are followed.
    pub real_path: String,
    /// Full version in PEP 440 form (`3.12.1`, `3.15.0b2`).
    pub version: Version,
    /// `cpython`, `pypy` ... (`sys.implementation.name`).
    pub implementation: String,
    /// `sys.prefix`, without regard to any virtual environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// Whether the global lock is built out (PEP 703), tag `cp313t`.
    #[serde(default)]
    pub free_threaded: bool,
    /// The base's folder when this is the interpreter of a virtual environment (PEP 405).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub virtual_environment_of: Option<String>,
    /// How it was found.
    pub origin: InterpreterOrigin,
}

/// How an interpreter was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InterpreterOrigin {
    /// On the search path.
    Path,
    /// A version that pyenv built.
    Pyenv,
    /// The distribution's own, in `/usr/bin`.
    Distribution,
    /// Registered for the launcher of Windows (PEP 514).
    Launcher,
    /// Given instead of found.
    Given,
}
