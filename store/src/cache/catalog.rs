//! The catalog on the disk: answers a solve from the cache, and says what is not there.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rocmenv_manifests::catalog::{Answer, Catalog, PythonFile, PythonPage};
use rocmenv_manifests::debian::DebIndex;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::name::{IndexName, PackageName};
use rocmenv_manifests::python::CoreMetadata;
use serde::{Deserialize, Serialize};
use url::Url;

use super::answers::Answers;
use super::carried::Carried;
use super::freshness::{Refresh, Stamp};
use super::{entry, metadata, page};
use crate::fetch::Fetcher;
use crate::index::{AptList, IndexLocation, PageSource, belongs_to, folder_state, read_folder};

/// Where a catalog keeps things and how old they may be.
#[derive(Debug, Clone)]
pub struct CatalogOptions {
    /// The cache folder.
    pub cache: PathBuf,
    /// The folder of downloads, for wheels that must be fetched whole.
    pub downloads: PathBuf,
    /// Where apt keeps the keys of sources that name none (`/etc/apt`).
    pub apt_folder: PathBuf,
    /// Now, in seconds since 1970 UTC: one value for the whole run.
    pub now: i64,
    /// Which cached answers may be used.
    pub refresh: Refresh,
}

/// The world as the cache knows it.
pub struct DiskCatalog {
    pub(super) fetcher: Arc<Fetcher>,
    pub(super) options: CatalogOptions,
    pub(super) indexes: BTreeMap<IndexName, IndexLocation>,
    pub(super) answers: Answers,
    /// Rows of a bundle, which then are all that there is.
    pub(super) carried: Option<Carried>,
    /// Until when the answers that were given are fresh.
    pub(super) good_until: Mutex<i64>,
    /// Held while a page that serves many packages is fetched, so that it is fetched once.
    pub(super) common_page: tokio::sync::Mutex<()>,
    /// Held while the lists of a repository are fetched for a file of a lock: all its packages
    /// ask for them at once, and they are fetched once.
    pub(super) repository: tokio::sync::Mutex<()>,
}

impl DiskCatalog {
    /// A catalog of these indexes. Nothing is read yet.
    pub fn new(
        fetcher: Arc<Fetcher>,
        options: CatalogOptions,
        indexes: impl IntoIterator<Item = IndexLocation>,
    ) -> Self {
        Self {
            fetcher,
            options,
            indexes: indexes.into_iter().map(|index| (index.name().clone(), index)).collect(),
            answers: Answers::default(),
            carried: None,
            good_until: Mutex::new(i64::MAX),
            common_page: tokio::sync::Mutex::default(),
            repository: tokio::sync::Mutex::default(),
        }
    }

    /// Until when (seconds since 1970 UTC) all answers that were given so far may be used without
    /// asking again. What lies in folders on this machine is part of
    /// [`identity_of_all`](Self::identity_of_all) instead.
    pub fn good_until(&self) -> i64 {
        *self.good_until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What tells these indexes from any others: their names, addresses and keys, and of folders
    /// on this machine, which nobody asks anew, what lies in them.
    pub fn identity_of_all(&self) -> Sha256 {
        let of = |(name, location): (&IndexName, &IndexLocation)| {
            let states = folders(location).map(|folder| format!(" {}", folder_state(folder)));
            format!("{name} {}{}\n", self.identity(name), states.collect::<String>())
        };
        Sha256::of(self.indexes.iter().map(of).collect::<String>().as_bytes())
    }

    /// Remembers that an answer was given which holds until then.
    fn note(&self, until: i64) {
        let mut known = self.good_until.lock().unwrap_or_else(PoisonError::into_inner);
        *known = until.min(*known);
    }

    /// Where a Python file is served, as its index's cached page says.
    pub fn python_address(
        &self,
        index: &IndexName,
        package: &PackageName,
        file: &str,
    ) -> Option<Url> {
        let IndexLocation::Python { sources, .. } = self.indexes.get(index)? else { return None };
        sources.iter().find_map(|source| {
            let page = match source {
                PageSource::Folder { path } => read_folder(path, package).ok()?,
                _ => page::read_with_addresses(&self.page_path(source, package))?,
            };
            Url::parse(page.address(file)?).ok()
        })
    }

    /// Where a Debian archive is served, by its pool path: below the root of the list that names
    /// it.
    pub fn deb_address(&self, repository: &IndexName, filename: &str) -> Option<Url> {
        let (root, _) = self.deb_listed(repository, filename)?;
        root.join(filename).ok()
    }

    /// The paragraph of a Debian archive in the list that names it.
    pub(super) fn deb_paragraph(&self, repository: &IndexName, filename: &str) -> Option<String> {
        self.deb_listed(repository, filename).map(|(_, paragraph)| paragraph)
    }

    /// The root of the list that names a Debian archive, and its paragraph there.
    fn deb_listed(&self, repository: &IndexName, filename: &str) -> Option<(Url, String)> {
        let (_, lists) = self.apt_entry(repository)?;
        let folder = self.lists_folder();
        let line = format!("\nFilename: {filename}\n");
        lists.into_iter().find_map(|list| {
            let text = fs_err::read_to_string(list.path(&folder)).ok()?;
            let at = text.find(&line)?;
            let start = text[..at].rfind("\n\n").map_or(0, |gap| gap + 2);
            let end = text[at..].find("\n\n").map_or(text.len(), |gap| at + gap);
            Some((list.root, text[start..end].to_owned()))
        })
    }

    /// What the cached pages of an index say of one file, however old they are.
    pub(super) fn listed(
        &self,
        index: &IndexName,
        package: &PackageName,
        file: &str,
    ) -> Option<PythonFile> {
        let IndexLocation::Python { sources, .. } = self.indexes.get(index)? else { return None };
        sources.iter().find_map(|source| {
            let page = match source {
                PageSource::Folder { path } => read_folder(path, package).ok()?.page,
                _ => page::read(&self.page_path(source, package))?.page?,
            };
            page.files.into_iter().find(|listed| listed.name == file)
        })
    }

    pub(super) fn page_path(&self, source: &PageSource, package: &PackageName) -> PathBuf {
        let folder = self.options.cache.join("pages").join(source.identity().to_string());
        folder.join(source.page_name(package))
    }

    pub(super) fn metadata_path(&self, index: &IndexName, file: &PythonFile) -> PathBuf {
        metadata::place(&self.options.cache, &self.identity(index), file)
    }

    pub(super) fn lists_folder(&self) -> PathBuf {
        self.options.cache.join("apt").join("lists")
    }

    pub(super) fn apt_path(&self, repository: &IndexName) -> PathBuf {
        self.options.cache.join("apt").join(self.identity(repository).to_string())
    }

    pub(super) fn is_fresh(&self, stamp: &Stamp, package: Option<&PackageName>) -> bool {
        self.options.refresh.accepts(stamp, package, self.options.now)
    }

    /// What this index is, whatever it is called: two projects may give one name to two indexes.
    fn identity(&self, index: &IndexName) -> Sha256 {
        match self.indexes.get(index) {
            Some(IndexLocation::Python { sources, .. }) => {
                let parts: Vec<_> = sources.iter().map(|s| s.identity().to_string()).collect();
                Sha256::of(parts.join(" ").as_bytes())
            }
            Some(IndexLocation::Apt { sources, architecture, .. }) => {
                crate::index::apt_identity(sources, architecture)
            }
            Some(IndexLocation::Files { folder, .. }) => {
                Sha256::of(format!("files {folder}").as_bytes())
            }
            None => Sha256::of(index.as_str().as_bytes()),
        }
    }

    fn find_page(&self, index: &IndexName, package: &PackageName) -> Answer<Arc<PythonPage>> {
        let Some(IndexLocation::Python { sources, .. }) = self.indexes.get(index) else {
            return Answer::Failed(format!("no Python index is called `{index}`"));
        };
        if sources.is_empty() {
            return Answer::Failed(format!("nothing on this machine says where `{index}` is"));
        }
        let mut merged: Option<PythonPage> = None;
        for source in sources {
            let page = match self.find_source(source, package) {
                Answer::Ready(page) => page,
                Answer::Absent => continue,
                Answer::Failed(why) => return Answer::Failed(why),
                Answer::NotFetched => return Answer::NotFetched,
            };
            match &mut merged {
                None => merged = Some(page),
                Some(merged) => append(merged, page),
            }
        }
        merged.map_or(Answer::Absent, |page| Answer::Ready(Arc::new(page)))
    }

    fn find_source(&self, source: &PageSource, package: &PackageName) -> Answer<PythonPage> {
        let page = match source {
            PageSource::Folder { path } => match read_folder(path, package) {
                Ok(page) => Some(page.page),
                Err(error) => return Answer::Failed(crate::fetch::chain(&error)),
            },
            PageSource::Simple { .. } | PageSource::Links { .. } => {
                let cached = page::read(&self.page_path(source, package));
                match cached.filter(|cached| self.is_fresh(&cached.stamp, Some(package))) {
                    Some(cached) => {
                        self.note(cached.stamp.good_until());
                        cached.page
                    }
                    None => return Answer::NotFetched,
                }
            }
        };
        let Some(mut page) = page else { return Answer::Absent };
        if !matches!(source, PageSource::Simple { .. }) {
            page.files.retain(|file| belongs_to(package, &file.name));
            if page.files.is_empty() {
                return Answer::Absent;
            }
        }
        Answer::Ready(page)
    }

    fn find_metadata(&self, index: &IndexName, file: &PythonFile) -> Answer<Arc<CoreMetadata>> {
        match metadata::read(&self.metadata_path(index, file)) {
            None => Answer::NotFetched,
            Some(text) => match metadata::parse(index, file, &text) {
                Ok(metadata) => Answer::Ready(Arc::new(metadata)),
                Err(why) => Answer::Failed(why),
            },
        }
    }

    fn find_debs(&self, repository: &IndexName) -> Answer<Arc<DebIndex>> {
        if !matches!(self.indexes.get(repository), Some(IndexLocation::Apt { .. })) {
            return Answer::Failed(format!(
                "no apt repository is called `{repository}`, or nobody said who signs it; \
                 `[indexes.\"{repository}\"]` says so: the key's `fingerprint` for one of AMD's, \
                 else `url`, `kind = \"apt\"`, `suites` and `signed-by`"
            ));
        }
        let Some((stamp, lists)) = self.apt_entry(repository) else { return Answer::NotFetched };
        let outdated = lists.iter().any(|l| l.valid_until.is_some_and(|t| t <= self.options.now));
        let usable =
            self.is_fresh(&stamp, None) && (!outdated || self.options.refresh == Refresh::Never);
        let folder = self.lists_folder();
        let read = || -> Option<Vec<String>> {
            lists.iter().map(|list| fs_err::read_to_string(list.path(&folder)).ok()).collect()
        };
        match usable.then(read).flatten() {
            Some(texts) => {
                let valid = lists.iter().filter_map(|list| list.valid_until);
                self.note(valid.fold(stamp.good_until(), i64::min));
                Answer::Ready(Arc::new(DebIndex::new(texts)))
            }
            None => Answer::NotFetched,
        }
    }

    fn apt_entry(&self, repository: &IndexName) -> Option<(Stamp, Vec<AptList>)> {
        let bytes = entry::read(&self.apt_path(repository))?;
        let AptEntry { stamp, lists } = postcard::from_bytes(&bytes).ok()?;
        Some((stamp, lists))
    }
}

impl Catalog for DiskCatalog {
    fn python_page(&self, index: &IndexName, package: &PackageName) -> Answer<Arc<PythonPage>> {
        let key = (index.clone(), package.clone());
        self.answers.pages.answer(key, || match &self.carried {
            Some(carried) => carried.page(index, package),
            None => self.find_page(index, package),
        })
    }

    fn python_metadata(
        &self,
        index: &IndexName,
        _package: &PackageName,
        file: &PythonFile,
    ) -> Answer<Arc<CoreMetadata>> {
        let key = (index.clone(), file.name.clone());
        self.answers.metadata.answer(key, || match &self.carried {
            Some(carried) => carried.metadata(index, file),
            None => self.find_metadata(index, file),
        })
    }

    fn debs(&self, repository: &IndexName) -> Answer<Arc<DebIndex>> {
        self.answers.debs.answer(repository.clone(), || match &self.carried {
            Some(carried) => carried.debs(repository),
            None => self.find_debs(repository),
        })
    }
}

/// Which lists a repository has.
#[derive(Serialize, Deserialize)]
pub(super) struct AptEntry {
    pub(super) stamp: Stamp,
    pub(super) lists: Vec<AptList>,
}

/// The folders on this machine that an index is made of.
fn folders(location: &IndexLocation) -> impl Iterator<Item = &Path> {
    let sources = match location {
        IndexLocation::Python { sources, .. } => sources.as_slice(),
        IndexLocation::Apt { .. } | IndexLocation::Files { .. } => &[],
    };
    sources.iter().filter_map(|source| match source {
        PageSource::Folder { path } => Some(path.as_path()),
        PageSource::Simple { .. } | PageSource::Links { .. } => None,
    })
}

/// The files of a further source that the better ones do not have.
fn append(merged: &mut PythonPage, further: PythonPage) {
    let known: HashSet<String> = merged.files.iter().map(|file| file.name.clone()).collect();
    merged.files.extend(further.files.into_iter().filter(|file| !known.contains(&file.name)));
}
