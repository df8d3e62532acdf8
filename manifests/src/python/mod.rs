//! The words of Python packaging: versions, specifiers, requirements, markers, tags, metadata.
//!
//! Built on `pep440_rs` for versions and on `pep508_rs` for normalised names. Three things are
//! our own, because the conformance tables of pypa/packaging show these libraries to differ:
//! how a specifier matches (`specifier`), requirement strings and markers (`requirement`,
//! `marker`); each module says what was wrong. Nothing here reads a machine or an index.

pub use pep440_rs::Version;
pub use pep508_rs::{ExtraName, InvalidNameError, PackageName};

pub use self::build_label::BuildLabel;
pub use self::built_for::BuiltFor;
pub use self::lenient::Repair;
pub use self::marker::Marker;
pub use self::marker_env::{MarkerEnv, MarkerVariable, Verdict};
pub use self::metadata::CoreMetadata;
pub use self::requirement::PyRequirement;
pub use self::specifier::{Prereleases, VersionSpecifiers};
pub use self::tags::{PythonAbi, TagPlatform, Tags};
pub use self::wheel_name::WheelName;

pub mod build_label;
pub mod built_for;
pub mod lenient;
pub mod marker;
pub mod marker_env;
mod marker_parse;
pub mod metadata;
pub mod name;
pub mod requirement;
mod satisfiable;
pub mod specifier;
mod specifier_match;
pub mod tags;
pub mod version;
pub mod wheel_name;
