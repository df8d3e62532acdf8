//! What is kept of an upgrade that is under way: one small file, replaced as a whole, so that a
//! reboot, a kill or a power cut leaves it as it was before or after a step.
//!
//! ```text
//! PROJECT/.rocmenv/upgrade.json                      this file; gone once the upgrade has ended
//! PROJECT/.rocmenv/TARGET/before-upgrade/TIME/begin/ rocm.toml and rocm.lock as they were
//!                                             N/     the same before stage N
//!                                             evidence-N.json  why stage N was taken back
//! ```

use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_manifests::upgrade::{Stage, UpgradePlan};
use rocmenv_store::fs::{DiskError, flush_folder, remove_tree};
use rocmenv_store::layout::PROJECT_FOLDER;
use serde::{Deserialize, Serialize};

use super::driver_files::KeptDriver;
use crate::error::{Error, Exit, Failure};
use crate::ops::files;
use crate::project_root::ProjectRoot;

/// An upgrade that is under way.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Journal {
    /// The format of this file.
    pub format: u32,
    /// When it was begun (RFC 3339, UTC).
    pub started: String,
    /// The target.
    pub target: TargetName,
    /// The environment.
    pub env: EnvName,
    /// The plan, as it was shown.
    pub plan: UpgradePlan,
    /// How many stages are done.
    pub done: usize,
    /// Where the next one stands.
    pub phase: Phase,
    /// The generation that was current when it began.
    pub began_at: Option<u32>,
    /// Whether that generation is pinned for as long as this lasts.
    pub pinned: bool,
    /// Where copies of the project's files are kept.
    pub copies: PathBuf,
    /// Driver packages that lie in the store.
    pub drivers: Vec<KeptDriver>,
}

/// Where the next stage stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// It was not begun.
    Ready,
    /// rocm.toml, rocm.lock and the environment may be half changed.
    Changing {
        /// The generation that was current before.
        before: Option<u32>,
    },
    /// The user changes the host.
    Waiting,
    /// Its verification failed, and it was taken back.
    TakenBack {
        /// What was found, for a person or a report.
        evidence: PathBuf,
    },
}

impl Journal {
    /// The upgrade of a project that is under way, if one is.
    ///
    /// # Errors
    /// The file is damaged, or of a later rocmenv.
    pub fn read(root: &ProjectRoot) -> Result<Option<Self>, Error> {
        let path = place(root);
        let Some(text) = files::read_optional(&path)? else { return Ok(None) };
        let damaged = |source| JournalError::Damaged { path: path.clone(), source };
        let format: Format = serde_json::from_str(&text).map_err(damaged)?;
        if format.format > FORMAT {
            return Err(JournalError::Newer { path, format: format.format }.into());
        }
        let damaged = |source| JournalError::Damaged { path: place(root), source };
        let mut journal: Self = serde_json::from_str(&text).map_err(damaged)?;
        journal.copies = root.folder().join(&journal.copies);
        Ok(Some(journal))
    }

    /// Keeps it, durably.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, root: &ProjectRoot) -> Result<(), Error> {
        let path = place(root);
        fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(DiskError::from)?;
        // A project that was moved finds its copies all the same.
        let copies = self.copies.strip_prefix(root.folder()).unwrap_or(&self.copies).to_owned();
        let text = serde_json::to_string_pretty(&Self { copies, ..self.clone() })
            .map_err(std::io::Error::from);
        Ok(files::replace(&path, &text.map_err(DiskError::from)?)?)
    }

    /// The upgrade has ended; copies of the project's files stay. Durably: after a power cut it
    /// would be under way again, and `--abort` would undo what was said to be done.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn remove(root: &ProjectRoot) -> Result<(), Error> {
        let path = place(root);
        remove_tree(&path)?;
        Ok(flush_folder(&path)?)
    }

    /// The stage that is next, if one is left.
    pub fn next(&self) -> Option<&Stage> {
        self.plan.stages.get(self.done)
    }

    /// The stages after the next one that need no reboot of their own beside its.
    pub fn sharing_reboot(&self) -> Vec<Stage> {
        let after = self.plan.stages.iter().skip(self.done + 1);
        after.take_while(|stage| stage.shares_reboot()).cloned().collect()
    }

    /// The folder of the copies that were made before a stage.
    pub fn copies_of(&self, stage: u32) -> PathBuf {
        self.copies.join(stage.to_string())
    }

    /// The folder of the copies that were made before the first stage.
    pub fn first_copies(&self) -> PathBuf {
        self.copies.join("begin")
    }
}

/// Copies rocm.toml and rocm.lock, durably; a file that is not there is not copied.
///
/// # Errors
/// They cannot be read or written.
pub(super) fn copy_files(root: &ProjectRoot, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(DiskError::from)?;
    for file in [root.manifest(), root.lock()] {
        if let Some(text) = files::read_optional(&file)? {
            files::replace(&to.join(file.file_name().unwrap_or_default()), &text)?;
        }
    }
    Ok(())
}

/// Puts rocm.toml and rocm.lock back as they were copied; what has not changed is left alone.
///
/// # Errors
/// They cannot be read or written.
pub(super) fn restore_files(root: &ProjectRoot, from: &Path) -> Result<(), Error> {
    for (file, must_be_there) in [(root.manifest(), true), (root.lock(), false)] {
        let copy = from.join(file.file_name().unwrap_or_default());
        let copy =
            if must_be_there { Some(files::read(&copy)?) } else { files::read_optional(&copy)? };
        if let Some(text) = copy
            && files::read_optional(&file)?.as_deref() != Some(text.as_str())
        {
            files::replace(&file, &text)?;
        }
    }
    Ok(())
}

fn place(root: &ProjectRoot) -> PathBuf {
    root.folder().join(PROJECT_FOLDER).join("upgrade.json")
}

#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// What is kept of an upgrade cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It is no journal.
    #[error("`{}` is damaged", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// It was written by a later rocmenv.
    #[error("`{}` has format {format}, and only format {FORMAT} is known", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: u32,
    },
}

impl Failure for JournalError {
    fn exit(&self) -> Exit {
        Exit::Integrity
    }

    fn code(&self) -> Option<&'static str> {
        Some("upgrade-damaged")
    }

    fn help(&self) -> Option<String> {
        let (Self::Damaged { path, .. } | Self::Newer { path, .. }) = self;
        let copies = "the copies in `.rocmenv/*/before-upgrade` are whole";
        Some(format!("remove `{}`; {copies}", path.display()))
    }
}

/// The format that this version writes.
pub(super) const FORMAT: u32 = 1;
