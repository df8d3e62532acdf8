//! Downloads an artifact: once among all processes, resumed where that is safe, verified while
//! it streams.
//!
//! What has come is kept over failures. The rest is asked for only if the hash of the whole is
//! known, or if the server gave a strong validator (RFC 9110, section 13.1.5); else the file
//! begins anew. A hash that differs is found before anybody sees the file.

use std::path::{Path, PathBuf};

use reqwest::header::{ACCEPT_ENCODING, IF_RANGE, RANGE};
use reqwest::{Response, StatusCode};
use rocmenv_manifests::digest::Sha256;
use url::Url;

use super::client::Fetcher;
use super::encoding;
use super::error::{FetchError, shown};
use super::file_lock::FileLock;
use super::get::{Validators, content_range};
use super::partial::{Memory, Place};
use super::retry::{self, Attempt, Retries};
use super::sink::{self, Sink, Written};
use crate::report::{Progress, Reporter, Task, TaskKind};

/// A file that is wanted.
#[derive(Debug, Clone)]
pub struct FileRequest {
    /// Where it is served, without login.
    pub url: Url,
    /// Its file name.
    pub name: String,
    /// What it must be, where that is known.
    pub sha256: Option<Sha256>,
    /// How many bytes it must have, where that is known.
    pub size: Option<u64>,
}

/// A file that is there, complete and of the promised hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Downloaded {
    /// Where it lies.
    pub path: PathBuf,
    /// Its hash.
    pub sha256: Sha256,
    /// Its bytes.
    pub size: u64,
    /// How many bytes of it came over the network now.
    pub bytes_fetched: u64,
}

impl Fetcher {
    /// Sees to it that the file lies in the folder of downloads.
    ///
    /// # Errors
    /// The network, a size or hash that is not the promised one, or the disk. What has come stays
    /// for the next try.
    pub async fn download(
        &self,
        request: &FileRequest,
        downloads: &Path,
        reporter: &dyn Reporter,
    ) -> Result<Downloaded, FetchError> {
        let place = Place::new(downloads, request)?;
        if let Some(found) = existing(&place, request).await? {
            return Ok(found);
        }
        let local = request.url.to_file_path().ok();
        if self.options.offline && local.is_none() {
            return Err(FetchError::Offline { what: format!("`{}`", request.name) });
        }
        let _turn = self.downloads.acquire().await;
        let _lock = FileLock::exclusive(&place.lock()).await?;
        // Somebody else may have brought it while this one waited.
        if let Some(found) = existing(&place, request).await? {
            return Ok(found);
        }
        if let Some(from) = local {
            return copy(&from, &place, request);
        }
        Transfer { fetcher: self, request, place, reporter, bytes_fetched: 0 }.run().await
    }
}

/// Takes a file of the user's own, as it is now.
fn copy(from: &Path, place: &Place, request: &FileRequest) -> Result<Downloaded, FetchError> {
    let part = place.part();
    let disk = |source| FetchError::disk(&part, source);
    fs_err::copy(from, &part).map_err(disk)?;
    let Written { sha256, size } = sink::digest_file(&part).map_err(disk)?;
    if let Some(expected) = request.sha256.filter(|expected| *expected != sha256) {
        place.forget_part();
        let name = request.name.clone();
        return Err(FetchError::HashMismatch { name, expected, found: sha256 });
    }
    Ok(Downloaded { path: place.finish(&sha256)?, sha256, size, bytes_fetched: 0 })
}

/// A finished download, if it is there and still is what it should be: found without an address.
///
/// # Errors
/// A rotten file that cannot be removed.
pub async fn find_download(
    downloads: &Path,
    name: &str,
    sha256: &Sha256,
) -> Result<Option<Downloaded>, FetchError> {
    let place = Place::of(downloads, name, *sha256)?;
    finished(&place, sha256).await
}

async fn existing(place: &Place, request: &FileRequest) -> Result<Option<Downloaded>, FetchError> {
    match &request.sha256 {
        Some(sha256) => finished(place, sha256).await,
        None => Ok(None),
    }
}

async fn finished(place: &Place, sha256: &Sha256) -> Result<Option<Downloaded>, FetchError> {
    let path = place.whole(sha256);
    let checked = path.clone();
    let digest = tokio::task::spawn_blocking(move || sink::digest_file(&checked)).await;
    match digest {
        Ok(Ok(Written { sha256: found, size })) if found == *sha256 => {
            Ok(Some(Downloaded { path, sha256: found, size, bytes_fetched: 0 }))
        }
        Ok(Ok(_)) => {
            // Rotten on the disk: it is fetched again.
            fs_err::remove_file(&path).map_err(|source| FetchError::disk(&path, source))?;
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// One file on its way.
struct Transfer<'a> {
    fetcher: &'a Fetcher,
    request: &'a FileRequest,
    place: Place,
    reporter: &'a dyn Reporter,
    bytes_fetched: u64,
}

impl<'a> Transfer<'a> {
    async fn run(mut self) -> Result<Downloaded, FetchError> {
        // Told of once the size is known, and then over all tries.
        let mut progress = None;
        let mut retries = Retries::new(&self.fetcher.options);
        let mut best = 0;
        loop {
            match self.attempt(&mut progress).await {
                Ok(done) => return Ok(done),
                Err(failed) => {
                    // Only what can be built upon is progress: a server that always breaks off
                    // and cannot resume must not be asked for ever.
                    let kept = self.resumable(&self.place.recall());
                    if kept > best + WORTHWHILE {
                        best = kept;
                        retries.forgive();
                    }
                    retries.pause(failed, self.reporter).await?;
                }
            }
        }
    }

    async fn attempt(
        &mut self,
        progress: &mut Option<Progress<'a>>,
    ) -> Result<Downloaded, Attempt> {
        let mut memory = self.place.recall();
        let kept = self.resumable(&memory);
        if kept == 0
            && let Some(done) = self.unchanged().await?
        {
            return Ok(done);
        }
        let response = self.send(kept, &memory.validators).await?;
        let kept = self.accept(&response, kept, &memory)?;
        let total = self.check_total(&response, kept)?;
        memory = Memory { validators: Validators::of(response.headers()), sha256: None };
        self.place.remember(&memory).map_err(Attempt::Final)?;
        let packed = encoding::is_gzip(response.headers());
        let progress = progress.get_or_insert_with(|| self.start(kept, total));
        let mut written = self.stream(response, kept, progress).await?;
        if total.is_some_and(|total| total != written.size) {
            return Err(self.broken("less than it announced"));
        }
        let promised = self.request.sha256.as_ref();
        if packed && encoding::must_unpack(&self.request.name, &written.sha256, promised) {
            written = self.unpack()?;
        }
        self.keep(&written, kept, memory)
    }

    fn start(&self, kept: u64, total: Option<u64>) -> Progress<'a> {
        let name = self.request.name.clone();
        let task = Task { kind: TaskKind::Download, name, total };
        let progress = Progress::start(self.reporter, &task);
        progress.advance(kept);
        progress
    }

    /// How many bytes of an earlier try can be built upon.
    fn resumable(&self, memory: &Memory) -> u64 {
        if self.request.sha256.is_none() && memory.validators.strong().is_none() {
            return 0;
        }
        fs_err::metadata(self.place.part()).map_or(0, |part| part.len())
    }

    /// A file without a promised hash that was fetched before and that the server has not
    /// changed since, as its strong validator says.
    async fn unchanged(&self) -> Result<Option<Downloaded>, Attempt> {
        let memory = self.place.recall_whole();
        let (None, Some(sha256), Some(etag)) =
            (self.request.sha256, memory.sha256, memory.validators.strong())
        else {
            return Ok(None);
        };
        let clients = self.fetcher.clients().map_err(Attempt::Final)?;
        let url = &self.request.url;
        let response = self
            .fetcher
            .request(&clients.files, url)
            .header(ACCEPT_ENCODING, "identity")
            .header(RANGE, "bytes=0-0")
            .send()
            .await
            .map_err(|error| retry::broken_off(url, error))?;
        let same = response.status().is_success()
            && Validators::of(response.headers()).strong() == Some(etag);
        if !same {
            return Ok(None);
        }
        finished(&self.place, &sha256).await.map_err(Attempt::Final)
    }

    async fn send(&self, kept: u64, validators: &Validators) -> Result<Response, Attempt> {
        let clients = self.fetcher.clients().map_err(Attempt::Final)?;
        let url = &self.request.url;
        let mut request =
            self.fetcher.request(&clients.files, url).header(ACCEPT_ENCODING, "identity");
        if kept > 0 {
            request = request.header(RANGE, format!("bytes={kept}-"));
            if let Some(etag) = validators.strong() {
                request = request.header(IF_RANGE, etag);
            }
        }
        request.send().await.map_err(|error| retry::broken_off(url, error))
    }

    /// How many of the kept bytes the answer goes on from.
    fn accept(&self, response: &Response, kept: u64, memory: &Memory) -> Result<u64, Attempt> {
        match response.status() {
            StatusCode::PARTIAL_CONTENT if kept > 0 => {
                let came = Validators::of(response.headers());
                let continues = content_range(response.headers())
                    .is_some_and(|(first, _)| first == kept)
                    && came.etag.as_ref().is_none_or(|etag| {
                        memory.validators.etag.as_ref().is_none_or(|known| known == etag)
                    })
                    && !encoding::is_gzip(response.headers());
                if continues {
                    Ok(kept)
                } else {
                    Err(self.start_over("another part than asked for"))
                }
            }
            // The server ignores the range, or the file is another one now.
            StatusCode::OK => Ok(0),
            StatusCode::RANGE_NOT_SATISFIABLE if kept > 0 => {
                Err(self.start_over("no bytes after those that are here"))
            }
            status if status.is_success() => Err(self.start_over("a part instead of the whole")),
            status => Err(retry::refused(&self.request.url, status, response.headers())),
        }
    }

    /// The announced size of the whole. One that cannot be right ends the transfer before its
    /// first byte.
    fn check_total(&self, response: &Response, kept: u64) -> Result<Option<u64>, Attempt> {
        if encoding::is_gzip(response.headers()) {
            return Ok(None);
        }
        let total = if kept > 0 {
            content_range(response.headers()).map(|(_, total)| total)
        } else {
            response.content_length()
        };
        match (self.request.size, total) {
            (Some(expected), Some(found)) if expected != found => {
                self.place.forget_part();
                Err(self.wrong_size(expected, found))
            }
            _ => Ok(total.or(self.request.size)),
        }
    }

    async fn stream(
        &mut self,
        mut response: Response,
        kept: u64,
        progress: &Progress<'_>,
    ) -> Result<Written, Attempt> {
        // What does not compress grows a little when it is packed.
        let room = if encoding::is_gzip(response.headers()) { PACKING_ROOM } else { 0 };
        let sink = Sink::open(self.place.part(), kept);
        let mut size = kept;
        let mut broken = None;
        loop {
            let piece = match response.chunk().await {
                Ok(Some(piece)) => piece,
                Ok(None) => break,
                Err(error) => {
                    broken = Some(retry::broken_off(&self.request.url, error));
                    break;
                }
            };
            let count = piece.len() as u64;
            size += count;
            if let Some(expected) = self.request.size.filter(|expected| size > expected + room) {
                drop(sink);
                self.place.forget_part();
                return Err(self.wrong_size(expected, size));
            }
            self.bytes_fetched += count;
            progress.advance(count);
            if !sink.take(piece).await {
                break;
            }
        }
        // Also after a break: what has come is written, so that the next try goes on from there.
        let written = sink.finish().await.map_err(Attempt::Final)?;
        broken.map_or(Ok(written), Err)
    }

    fn unpack(&self) -> Result<Written, Attempt> {
        let part = self.place.part();
        let limit = self.request.size.map_or(u64::MAX, |size| size + 1);
        encoding::unpack_in_place(&part, limit)
            .map_err(|source| Attempt::Final(FetchError::disk(part, source)))
    }

    fn keep(&self, written: &Written, kept: u64, memory: Memory) -> Result<Downloaded, Attempt> {
        let Written { sha256, size } = *written;
        match self.request.sha256 {
            // The beginning may have been of another file.
            Some(expected) if expected != sha256 && kept > 0 => {
                return Err(self.start_over("bytes that do not fit those that are here"));
            }
            Some(expected) if expected != sha256 => {
                self.place.forget_part();
                let name = self.request.name.clone();
                return Err(Attempt::Final(FetchError::HashMismatch {
                    name,
                    expected,
                    found: sha256,
                }));
            }
            _ => {}
        }
        if let Some(expected) = self.request.size.filter(|expected| *expected != size) {
            self.place.forget_part();
            return Err(self.wrong_size(expected, size));
        }
        let path = self.place.finish(&sha256).map_err(Attempt::Final)?;
        if self.request.sha256.is_none() {
            let memory = Memory { sha256: Some(sha256), ..memory };
            self.place.remember_whole(&memory).map_err(Attempt::Final)?;
        }
        Ok(Downloaded { path, sha256, size, bytes_fetched: self.bytes_fetched })
    }

    fn start_over(&self, problem: &'static str) -> Attempt {
        self.place.forget_part();
        self.broken(problem)
    }

    fn broken(&self, problem: &'static str) -> Attempt {
        Attempt::Passing(FetchError::Broken { what: shown(&self.request.url), problem }, None)
    }

    fn wrong_size(&self, expected: u64, found: u64) -> Attempt {
        let name = self.request.name.clone();
        Attempt::Final(FetchError::SizeMismatch { name, expected, found })
    }
}

/// A try that brought this many bytes was no waste, and the next failure is a new one.
const WORTHWHILE: u64 = 1024 * 1024;
const PACKING_ROOM: u64 = 1024 * 1024;
