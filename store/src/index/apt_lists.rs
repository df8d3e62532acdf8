//! One package list: fetched by the digest that a signed Release gives, unpacked, kept by that
//! digest without the fields that nobody here reads.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rocmenv_manifests::debian::Release;
use rocmenv_manifests::debian::release::ReleaseFile;
use rocmenv_manifests::digest::Sha256;
use serde::{Deserialize, Serialize};
use sha2::Digest as _;
use url::Url;

use super::apt_fields;
use crate::fetch::{FetchError, Fetcher, FileLock, FileRequest};
use crate::report::Reporter;

/// A package list that is here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AptList {
    /// The repository's root, which the places of packages are below.
    pub root: Url,
    /// The digest that the signed Release gives of the packed list; names the unpacked one here.
    pub sha256: Sha256,
    /// Until when the Release holds, in seconds since 1970 UTC, where it says.
    pub valid_until: Option<i64>,
}

impl AptList {
    /// Where the unpacked list lies.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.packages", self.sha256))
    }

    /// Held while it comes and is unpacked.
    fn lock(&self, folder: &Path) -> PathBuf {
        folder.join(".partial").join(format!("{}.unpacking", self.sha256))
    }
}

/// A list that is wanted.
pub(super) struct Wanted<'a> {
    pub(super) root: &'a Url,
    pub(super) folder: &'a Url,
    pub(super) release: &'a Release,
    /// Its path in the Release, without the end that says how it is packed.
    pub(super) path: &'a str,
    pub(super) kept_in: &'a Path,
    pub(super) valid_until: Option<i64>,
}

impl Wanted<'_> {
    /// Sees to it that the list is here. `None`: the Release has no such list.
    pub(super) async fn bring(
        &self,
        fetcher: &Fetcher,
        reporter: &dyn Reporter,
    ) -> Result<Option<AptList>, FetchError> {
        let packed = PACKINGS
            .iter()
            .find_map(|packing| Some((*packing, self.release.file(&self.named(packing.end))?)));
        let Some((packing, entry)) = packed else { return Ok(None) };
        let list = AptList {
            root: self.root.clone(),
            sha256: entry.sha256,
            valid_until: self.valid_until,
        };
        let kept = list.path(self.kept_in);
        if kept.exists() {
            return Ok(Some(list));
        }
        // Many ask for one list at once. The packed file is the turn's own, from the download
        // until it is removed: who waited finds the list unpacked.
        let _turn = FileLock::exclusive(&list.lock(self.kept_in)).await?;
        if !kept.exists() {
            self.unpack_to(&kept, packing, entry, fetcher, reporter).await?;
        }
        Ok(Some(list))
    }

    /// Fetches the packed list, unpacks it there, and removes what was only fetched for that.
    async fn unpack_to(
        &self,
        kept: &Path,
        packing: Packing,
        entry: &ReleaseFile,
        fetcher: &Fetcher,
        reporter: &dyn Reporter,
    ) -> Result<(), FetchError> {
        let (file, ours) = self.packed(fetcher, entry, reporter).await?;
        let plain = self.release.file(self.path).cloned();
        let (from, to) = (file.clone(), kept.to_owned());
        let unpacked =
            tokio::task::spawn_blocking(move || unpack(&from, &to, packing, plain.as_ref()));
        let unpacked = unpacked.await.unwrap_or_else(|stopped| Err(io::Error::other(stopped)));
        unpacked.map_err(|source| FetchError::disk(kept, source))?;
        if ours {
            let _ = fs_err::remove_file(&file);
            let _ = file.parent().map(fs_err::remove_dir);
        }
        Ok(())
    }

    /// The packed list, and whether it is a copy of ours.
    async fn packed(
        &self,
        fetcher: &Fetcher,
        entry: &ReleaseFile,
        reporter: &dyn Reporter,
    ) -> Result<(PathBuf, bool), FetchError> {
        let (folder, name) = entry.path.rsplit_once('/').unwrap_or(("", &entry.path));
        let at = |path: &str| self.folder.join(path).unwrap_or_else(|_| self.folder.clone());
        let plain = at(&entry.path);
        if let Ok(path) = plain.to_file_path() {
            check(&path, entry)?;
            return Ok((path, false));
        }
        // By digest first: a mirror that is being renewed still has the list that was signed.
        let mut addresses = vec![plain];
        if self.release.acquire_by_hash {
            let slash = if folder.is_empty() { "" } else { "/" };
            addresses.insert(0, at(&format!("{folder}{slash}by-hash/SHA256/{}", entry.sha256)));
        }
        let mut failed = None;
        for url in addresses {
            let request = FileRequest {
                url,
                name: name.to_owned(),
                sha256: Some(entry.sha256),
                size: Some(entry.size),
            };
            match fetcher.download(&request, self.kept_in, reporter).await {
                Ok(file) => return Ok((file.path, true)),
                Err(error @ FetchError::Status { .. }) => failed = failed.or(Some(error)),
                Err(error) => return Err(error),
            }
        }
        Err(failed.unwrap_or_else(|| FetchError::UnsafeName { name: name.to_owned() }))
    }

    fn named(&self, end: &str) -> String {
        format!("{}{end}", self.path)
    }
}

fn check(path: &Path, entry: &ReleaseFile) -> Result<(), FetchError> {
    let bytes = fs_err::read(path).map_err(|source| FetchError::disk(path, source))?;
    let (name, found) = (entry.path.clone(), Sha256::of(&bytes));
    if found == entry.sha256 {
        Ok(())
    } else {
        Err(FetchError::HashMismatch { name, expected: entry.sha256, found })
    }
}

/// Unpacks beside the place and moves it there: half a list is never seen. The signed Release
/// also says what the unpacked list must be.
fn unpack(from: &Path, to: &Path, packing: Packing, plain: Option<&ReleaseFile>) -> io::Result<()> {
    let file = io::BufReader::new(fs_err::File::open(from)?);
    let reader: Box<dyn Read> = match packing.end {
        ".xz" => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(file)),
        ".gz" => Box::new(flate2::bufread::MultiGzDecoder::new(file)),
        _ => Box::new(file),
    };
    let limit = plain.map_or(LARGEST_LIST, |plain| plain.size);
    let mut reader = reader.take(limit + 1);
    let folder = to.parent().unwrap_or(Path::new("."));
    let mut out = io::BufWriter::new(tempfile::NamedTempFile::new_in(folder)?);
    let mut fields = apt_fields::Filter::default();
    let mut hasher = sha2::Sha256::new();
    let mut size = 0;
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let count = reader.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        hasher.update(&buffer[..count]);
        fields.take(&buffer[..count], &mut out)?;
        size += count as u64;
    }
    fields.finish(&mut out)?;
    let found = Sha256::from_bytes(hasher.finalize().into());
    if size > limit || plain.is_some_and(|plain| plain.sha256 != found) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "the unpacked list is not the one that was signed",
        ));
    }
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.persist(to).map_err(|error| error.error)?;
    Ok(())
}

#[derive(Debug, Clone, Copy)]
struct Packing {
    end: &'static str,
}

/// Smallest first.
const PACKINGS: [Packing; 3] =
    [Packing { end: ".xz" }, Packing { end: ".gz" }, Packing { end: "" }];
const LARGEST_LIST: u64 = 1024 * 1024 * 1024;
