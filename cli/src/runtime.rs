//! The async runtime, started only by the commands that reach out or work side by side.

use std::future::Future;

use crate::error::{Exit, Failure};

/// Runs one future to its end.
///
/// # Errors
/// The system gives no threads.
pub fn block_on<F: Future>(future: F) -> Result<F::Output, NoRuntime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    Ok(builder.enable_all().build()?.block_on(future))
}

/// The system gives no threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start working threads")]
pub struct NoRuntime(#[from] std::io::Error);

impl Failure for NoRuntime {
    fn exit(&self) -> Exit {
        Exit::Unmet
    }
}
