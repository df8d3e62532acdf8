//! Why a bundle cannot be used.

use std::path::{Path, PathBuf};

use super::list::ListFault;
use crate::fs::DiskError;

/// A bundle cannot be used or written.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// Nothing there, or something else.
    #[error("`{}` is no bundle: it has no `bundle.json`", at.display())]
    NotOne {
        /// Where it should be.
        at: PathBuf,
    },
    /// Of another format.
    #[error("the bundle `{}` has format {format}; this rocmenv reads format 2", at.display())]
    Format {
        /// Where it is.
        at: PathBuf,
        /// Its format.
        format: String,
    },
    /// Not every byte is what it was.
    #[error("the bundle `{}` is damaged: {what}", at.display())]
    Damaged {
        /// Where it is.
        at: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The disk failed.
    #[error("a file of the bundle could not be read or written")]
    Disk(#[from] DiskError),
}

impl BundleError {
    pub(super) fn damaged(at: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { at: at.to_owned(), what: what.into() }
    }

    pub(super) fn of_list(at: &Path, fault: ListFault) -> Self {
        match fault {
            ListFault::Format(format) => Self::Format { at: at.to_owned(), format },
            ListFault::Damaged(why) => Self::damaged(at, format!("bundle.json: {why}")),
        }
    }
}

impl From<std::io::Error> for BundleError {
    fn from(error: std::io::Error) -> Self {
        Self::Disk(error.into())
    }
}
