//! Reading and replacing a project's files, with errors that name the file.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_store::fs::DiskError;

use crate::error::{Exit, Failure};

/// The text of a file.
///
/// # Errors
/// It cannot be read, or is no UTF-8.
pub fn read(path: &Path) -> Result<String, FileError> {
    fs::read_to_string(path).map_err(|source| FileError::Read { path: path.to_owned(), source })
}

/// The text of a file, `None` where there is none.
///
/// # Errors
/// It is there and cannot be read.
pub fn read_optional(path: &Path) -> Result<Option<String>, FileError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(FileError::Read { path: path.to_owned(), source }),
    }
}

/// Replaces a file as a whole and durably: after a failure or a crash it is the old one still.
///
/// # Errors
/// It cannot be written.
pub fn replace(path: &Path, text: &str) -> Result<(), FileError> {
    replace_bytes(path, text.as_bytes())
}

/// As [`replace`], of bytes.
///
/// # Errors
/// It cannot be written.
pub fn replace_bytes(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let written = rocmenv_store::fs::replace(path, bytes);
    written.map_err(|source| FileError::Write { path: path.to_owned(), source })
}

/// Removes a file, if it is there.
///
/// # Errors
/// It cannot be removed.
pub fn remove(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(FileError::Write { path: path.to_owned(), source: error.into() })
        }
        _ => Ok(()),
    }
}

/// Makes a folder with those around it.
///
/// # Errors
/// It cannot be made.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    let made = fs::create_dir_all(path);
    made.map_err(|source| FileError::Write { path: path.to_owned(), source: source.into() })
}

/// Adds text at the end of a file in one write, so that two who add side by side lose nothing.
///
/// # Errors
/// It cannot be written.
pub fn append(path: &Path, text: &str) -> Result<(), FileError> {
    let added =
        || fs::OpenOptions::new().create(true).append(true).open(path)?.write_all(text.as_bytes());
    added().map_err(|source: io::Error| FileError::Write {
        path: path.to_owned(),
        source: source.into(),
    })
}

/// A file of the user cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Reading failed.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Writing failed; the old content is still there.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: DiskError,
    },
}

impl Failure for FileError {
    fn exit(&self) -> Exit {
        Exit::Unmet
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Read { .. } => "file-not-readable",
            Self::Write { source, .. } => source.code()?,
        })
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Read { .. } => None,
            Self::Write { source, .. } => source.help(),
        }
    }
}
