//! Why a query could not be answered.

use rocmenv_manifests::catalog::Query;
use rocmenv_manifests::name::IndexName;

use crate::fetch::{FailureClass, FetchError};
use crate::index::{AptError, MetadataError, PageError};

/// A query could not be answered, and a solve cannot go on without.
#[derive(Debug, thiserror::Error)]
#[error("cannot get {query}")]
pub struct CatalogError {
    /// What was asked.
    pub query: Query,
    /// Why there is no answer.
    #[source]
    pub source: Box<Cause>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// An index page.
    #[error(transparent)]
    Page(#[from] PageError),
    /// A wheel's metadata.
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    /// An apt repository.
    #[error(transparent)]
    Apt(#[from] AptError),
    /// The cache cannot be written.
    #[error(transparent)]
    Cache(#[from] FetchError),
    /// The index does not list a locked file any more.
    #[error("`{file}` is not listed by index `{index}` any more")]
    NotListed {
        /// The file.
        file: String,
        /// The index.
        index: IndexName,
    },
    /// No index of that name is configured.
    #[error("no index of this name and kind is configured")]
    NoIndex,
}

impl CatalogError {
    /// Which kind of failure it is.
    pub fn class(&self) -> FailureClass {
        match &*self.source {
            Cause::Page(error) => error.class(),
            Cause::Metadata(error) => error.class(),
            Cause::Apt(error) => error.class(),
            Cause::Cache(error) => error.class(),
            Cause::NotListed { .. } => FailureClass::Network,
            Cause::NoIndex => FailureClass::Local,
        }
    }
}
