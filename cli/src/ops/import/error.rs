//! Why a source cannot be imported.

use std::error::Error as StdError;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Exit, Failure};
use crate::ops::files::FileError;
use crate::project_root::ProjectRoot;

/// Nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// There is nothing.
    #[error("`{}` is not there", path.display())]
    NotThere {
        /// The path.
        path: PathBuf,
    },
    /// Its name and content do not say what it is.
    #[error("`{}` is nothing that can be imported", path.display())]
    UnknownKind {
        /// The path.
        path: PathBuf,
    },
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file is not in its format.
    #[error("this is {what} in name only: {problem}")]
    Malformed {
        /// What it should be.
        what: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// The locked file is another one than the source names.
    #[error(
        "{name} {version}: the index has `{file}` with sha256 {found}, which the source does not name"
    )]
    OtherFile {
        /// The package.
        name: String,
        /// Its version.
        version: String,
        /// The file.
        file: String,
        /// Its digest.
        found: String,
    },
    /// A line of rocm.toml says something else.
    #[error("`rocm.toml` has {name} = {from} in [{table}], and the source asks for {to}")]
    Replaces {
        /// The table.
        table: String,
        /// The key.
        name: String,
        /// What it holds.
        from: String,
        /// What it would hold.
        to: String,
        /// The source, as named.
        source_path: Box<Path>,
    },
    /// There is a lock without a rocm.toml.
    #[error("`{}` is there already, without a `rocm.toml`", path.display())]
    LockInTheWay {
        /// The lock.
        path: PathBuf,
        /// The source, as named.
        source_path: Box<Path>,
    },
    /// rocm.toml cannot be written so.
    #[error("this makes no valid `rocm.toml`")]
    Invalid(#[source] rocmenv_manifests::project::ProjectError),
    /// rocm.toml cannot be edited.
    #[error("`rocm.toml` cannot be edited")]
    NotEditable,
}

impl Failure for ImportError {
    fn exit(&self) -> Exit {
        match self {
            Self::NotThere { .. } => Exit::Unmet,
            Self::File(inner) => inner.exit(),
            Self::OtherFile { .. } => Exit::Integrity,
            _ => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::File(inner) => inner.code(),
            Self::OtherFile { .. } => Some("hash-mismatch"),
            Self::Invalid(_) | Self::NotEditable => Some("manifest-invalid"),
            Self::Replaces { .. } | Self::LockInTheWay { .. } => Some("import-replaces"),
            Self::NotThere { .. } | Self::UnknownKind { .. } | Self::Malformed { .. } => {
                Some("import-source")
            }
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::UnknownKind { path } => {
                Some(format!("rocmenv import --from requirements {}", path.display()))
            }
            Self::OtherFile { .. } => Some(
                "name the Python that the hashes are for (rocmenv add python@3.12), and import again"
                    .to_owned(),
            ),
            Self::Replaces { source_path, .. } | Self::LockInTheWay { source_path, .. } => {
                Some(format!("rocmenv import --force {}", source_path.display()))
            }
            _ => None,
        }
    }
}

/// No lock could be made of the source, so that nothing was written. What it means for the call is
/// the lock's failure.
#[derive(Debug)]
pub struct NotLocked {
    inner: Error,
    is_new: bool,
}

impl NotLocked {
    /// Of the failure of a lock for a project.
    pub(super) fn new(inner: Error, root: &ProjectRoot) -> Self {
        Self { inner, is_new: !root.manifest().exists() }
    }
}

impl fmt::Display for NotLocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = if self.is_new { "no file was written" } else { "`rocm.toml` is as it was" };
        write!(f, "no lock can be made of the source; {kept}")
    }
}

impl StdError for NotLocked {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(self.inner.failure())
    }
}

impl Failure for NotLocked {
    fn exit(&self) -> Exit {
        self.inner.exit()
    }

    fn code(&self) -> Option<&'static str> {
        self.inner.code()
    }

    fn help(&self) -> Option<String> {
        Some(
            "`rocmenv import --no-lock SOURCE` writes rocm.toml alone; then rocmenv lock"
                .to_owned(),
        )
    }

    fn data(&self) -> Option<serde_json::Value> {
        self.inner.data()
    }
}
