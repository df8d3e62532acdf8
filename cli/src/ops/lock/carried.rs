//! A lock that is made of bundles: their rows are all that there is to choose from.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use rocmenv_manifests::lock::Lock;
use rocmenv_store::bundle;
use rocmenv_store::cache::CarriedRow;

use super::NotSolved;
use crate::context::Context;
use crate::error::{Error, Exit, Failure};

/// The rows of all bundles.
///
/// # Errors
/// One is none, is damaged, says another digest of a file than rocm.lock, or has no rows.
pub(super) fn rows(
    context: &Context,
    from: &[PathBuf],
    old: Option<&Lock>,
) -> Result<Vec<CarriedRow>, Error> {
    let mut rows = BTreeMap::new();
    for at in from {
        for row in bundle::read(&context.cwd.join(at))?.rows {
            check(at, &row, old)?;
            rows.insert((row.index.clone(), row.file.clone()), row);
        }
    }
    if rows.is_empty() {
        return Err(CarriedError::NoRows { at: from.first().cloned().unwrap_or_default() }.into());
    }
    Ok(rows.into_values().collect())
}

/// A bundle is vouched for by rocm.lock, which came here another way: what both name is one file.
fn check(at: &std::path::Path, row: &CarriedRow, old: Option<&Lock>) -> Result<(), CarriedError> {
    let packages = old.iter().flat_map(|lock| &lock.packages);
    let own = packages.filter(|package| package.index == row.index && package.name == row.package);
    let mut files = own.flat_map(|package| &package.files).filter(|file| file.name == row.file);
    let other = files.find_map(|file| file.sha256.filter(|locked| *locked != row.sha256));
    match other {
        Some(locked) => Err(CarriedError::OtherFile {
            at: at.to_owned(),
            file: row.file.clone(),
            locked: locked.to_string(),
            found: row.sha256.to_string(),
        }),
        None => Ok(()),
    }
}

/// No lock can be made of a bundle.
#[derive(Debug, thiserror::Error)]
pub(super) enum CarriedError {
    /// It says nothing of any index.
    #[error("the bundle `{}` holds nothing that a lock can choose", at.display())]
    NoRows {
        /// The bundle.
        at: PathBuf,
    },
    /// A file of the lock is another one in the bundle.
    #[error(
        "the bundle `{}` has `{file}` with sha256 {found}, and rocm.lock has it with {locked}",
        at.display()
    )]
    OtherFile {
        /// The bundle.
        at: PathBuf,
        /// The file.
        file: String,
        /// Its digest in rocm.lock.
        locked: String,
        /// Its digest in the bundle.
        found: String,
    },
}

impl Failure for CarriedError {
    fn exit(&self) -> Exit {
        match self {
            Self::NoRows { .. } => Exit::Unmet,
            Self::OtherFile { .. } => Exit::Integrity,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::NoRows { .. } => Some("bundle-incomplete"),
            Self::OtherFile { .. } => Some("bundle-damaged"),
        }
    }

    fn help(&self) -> Option<String> {
        Some(FETCH_AGAIN.to_owned())
    }
}

/// Nothing that bundles hold is what rocm.toml asks for.
#[derive(Debug)]
pub(super) struct NotHeld(NotSolved);

impl NotHeld {
    pub(super) fn new(refused: NotSolved) -> Self {
        Self(refused)
    }
}

impl fmt::Display for NotHeld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "what the bundle holds is not what `rocm.toml` asks for: {}", self.0.refusal)
    }
}

impl std::error::Error for NotHeld {}

impl Failure for NotHeld {
    fn exit(&self) -> Exit {
        Exit::Unmet
    }

    fn code(&self) -> Option<&'static str> {
        Some("bundle-incomplete")
    }

    fn help(&self) -> Option<String> {
        Some(FETCH_AGAIN.to_owned())
    }

    fn data(&self) -> Option<serde_json::Value> {
        Some(self.0.as_json())
    }
}

const FETCH_AGAIN: &str = "rocmenv lock && rocmenv fetch --to DIR (where there is a network)";
