//! What the solver may ask of the world, and how the world answers without IO in the solve.
//!
//! A `Catalog` is a synchronous snapshot. It answers at once: with the thing, with "the index
//! does not have it", or with "not fetched yet". A solve collects the queries that were not
//! fetched, somebody fetches them side by side, and the solve starts again; so its result
//! cannot depend on the order in which answers arrive.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::debian::DebIndex;
use crate::digest::Sha256;
use crate::name::{IndexName, PackageName};
use crate::python::CoreMetadata;

/// The world as one solve sees it.
pub trait Catalog {
    /// The page of one package of one index, all its files.
    fn python_page(&self, index: &IndexName, package: &PackageName) -> Answer<Arc<PythonPage>>;

    /// The core metadata of one wheel, which is named as its index names it.
    fn python_metadata(
        &self,
        index: &IndexName,
        package: &PackageName,
        file: &PythonFile,
    ) -> Answer<Arc<CoreMetadata>>;

    /// The packages of an apt repository (all its suites and components for one architecture).
    fn debs(&self, repository: &IndexName) -> Answer<Arc<DebIndex>>;
}

/// An answer that needs no waiting.
#[derive(Debug, Clone)]
pub enum Answer<T> {
    /// Here it is.
    Ready(T),
    /// The index says that it does not have it.
    Absent,
    /// It could not be had (network, damage); the text says why, for a person.
    Failed(String),
    /// Nobody has asked for it yet.
    NotFetched,
}

/// Something that has to be fetched before a solve can go on. Ordered, so that a set of them is
/// always fetched and named in the same order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Query {
    /// An index's page of a package.
    PythonPage {
        /// The index asked.
        index: IndexName,
        /// The package asked for.
        package: PackageName,
    },
    /// The metadata of one wheel.
    PythonMetadata {
        /// The index that lists the wheel.
        index: IndexName,
        /// The package that it is a file of.
        package: PackageName,
        /// Its file name, percent-decoded.
        file: String,
    },
    /// The package lists of an apt repository.
    Debs {
        /// The repository.
        repository: IndexName,
    },
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PythonPage { index, package } => write!(f, "`{package}` on index `{index}`"),
            Self::PythonMetadata { file, .. } => write!(f, "metadata of `{file}`"),
            Self::Debs { repository } => write!(f, "package lists of `{repository}`"),
        }
    }
}

/// The files that an index lists for one package (PEP 503 and 691), wheels and others, in the
/// index's order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PythonPage {
    /// The files.
    pub files: Vec<PythonFile>,
}

/// One file of an index page. Its address is not part of it: the index client keeps that, so
/// that no lock can hold a mirror's address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PythonFile {
    /// The file name, percent-decoded (`torch-2.12.0+rocm10.0.0-cp312-cp312-linux_x86_64.whl`).
    pub name: String,
    /// The hash that the index gives, if it gives one.
    pub sha256: Option<Sha256>,
    /// Bytes, where the index says.
    pub size: Option<u64>,
    /// `Requires-Python` as the index repeats it.
    pub requires_python: Option<String>,
    /// Why the file was yanked, if it was (an empty text is a yank without a reason).
    pub yanked: Option<String>,
    /// Upload time in seconds since 1970 UTC, where the index says.
    pub uploaded: Option<i64>,
    /// Whether the index says that `FILE.metadata` is served.
    pub has_metadata: bool,
}
