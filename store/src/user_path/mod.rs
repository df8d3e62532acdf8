//! The user's own search path, as Windows keeps it for every program that is started later: one
//! value of the registry, `Path` under `HKEY_CURRENT_USER\Environment`. No administrator's right
//! is needed, and the machine's own part of the path is another value that nobody touches here.
//!
//! `list` says what the value becomes; `registry` reads and writes it, `broadcast` tells running
//! programs. Other systems have no such place: their shells read files that belong to people.

#[cfg(windows)]
mod broadcast;
mod list;
#[cfg(windows)]
mod registry;

use std::io;
use std::path::{Path, PathBuf};

/// What came of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserPathChange {
    /// It was so already.
    Unchanged,
    /// It was changed, and running programs were told.
    Told,
    /// It was changed; nobody could be told, so that it holds after the next sign-in.
    NotTold,
}

/// The user's search path cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum UserPathError {
    /// This system has none.
    #[error("this system keeps no search path of a user")]
    NoSuchPlace,
    /// The folder cannot be one of a search path.
    #[error("`{}` cannot be on a search path: its name has a semicolon or is no text", .0.display())]
    Folder(PathBuf),
    /// The value is of a kind that is no text, and is left as it is.
    #[error("`Path` under `HKEY_CURRENT_USER\\Environment` is no text, and was left as it is")]
    NotText,
    /// Others change the value all the time; it was left as it is.
    #[error("`Path` under `HKEY_CURRENT_USER\\Environment` is being changed by another program")]
    Busy,
    /// The registry does not allow it.
    #[error("cannot change `Path` under `HKEY_CURRENT_USER\\Environment`")]
    Registry(#[source] io::Error),
}

/// Puts a folder first on the user's search path.
///
/// # Errors
/// See [`UserPathError`]; nothing has changed then.
pub fn add(folder: &Path) -> Result<UserPathChange, UserPathError> {
    change(folder, list::with)
}

/// Takes a folder off the user's search path, wherever it stands.
///
/// # Errors
/// See [`UserPathError`]; nothing has changed then.
pub fn remove(folder: &Path) -> Result<UserPathChange, UserPathError> {
    change(folder, list::without)
}

/// What a value becomes; `None` where it is so already.
type Edit = fn(value: &str, folder: &str) -> Option<String>;

#[cfg(windows)]
fn change(folder: &Path, edit: Edit) -> Result<UserPathChange, UserPathError> {
    let text = folder.to_str().filter(|text| !text.contains(';'));
    let text = text.ok_or_else(|| UserPathError::Folder(folder.to_owned()))?;
    if !registry::change(|value| edit(value, text))? {
        return Ok(UserPathChange::Unchanged);
    }
    Ok(if broadcast::environment_changed() {
        UserPathChange::Told
    } else {
        UserPathChange::NotTold
    })
}

#[cfg(not(windows))]
fn change(_: &Path, _: Edit) -> Result<UserPathChange, UserPathError> {
    Err(UserPathError::NoSuchPlace)
}
