//! What interpreters answered before, so that none has to be run twice.

use std::path::Path;

use crate::host::sysroot::Stamp;

/// Remembers the words of interpreters. A file of another size or time is another interpreter.
///
/// A failure is not remembered: it may lie in something else than the file.
pub trait InterpreterMemory {
    /// What the interpreter at `real` (no link) said, if it is still the same file.
    fn recall(&self, real: &Path, stamp: Stamp) -> Option<String>;

    /// Keeps what the interpreter at `real` said.
    fn remember(&self, real: &Path, stamp: Stamp, words: &str);
}

/// A memory that keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoMemory;

impl InterpreterMemory for NoMemory {
    fn recall(&self, _: &Path, _: Stamp) -> Option<String> {
        None
    }

    fn remember(&self, _: &Path, _: Stamp, _: &str) {}
}
