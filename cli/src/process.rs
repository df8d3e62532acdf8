//! The world around one call, as values, so that a test can give another one.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use jiff::Timestamp;

/// What the operating system gives a program when it starts.
pub struct Process {
    /// The arguments, the program's own name first.
    pub args: Vec<OsString>,
    /// The file of this program, beside which the shim program lies.
    pub program: PathBuf,
    /// The environment variables.
    pub env: BTreeMap<OsString, OsString>,
    /// The current folder.
    pub cwd: PathBuf,
    /// When the call began.
    pub now: Timestamp,
    /// Whether a person can answer questions.
    pub stdin_is_terminal: bool,
    /// Whether a person reads the data.
    pub stdout_is_terminal: bool,
    /// Whether a person reads the talk.
    pub stderr_is_terminal: bool,
    /// Where data goes.
    pub stdout: Box<dyn Write + Send>,
    /// Where talk goes.
    pub stderr: Box<dyn Write + Send>,
}
