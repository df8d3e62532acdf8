//! `import`: what another tool wrote down or installed becomes lines of rocm.toml, and a lock that
//! has the same versions and files.
//!
//! A reader makes a [`Foreign`] of its source and changes nothing; `write` places its wishes as
//! `add` does; the lock is an ordinary one whose solve prefers the versions that were pinned, and
//! what it holds is compared with the source before it is written. Both files are written or
//! none: rocm.lock first, because what can fail on the way to it may take long, then rocm.toml.

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

use self::write::Written;
use super::edit::document::Change;
use super::lock::{self, Inputs, LockOptions, LockOutcome};
use super::{files, registry};
use crate::context::Context;
use crate::error::Error;

pub use compare::Difference;
pub use error::{ImportError, NotLocked};
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
    /// Whether lines of rocm.toml that say something else may be replaced.
    pub force: bool,
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
/// The source cannot be read, it would replace something of the user's, or no lock can be made of
/// it. Nothing is written then.
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
    if !options.force {
        written.check_replaced(options)?;
    }
    let mut outcome = ImportOutcome {
        kind,
        is_new: written.before.is_none(),
        changes: written.changes.clone(),
        text: written.text.clone(),
        left_out: written.left_out.clone(),
        pinned: foreign.pins.len(),
        locked: None,
        differences: Vec::new(),
        written: false,
    };
    if context.settings.dry_run {
        return Ok(outcome);
    }
    if options.lock && !foreign.pins.is_empty() {
        let locking = Locking { context, written: &written, foreign: &foreign, reporter };
        let (locked, differences) = locking.lock().await?;
        (outcome.locked, outcome.differences) = (Some(locked), differences);
    } else {
        files::make_folder(written.root.folder())?;
        files::replace(&written.root.manifest(), &written.text)?;
    }
    outcome.written = true;
    Ok(outcome)
}

/// Both files, or none.
struct Locking<'a> {
    context: &'a Context,
    written: &'a Written,
    foreign: &'a Foreign,
    reporter: &'a dyn Reporter,
}

impl Locking<'_> {
    async fn lock(&self) -> Result<(LockOutcome, Vec<Difference>), Error> {
        let root = &self.written.root;
        let mut inner = self.context.clone();
        inner.settings.project = Some(root.folder().to_owned());
        let inputs = Inputs::of(&inner, self.written.opened()?)?;
        let mut options =
            LockOptions { pins: self.foreign.versions(), check: true, ..LockOptions::default() };
        let trial = lock::lock(&inner, &inputs, &options, self.reporter).await;
        let trial = trial.map_err(|error| NotLocked::new(error, root))?;
        let differences = compare::differences(self.foreign, &trial.lock)?;
        let before = files::read_optional(&root.lock())?;
        files::make_folder(root.folder())?;
        options.check = false;
        let locked = lock::lock(&inner, &inputs, &options, self.reporter).await;
        let locked = locked.map_err(|error| NotLocked::new(error, root))?;
        if let Err(error) = files::replace(&root.manifest(), &self.written.text) {
            match before {
                Some(text) => files::replace(&root.lock(), &text)?,
                None => files::remove(&root.lock())?,
            }
            return Err(error.into());
        }
        Ok((locked, differences))
    }
}
