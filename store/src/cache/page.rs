//! Index pages in the cache: compact, because a warm lock reads dozens of thousands of files.
//!
//! Three things one after the other, in postcard: when it came, the files, their addresses. A
//! solve needs no addresses, which are most of the bytes, so those are a part of their own that
//! only who fetches reads.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use rocmenv_manifests::catalog::{PythonFile, PythonPage};
use rocmenv_manifests::digest::Sha256;
use serde::{Deserialize, Serialize};

use super::entry;
use super::freshness::Stamp;
use crate::index::Page;

/// A page of the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CachedPage {
    /// When it came.
    pub(super) stamp: Stamp,
    /// The files, or `None` where the index does not know the package.
    pub(super) page: Option<PythonPage>,
}

/// The page, without addresses.
pub(super) fn read(path: &Path) -> Option<CachedPage> {
    let bytes = entry::read_first(path)?;
    let (stamp, rest) = postcard::take_from_bytes(&bytes).ok()?;
    let stored = postcard::from_bytes::<Option<Stored<'_>>>(rest).ok()?;
    let page = match stored {
        Some(stored) => Some(stored.page()?),
        None => None,
    };
    Some(CachedPage { stamp, page })
}

/// The page with its addresses.
pub(super) fn read_with_addresses(path: &Path) -> Option<Page> {
    let [bytes, addresses] = entry::read_both(path)?;
    let (_, rest) = postcard::take_from_bytes::<Stamp>(&bytes).ok()?;
    let stored = postcard::from_bytes::<Option<Stored<'_>>>(rest).ok()?;
    let addresses = postcard::from_bytes(&addresses).ok()?;
    Some(Page { page: stored?.page()?, addresses })
}

/// Only when it came.
pub(super) fn read_stamp(path: &Path) -> Option<Stamp> {
    let bytes = entry::read_first(path)?;
    postcard::take_from_bytes(&bytes).ok().map(|(stamp, _)| stamp)
}

/// Keeps a page, or that there is none.
pub(super) fn write(path: &Path, stamp: &Stamp, page: Option<&Page>) -> std::io::Result<()> {
    let none = Vec::new();
    let addresses = page.map_or(&none, |page| &page.addresses);
    let stored = page.map(|page| Stored::of(&page.page));
    let parts = encode(&stamp).and_then(|mut first| {
        first.extend(encode(&stored)?);
        Ok([first, encode(addresses)?])
    });
    let [first, second] = parts.map_err(std::io::Error::other)?;
    entry::write_both(path, [&first, &second])
}

/// The server said that the page still holds.
pub(super) fn renew(path: &Path, fetched_at: i64, max_age: Option<u64>) -> std::io::Result<()> {
    let damaged = || std::io::Error::other("the cached page is gone");
    let [bytes, addresses] = entry::read_both(path).ok_or_else(damaged)?;
    let (stamp, rest) = postcard::take_from_bytes::<Stamp>(&bytes).map_err(|_| damaged())?;
    let stamp = Stamp { fetched_at, max_age: max_age.or(stamp.max_age), ..stamp };
    let mut renewed = encode(&stamp).map_err(std::io::Error::other)?;
    renewed.extend_from_slice(rest);
    entry::write_both(path, [&renewed, &addresses])
}

fn encode<T: Serialize>(value: &T) -> postcard::Result<Vec<u8>> {
    postcard::to_stdvec(value)
}

/// Files, with the texts that many share written once and all digests in one piece.
#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    #[serde(borrow)]
    digests: Cow<'a, [u8]>,
    #[serde(borrow)]
    texts: Vec<&'a str>,
    #[serde(borrow)]
    files: Vec<StoredFile<'a>>,
}

#[derive(Serialize, Deserialize)]
struct StoredFile<'a> {
    name: &'a str,
    has_sha256: bool,
    size: Option<u64>,
    requires_python: Option<u32>,
    yanked: Option<u32>,
    uploaded: Option<i64>,
    has_metadata: bool,
}

impl<'a> Stored<'a> {
    fn of(page: &'a PythonPage) -> Self {
        let mut digests = Vec::with_capacity(page.files.len() * 32);
        for file in &page.files {
            digests.extend(file.sha256.iter().flat_map(Sha256::as_bytes));
        }
        let mut texts = Vec::new();
        let mut known = HashMap::new();
        let mut place = |text: Option<&'a String>| {
            text.map(|text| {
                *known.entry(text.as_str()).or_insert_with(|| {
                    texts.push(text.as_str());
                    u32::try_from(texts.len() - 1).unwrap_or(u32::MAX)
                })
            })
        };
        let files = page
            .files
            .iter()
            .map(|file| StoredFile {
                name: &file.name,
                has_sha256: file.sha256.is_some(),
                size: file.size,
                requires_python: place(file.requires_python.as_ref()),
                yanked: place(file.yanked.as_ref()),
                uploaded: file.uploaded,
                has_metadata: file.has_metadata,
            })
            .collect();
        Self { digests: digests.into(), texts, files }
    }

    /// `None` where a file refers to a text or digest that is not there.
    fn page(&self) -> Option<PythonPage> {
        let mut digests = self.digests.chunks_exact(32);
        let mut digest = |has: bool| match has.then(|| digests.next()) {
            Some(bytes) => Some(Some(Sha256::from_bytes(bytes?.try_into().ok()?))),
            None => Some(None),
        };
        let text = |at: Option<u32>| match at {
            Some(at) => {
                let text = self.texts.get(usize::try_from(at).ok()?)?;
                Some(Some((*text).to_owned()))
            }
            None => Some(None),
        };
        let files = self.files.iter().map(|file| {
            Some(PythonFile {
                name: file.name.to_owned(),
                sha256: digest(file.has_sha256)?,
                size: file.size,
                requires_python: text(file.requires_python)?,
                yanked: text(file.yanked)?,
                uploaded: file.uploaded,
                has_metadata: file.has_metadata,
            })
        });
        Some(PythonPage { files: files.collect::<Option<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::Validators;

    #[test]
    fn a_page_comes_back_and_is_renewed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page");
        let stamp = Stamp { fetched_at: 7, max_age: None, validators: Validators::default() };
        let page = large(3);
        write(&path, &stamp, Some(&page)).unwrap();
        assert_eq!(read(&path).unwrap().page.as_ref(), Some(&page.page));
        renew(&path, 9, Some(5)).unwrap();
        let stamp = read_stamp(&path).unwrap();
        assert_eq!((stamp.fetched_at, stamp.max_age), (9, Some(5)));
        assert_eq!(read_with_addresses(&path), Some(page));
        write(&path, &stamp, None).unwrap();
        assert_eq!(read(&path).unwrap().page, None);
    }

    /// Not a benchmark: it only catches a format that is slower by an order of magnitude.
    #[test]
    fn a_page_of_five_thousand_files_is_read_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page");
        let stamp = Stamp { fetched_at: 7, max_age: None, validators: Validators::default() };
        write(&path, &stamp, Some(&large(5_000))).unwrap();
        let started = std::time::Instant::now();
        let page = read(&path).unwrap().page.unwrap();
        let took = started.elapsed();
        assert_eq!(page.files.len(), 5_000);
        assert!(took.as_millis() < 100, "{took:?}");
    }

    fn large(count: usize) -> Page {
        let mut page = Page::default();
        for at in 0..count {
            let name = format!("numpy-2.{at}.0-cp312-cp312-manylinux_2_28_x86_64.whl");
            let sha256 = Sha256::of(name.as_bytes());
            let address = format!("https://index.test/packages/{sha256}/{name}");
            let file = PythonFile {
                name,
                sha256: (at % 5 != 1).then_some(sha256),
                size: Some(17_000_000),
                requires_python: Some(">=3.11".to_owned()),
                yanked: (at % 7 == 0).then(|| "broken".to_owned()),
                uploaded: Some(1_700_000_000),
                has_metadata: false,
            };
            page.push(file, address);
        }
        page
    }
}
