//! Modules are compiled while other archives are still fetched and unpacked: neither the network
//! nor one large library leaves a processor idle.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};

use rocmenv_manifests::generation::Interpreter;
use rocmenv_store::environment::{BytecodeError, compile};
use rocmenv_store::object::{InUse, Object};

/// A thread that compiles what it is given.
pub(super) struct Compiling<'scope> {
    unpacked: Sender<Object>,
    thread: ScopedJoinHandle<'scope, Result<Vec<Object>, BytecodeError>>,
}

impl<'scope> Compiling<'scope> {
    /// Starts it. It ends by itself where this is dropped.
    pub(super) fn start<'env>(
        scope: &'scope Scope<'scope, 'env>,
        store: &'env InUse<'env>,
        python: &'env Interpreter,
    ) -> Self {
        let (unpacked, waiting) = channel();
        let thread = scope.spawn(move || compile_all(store, python, &waiting));
        Self { unpacked, thread }
    }

    /// Gives it an object.
    pub(super) fn add(&self, object: &Object) {
        // It takes no more after it has failed, and says why at the end.
        let _ = self.unpacked.send(object.clone());
    }

    /// The bytecode of all that it was given.
    pub(super) fn finish(self) -> Result<Vec<Object>, BytecodeError> {
        drop(self.unpacked);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn compile_all(
    store: &InUse<'_>,
    python: &Interpreter,
    waiting: &Receiver<Object>,
) -> Result<Vec<Object>, BytecodeError> {
    let mut bytecode = Vec::new();
    while let Ok(first) = waiting.recv() {
        // What came meanwhile goes along: an interpreter is started once for all of it.
        let batch: Vec<Object> = std::iter::once(first).chain(waiting.try_iter()).collect();
        bytecode.extend(compile(store, python, &batch)?);
    }
    Ok(bytecode)
}
