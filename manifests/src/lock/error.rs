//! Why a rocm.lock cannot be used.

use crate::name::TargetName;
use crate::project::Place;

/// rocm.lock cannot be used as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    /// Cut off, edited by hand, or no lock at all.
    #[error("`rocm.lock` is damaged{}: {problem}", at(*.place))]
    Malformed {
        /// Where, if it has one place.
        place: Option<Place>,
        /// What is wrong there.
        problem: String,
    },
    /// Written by a newer (or a future older) rocmenv.
    #[error(
        "`rocm.lock` has format version {found}; this rocmenv reads version {}",
        super::VERSION
    )]
    OtherVersion {
        /// Its version.
        found: i64,
    },
    /// No `version` key.
    #[error("`rocm.lock` says no format version")]
    NoVersion,
    /// Packages are missing, or were added by hand.
    #[error("`rocm.lock` is damaged: target `{target}` has {found} of its {expected} packages")]
    CutOff {
        /// The target.
        target: TargetName,
        /// How many it should have.
        expected: usize,
        /// How many are there.
        found: usize,
    },
    /// A package belongs to a target that is not there.
    #[error("`rocm.lock` is damaged: `{package}` belongs to target `{target}`, which it lacks")]
    UnknownTarget {
        /// The package.
        package: String,
        /// The target that is missing.
        target: TargetName,
    },
    /// A wheel whose name says another package or version.
    #[error("`rocm.lock` is damaged: `{file}` is no wheel of {package} {version}")]
    OtherWheel {
        /// The package.
        package: String,
        /// Its version.
        version: String,
        /// The file.
        file: String,
    },
}

fn at(place: Option<Place>) -> String {
    place.map_or_else(String::new, |place| {
        format!(" at line {}, column {}", place.line, place.column)
    })
}
