//! Whether the commands of a rocm.toml may be run: asked once for each project and set of
//! commands, and kept in the user's data folder.
//!
//! A rocm.toml may come from somebody else. `lock`, `sync` and `status` run nothing of it; what
//! does asks here first. Other commands, or the same in another folder, are another question.

use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::digest::Sha256;
use rocmenv_store::fs::{DiskError, replace};

use super::files;
use crate::context::Context;
use crate::error::{Error, OutputError};
use crate::settings::Questions;

/// What is known of a project's commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// The user allowed them, or there are none.
    Allowed,
    /// The user refused them.
    Refused,
    /// Nobody was asked, and nobody can be.
    Undecided,
}

/// What the user said of these commands of the project in `folder`: once, by `--yes` now, or by
/// the answer that `ask` brings from a terminal. A new answer is kept.
///
/// # Errors
/// The answer cannot be read or kept.
pub fn settle(
    context: &Context,
    folder: &Path,
    commands: &[String],
    ask: impl FnOnce() -> std::io::Result<bool>,
) -> Result<Trust, Error> {
    if commands.is_empty() {
        return Ok(Trust::Allowed);
    }
    let path = place(context, folder, commands)?;
    let before = files::read_optional(&path)?;
    let answer = match (context.settings.questions, before.as_deref().map(str::trim)) {
        (_, Some(ALLOWED)) => return Ok(Trust::Allowed),
        (Questions::AssumedYes, _) => true,
        (_, Some(_)) => return Ok(Trust::Refused),
        (Questions::Asked, None) => ask().map_err(OutputError::from)?,
        (Questions::Unanswered, None) => return Ok(Trust::Undecided),
    };
    keep(&path, if answer { ALLOWED } else { REFUSED })?;
    Ok(if answer { Trust::Allowed } else { Trust::Refused })
}

/// What was said of these commands before; nobody is asked.
///
/// # Errors
/// The answer cannot be read.
pub fn known(context: &Context, folder: &Path, commands: &[String]) -> Result<Trust, Error> {
    if commands.is_empty() {
        return Ok(Trust::Allowed);
    }
    let answer = files::read_optional(&place(context, folder, commands)?)?;
    Ok(match answer.as_deref().map(str::trim) {
        Some(ALLOWED) => Trust::Allowed,
        Some(_) => Trust::Refused,
        None => Trust::Undecided,
    })
}

/// Allows these commands, now and later.
///
/// # Errors
/// The answer cannot be kept.
pub fn allow(context: &Context, folder: &Path, commands: &[String]) -> Result<Trust, Error> {
    if !commands.is_empty() {
        keep(&place(context, folder, commands)?, ALLOWED)?;
    }
    Ok(Trust::Allowed)
}

/// Forgets what was said of these commands.
///
/// # Errors
/// The answer cannot be removed.
pub fn forget(context: &Context, folder: &Path, commands: &[String]) -> Result<Trust, Error> {
    match fs::remove_file(place(context, folder, commands)?) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(DiskError::from(error).into());
        }
        _ => {}
    }
    known(context, folder, commands)
}

fn keep(path: &Path, answer: &str) -> Result<(), DiskError> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    replace(path, answer.as_bytes())
}

/// Where the answer is kept.
fn place(context: &Context, folder: &Path, commands: &[String]) -> Result<PathBuf, Error> {
    let real = rocmenv_store::fs::canonical(folder).unwrap_or_else(|_| folder.to_owned());
    let mut key = real.as_os_str().as_encoded_bytes().to_vec();
    for command in commands {
        key.push(0);
        key.extend(command.as_bytes());
    }
    Ok(context.data()?.join("trust").join(Sha256::of(&key).to_string()))
}

const ALLOWED: &str = "allowed";
const REFUSED: &str = "refused";
