//! The answers that a run has already given: they stay the same until it ends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rocmenv_manifests::catalog::{Answer, PythonPage};
use rocmenv_manifests::debian::DebIndex;
use rocmenv_manifests::name::{IndexName, PackageName};
use rocmenv_manifests::python::CoreMetadata;

/// Answers by question.
#[derive(Default)]
pub(super) struct Answers {
    pub(super) pages: Table<(IndexName, PackageName), PythonPage>,
    pub(super) metadata: Table<(IndexName, String), CoreMetadata>,
    pub(super) debs: Table<IndexName, DebIndex>,
}

/// The answers of one kind.
pub(super) struct Table<K, T>(Mutex<HashMap<K, Answer<Arc<T>>>>);

impl<K, T> Default for Table<K, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: std::hash::Hash + Eq, T> Table<K, T> {
    /// The answer, found by `find` where none was given yet. Finding runs outside the lock; two
    /// that find the same at once find the same.
    pub(super) fn answer(&self, key: K, find: impl FnOnce() -> Answer<Arc<T>>) -> Answer<Arc<T>> {
        if let Some(answer) = self.lock().get(&key) {
            return answer.clone();
        }
        let found = find();
        self.lock().entry(key).or_insert(found).clone()
    }

    /// Gives the answer for the rest of the run.
    pub(super) fn set(&self, key: K, answer: Answer<Arc<T>>) {
        self.lock().insert(key, answer);
    }

    /// Forgets the answer: the next one is found anew, in what was fetched.
    pub(super) fn forget(&self, key: &K) {
        self.lock().remove(key);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<K, Answer<Arc<T>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
