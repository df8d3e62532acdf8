//! Fetches what a solve found missing, side by side, into the cache.

use std::collections::BTreeSet;
use std::path::Path;

use futures::StreamExt as _;
use rocmenv_manifests::catalog::{Answer, Catalog as _, PythonFile, Query};
use rocmenv_manifests::name::{IndexName, PackageName};
use url::Url;

use super::catalog::{AptEntry, DiskCatalog};
use super::error::{CatalogError, Cause};
use super::freshness::Stamp;
use super::locate::Asking;
use super::{entry, metadata, page};
use crate::fetch::{FailureClass, FetchError, Validators, chain};
use crate::index::{
    AptFetch, IndexLocation, MetadataError, PageReply, PageSource, WheelPlace, fetch_lists,
    fetch_metadata, fetch_page,
};
use crate::report::{Progress, Reporter, Task, TaskKind};

/// What fetching brought.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filled {
    /// How many queries were answered.
    pub queries: usize,
    /// Bytes of wheels and metadata files that came over the network for it.
    pub metadata_bytes: u64,
}

impl DiskCatalog {
    /// Fetches all of these and keeps what came. A wheel whose metadata cannot be had because of
    /// the wheel is no error: the catalog then answers that it failed, and why.
    ///
    /// # Errors
    /// The first, in the order of the queries, that a solve cannot go on without.
    pub async fn fetch_missing(
        &self,
        queries: &BTreeSet<Query>,
        reporter: &dyn Reporter,
    ) -> Result<Filled, CatalogError> {
        let task = Task {
            kind: TaskKind::Query,
            name: "index pages and metadata".to_owned(),
            total: Some(queries.len() as u64),
        };
        let progress = Progress::start(reporter, &task);
        let fetched: Vec<_> = futures::stream::iter(queries)
            .map(|query| async {
                let result = self.fetch_one(query, reporter).await;
                progress.advance(1);
                result.map_err(|cause| CatalogError { query: query.clone(), source: cause.into() })
            })
            // In the order of the queries, so that the same failure is always the one named.
            .buffered(AT_ONCE)
            .collect()
            .await;
        let mut filled = Filled::default();
        for result in fetched {
            filled.metadata_bytes += result?;
            filled.queries += 1;
        }
        Ok(filled)
    }

    async fn fetch_one(&self, query: &Query, reporter: &dyn Reporter) -> Result<u64, Cause> {
        match query {
            Query::PythonPage { index, package } => {
                self.fetch_pages(index, package, Asking::WhenOld, reporter).await?;
                Ok(0)
            }
            Query::PythonMetadata { index, package, file } => {
                self.fetch_wheel(index, package, file, reporter).await
            }
            Query::Debs { repository } => {
                self.fetch_repository(repository, reporter).await?;
                Ok(0)
            }
        }
    }

    pub(super) async fn fetch_pages(
        &self,
        index: &IndexName,
        package: &PackageName,
        asking: Asking,
        reporter: &dyn Reporter,
    ) -> Result<(), Cause> {
        let Some(IndexLocation::Python { sources, .. }) = self.indexes.get(index) else {
            return Err(Cause::NoIndex);
        };
        for source in sources {
            match source {
                // Read where it lies.
                PageSource::Folder { .. } => {}
                PageSource::Links { .. } => {
                    let _turn = self.common_page.lock().await;
                    self.fetch_source(source, package, asking, reporter).await?;
                }
                PageSource::Simple { .. } => {
                    self.fetch_source(source, package, asking, reporter).await?;
                }
            }
        }
        self.answers.pages.forget(&(index.clone(), package.clone()));
        Ok(())
    }

    async fn fetch_source(
        &self,
        source: &PageSource,
        package: &PackageName,
        asking: Asking,
        reporter: &dyn Reporter,
    ) -> Result<(), Cause> {
        let path = self.page_path(source, package);
        let known = page::read_stamp(&path);
        let is_fresh = known.as_ref().is_some_and(|stamp| self.is_fresh(stamp, Some(package)));
        if is_fresh && asking == Asking::WhenOld {
            return Ok(());
        }
        let validators = known.map(|stamp| stamp.validators).filter(|known| !known.is_empty());
        let reply =
            fetch_page(&self.fetcher, source, package, validators.as_ref(), reporter).await?;
        let now = self.options.now;
        let kept = match reply {
            PageReply::Unchanged(max_age) => page::renew(&path, now, max_age),
            PageReply::Listed(listing) => {
                let stamp = Stamp {
                    fetched_at: now,
                    max_age: listing.max_age,
                    validators: listing.validators,
                };
                page::write(&path, &stamp, listing.page.as_ref())
            }
        };
        kept.map_err(|source| cache(&path, source))
    }

    async fn fetch_wheel(
        &self,
        index: &IndexName,
        package: &PackageName,
        name: &str,
        reporter: &dyn Reporter,
    ) -> Result<u64, Cause> {
        let key = (index.clone(), name.to_owned());
        let Some((file, address)) = self.wheel(index, package, name) else {
            let why = format!("`{name}` is not on the page of `{package}` on index `{index}`");
            self.answers.metadata.set(key, Answer::Failed(why));
            return Ok(0);
        };
        let wheel =
            WheelPlace { address: &address, file: &file, downloads: &self.options.downloads };
        match fetch_metadata(&self.fetcher, wheel, reporter).await {
            Ok(found) => {
                let path = self.metadata_path(index, &file);
                metadata::write(&path, &found.text).map_err(|source| cache(&path, source))?;
                if let Some(extent) = found.extent {
                    let written = metadata::write_extent(&path, extent);
                    written.map_err(|source| cache(&path, source))?;
                }
                self.answers.metadata.forget(&key);
                Ok(found.bytes_fetched)
            }
            Err(error) if is_of_the_wheel(&error) => {
                self.answers.metadata.set(key, Answer::Failed(chain(&error)));
                Ok(0)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn wheel(
        &self,
        index: &IndexName,
        package: &PackageName,
        name: &str,
    ) -> Option<(PythonFile, Url)> {
        let Answer::Ready(page) = self.python_page(index, package) else { return None };
        let file = page.files.iter().find(|file| file.name == name)?.clone();
        Some((file, self.python_address(index, package, name)?))
    }

    pub(super) async fn fetch_repository(
        &self,
        repository: &IndexName,
        reporter: &dyn Reporter,
    ) -> Result<(), Cause> {
        let Some(IndexLocation::Apt { sources, architecture, .. }) = self.indexes.get(repository)
        else {
            return Err(Cause::NoIndex);
        };
        let folder = self.lists_folder();
        fs_err::create_dir_all(&folder).map_err(|source| cache(&folder, source))?;
        let wanted = AptFetch {
            sources,
            architecture,
            folder: &folder,
            apt_folder: &self.options.apt_folder,
            now: self.options.now,
        };
        let lists = fetch_lists(&self.fetcher, wanted, reporter).await?;
        let stamp = Stamp {
            fetched_at: self.options.now,
            max_age: None,
            validators: Validators::default(),
        };
        let path = self.apt_path(repository);
        let bytes = postcard::to_stdvec(&AptEntry { stamp, lists }).map_err(std::io::Error::other);
        let written = bytes.and_then(|bytes| entry::write(&path, &bytes));
        written.map_err(|source| cache(&path, source))?;
        self.answers.debs.forget(repository);
        Ok(())
    }
}

/// Whether another wheel may do better: this one is damaged, not what was promised, or gone.
fn is_of_the_wheel(error: &MetadataError) -> bool {
    let gone = matches!(
        error,
        MetadataError::Fetch(FetchError::Status { status, .. }) if status.is_client_error()
            && !matches!(status.as_u16(), 401 | 407 | 408 | 429)
    );
    gone || error.class() == FailureClass::Integrity
}

fn cache(path: &Path, source: std::io::Error) -> Cause {
    Cause::Cache(FetchError::disk(path, source))
}

/// More than the fetcher asks at once, so that it never waits for this.
const AT_ONCE: usize = 64;
