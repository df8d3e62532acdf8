//! Where a locked file is served: a lock holds names and digests, never addresses.

use rocmenv_manifests::catalog::Query;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::name::PackageName;
use rocmenv_manifests::plan::Artifact;
use url::Url;

use super::catalog::DiskCatalog;
use super::error::{CatalogError, Cause};
use crate::fetch::FileRequest;
use crate::index::IndexLocation;
use crate::report::Reporter;

impl DiskCatalog {
    /// What to download for any file of a lock but an interpreter. Pages of the cache are used however old; one that does not list the file is fetched anew.
    ///
    /// # Errors
    /// The network, or an index that does not list the file any more.
    pub async fn locate(
        &self,
        artifact: &Artifact,
        reporter: &dyn Reporter,
    ) -> Result<FileRequest, CatalogError> {
        let query = self.query(artifact);
        let mut address = self.known_address(artifact);
        if address.is_none() {
            // What the cache holds does not list the file, so that its age does not matter.
            let fetched = match &query {
                Query::Debs { repository } => {
                    let _turn = self.repository.lock().await;
                    // Somebody else may have brought the list while this one waited.
                    match self.known_address(artifact) {
                        Some(_) => Ok(()),
                        None => self.fetch_repository(repository, reporter).await,
                    }
                }
                Query::PythonPage { index, package }
                | Query::PythonMetadata { index, package, .. } => {
                    self.fetch_pages(index, package, Asking::Always, reporter).await
                }
            };
            fetched.map_err(|cause| failed(&query, cause))?;
            address = self.known_address(artifact);
        }
        let Some(url) = address else {
            let cause =
                Cause::NotListed { file: artifact.file.clone(), index: artifact.index.clone() };
            return Err(failed(&query, cause));
        };
        let name = artifact.file.rsplit('/').next().unwrap_or_default().to_owned();
        Ok(FileRequest { url, name, sha256: artifact.sha256, size: artifact.size })
    }

    fn known_address(&self, artifact: &Artifact) -> Option<Url> {
        if let Some(IndexLocation::Files { folder, .. }) = self.indexes.get(&artifact.index) {
            let mut url = folder.clone();
            url.path_segments_mut().ok()?.pop_if_empty().push(&artifact.file);
            return Some(url);
        }
        if artifact.kind == ArtifactKind::Deb {
            return self.deb_address(&artifact.index, &artifact.file);
        }
        self.python_address(&artifact.index, &package(artifact)?, &artifact.file)
    }

    /// A failure to say something of a locked file.
    pub(super) fn of_artifact(&self, artifact: &Artifact, cause: Cause) -> CatalogError {
        failed(&self.query(artifact), cause)
    }

    fn query(&self, artifact: &Artifact) -> Query {
        let index = artifact.index.clone();
        match (self.indexes.get(&index), package(artifact)) {
            (Some(IndexLocation::Python { .. }), Some(package)) => {
                Query::PythonPage { index, package }
            }
            _ => Query::Debs { repository: index },
        }
    }
}

/// Whether a page that is fresh is fetched all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asking {
    /// Only where the cache has none that may be used.
    WhenOld,
    /// In any case.
    Always,
}

fn package(artifact: &Artifact) -> Option<PackageName> {
    artifact.name.parse().ok()
}

fn failed(query: &Query, cause: Cause) -> CatalogError {
    CatalogError { query: query.clone(), source: cause.into() }
}
