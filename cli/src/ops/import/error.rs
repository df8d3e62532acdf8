//! Why a source cannot be imported.

use std::path::PathBuf;

use crate::error::{Exit, Failure};
use crate::ops::files::FileError;

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
            _ => None,
        }
    }
}
