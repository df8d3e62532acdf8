//! Why a query could not be answered.

use rocmenv_manifests::catalog::Query;

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
            Cause::NoIndex => FailureClass::Local,
        }
    }
}

/// An error and its causes in one line.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        // Transparent errors repeat their cause.
        if !text.ends_with(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}
