//! The cache's memory of interpreters, as the search wants it.

use std::path::Path;

use rocmenv_resolver::host::interpreters::InterpreterMemory;
use rocmenv_resolver::host::sysroot::Stamp;
use rocmenv_store::cache::InterpreterWords;

use crate::context::Context;

/// What interpreters said; nothing, where there is no place for a cache.
pub(super) struct Memory(Option<InterpreterWords>);

impl Memory {
    pub(super) fn of(context: &Context) -> Self {
        Self(context.cache().ok().map(|cache| InterpreterWords::open(&cache)))
    }
}

impl InterpreterMemory for Memory {
    fn recall(&self, real: &Path, stamp: Stamp) -> Option<String> {
        self.0.as_ref()?.recall(real, stamp.size, stamp.modified)
    }

    fn remember(&self, real: &Path, stamp: Stamp, words: &str) {
        if let Some(cache) = &self.0 {
            cache.remember(real, stamp.size, stamp.modified, words);
        }
    }
}
