//! What can be wrong with a wheel.

use crate::fs::DiskError;

/// A wheel breaks the specification.
#[derive(Debug, thiserror::Error)]
pub enum WheelError {
    /// No `*.dist-info` folder, or more than one.
    #[error("it has {0} `.dist-info` folders instead of one")]
    DistInfo(usize),
    /// A file that every wheel has.
    #[error("it has no `{0}`")]
    Missing(String),
    /// Not text, or not in the format that it should have.
    #[error("its `{file}` cannot be read: {what}")]
    Unreadable {
        /// The file.
        file: String,
        /// What is wrong.
        what: String,
    },
    /// A major version of the format that is not known.
    #[error("its format is version {0}, and only version 1 is known")]
    Format(String),
    /// RECORD says another digest or size.
    #[error("`{path}` is not the file that RECORD says: {what}")]
    Record {
        /// The file.
        path: String,
        /// The difference.
        what: String,
    },
    /// RECORD uses a digest that PEP 427 rules out, or an unknown one.
    #[error("RECORD gives a `{algorithm}` digest of `{path}`, which proves nothing")]
    Algorithm {
        /// The file.
        path: String,
        /// The algorithm.
        algorithm: String,
    },
    /// A data folder with a name that no scheme has.
    #[error("`{0}` belongs to no installation scheme")]
    Scheme(String),
    /// A script that cannot be made on Windows.
    #[error("its script `{0}` has a name that Windows cannot hold")]
    WindowsName(String),
    /// Its files could not be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
}
