//! `import`: what another tool wrote down or installed becomes lines of rocm.toml, and a lock that
//! has the same versions and files.
//!
//! A reader makes a [`Foreign`] of its source and changes nothing; `write` places its wishes as
//! `add` does; the lock is an ordinary one whose solve prefers the versions that were pinned, and
//! what it holds is compared with the source before it is written.

mod compare;
mod error;
mod foreign;
mod pylock;
mod pyproject;
mod requirements;
mod rocm;
mod rocm_cli;
mod source;
mod uv_lock;
mod venv;
mod write;

use std::path::PathBuf;

use rocmenv_store::report::Reporter;

use super::edit::document::Change;
use super::lock::{self, Inputs, LockOptions, LockOutcome};
use super::{files, registry};
use crate::context::Context;
use crate::error::Error;

pub use compare::Difference;
pub use error::ImportError;
pub use foreign::{Foreign, LeftOut, Pin, Wish};
pub use source::SourceKind;

/// What to import and how.
#[derive(Debug, Clone)]
pub struct ImportOptions {
    /// Where it is, relative to the current folder.
    pub source: PathBuf,
    /// What it is, where that was said.
    pub kind: Option<SourceKind>,
    /// Whether a lock is made where the source pins anything.
    pub lock: bool,
}

/// What came of it.
#[derive(Debug)]
pub struct ImportOutcome {
    /// What the source was taken for.
    pub kind: SourceKind,
    /// Whether rocm.toml is new.
    pub is_new: bool,
    /// The changes of rocm.toml.
    pub changes: Vec<Change>,
    /// rocm.toml as it is, or would be.
    pub text: String,
    /// What did not come along, with the reason.
    pub left_out: Vec<LeftOut>,
    /// Versions that the source pins.
    pub pinned: usize,
    /// The lock, where one was made.
    pub locked: Option<LockOutcome>,
    /// Where the lock could not follow the source.
    pub differences: Vec<Difference>,
    /// Whether rocm.toml was written.
    pub written: bool,
}

/// Imports.
///
/// # Errors
/// The source cannot be read, or no lock can be made of it; rocm.toml is then written all the
/// same, and says what was asked for.
pub async fn import(
    context: &Context,
    options: &ImportOptions,
    reporter: &dyn Reporter,
) -> Result<ImportOutcome, Error> {
    let known = registry::load(context)?;
    let path: PathBuf = context.cwd.join(&options.source).components().collect();
    let kind = source::kind(context, &path, options.kind)?;
    let foreign = source::read(context, &known, &path, kind)?;
    let written = write::into_project(context, &known, &foreign)?;
    let mut outcome = ImportOutcome {
        kind,
        is_new: written.is_new,
        changes: written.changes,
        text: written.text.clone(),
        left_out: written.left_out,
        pinned: foreign.pins.len(),
        locked: None,
        differences: Vec::new(),
        written: false,
    };
    if context.settings.dry_run {
        return Ok(outcome);
    }
    files::make_folder(written.root.folder())?;
    files::replace(&written.root.manifest(), &written.text)?;
    outcome.written = true;
    if !options.lock || foreign.pins.is_empty() {
        return Ok(outcome);
    }
    let mut inner = context.clone();
    inner.settings.project = Some(written.root.folder().to_owned());
    let inputs = Inputs::read(&inner)?;
    let mut locking =
        LockOptions { pins: foreign.versions(), check: true, ..LockOptions::default() };
    let trial = lock::lock(&inner, &inputs, &locking, reporter).await?;
    outcome.differences = compare::differences(&foreign, &trial.lock)?;
    locking.check = false;
    outcome.locked = Some(lock::lock(&inner, &inputs, &locking, reporter).await?);
    Ok(outcome)
}
