//! What can go wrong with generations.

use std::path::PathBuf;

use crate::environment::EnvironmentError;
use crate::fs::DiskError;

/// A generation could not be made, read or switched to.
#[derive(Debug, thiserror::Error)]
pub enum GenerationError {
    /// There is no such generation.
    #[error("there is no generation {0}")]
    Unknown(u32),
    /// A file of it is not what it should be.
    #[error("`{}` is damaged", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What the decoder said.
        #[source]
        source: Option<serde_json::Error>,
    },
    /// A file of it is gone.
    #[error("`{}` is missing", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// It was written by a newer rocmenv.
    #[error("`{}` has format {format}, and only format {} is known", path.display(), super::read::FORMAT)]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: u32,
    },
    /// Its environment could not be built.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl GenerationError {
    /// Whether what was to be read is not there any more as it was written: nobody can use it, and
    /// a new generation can take its place.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::Missing { .. })
    }
}
