//! The METADATA of one wheel, for as few bytes as its server allows.
//!
//! Where the index says that `FILE.metadata` is served, that (PEP 658); else the end of the
//! wheel and the one entry in it; else, where the server serves no parts of files, the whole
//! wheel, which then lies among the downloads for its installation.

use std::path::{Path, PathBuf};

use rocmenv_manifests::catalog::PythonFile;
use rocmenv_manifests::digest::Sha256;
use url::Url;

use super::extent::Extent;
use super::zip_tail::{self, Pieces, Stop};
use crate::fetch::{FailureClass, FetchError, Fetcher, FileRequest, Get, Part};
use crate::report::{Notice, Reporter};

/// A wheel and where it is.
#[derive(Debug, Clone, Copy)]
pub struct WheelPlace<'a> {
    /// The address of the wheel (a `file` address for one of the user's own folders).
    pub address: &'a Url,
    /// What its page says of it.
    pub file: &'a PythonFile,
    /// Where a whole wheel is kept, if it must be fetched.
    pub downloads: &'a Path,
}

/// What a wheel says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WheelMetadata {
    /// The METADATA file.
    pub text: String,
    /// How many bytes of body came over the network for it.
    pub bytes_fetched: u64,
    /// The wheel's hash, where all of it had to be fetched.
    pub sha256: Option<Sha256>,
    /// What the wheel weighs, where its end was read.
    pub extent: Option<Extent>,
}

/// The metadata of a wheel could not be had.
#[derive(Debug, thiserror::Error)]
pub enum MetadataError {
    /// The network, or a wheel that is not what its index promised.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The wheel is none.
    #[error("`{name}` is no wheel: it has {problem}")]
    Damaged {
        /// The file.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A wheel of the user's own cannot be read.
    #[error("cannot read the wheel `{path}`")]
    Local {
        /// The file.
        path: PathBuf,
        /// The system's word.
        #[source]
        source: std::io::Error,
    },
}

impl MetadataError {
    /// Which kind of failure it is.
    pub fn class(&self) -> FailureClass {
        match self {
            Self::Fetch(error) => error.class(),
            Self::Damaged { .. } => FailureClass::Integrity,
            Self::Local { .. } => FailureClass::Local,
        }
    }
}

/// Gets the METADATA of a wheel.
///
/// # Errors
/// The network, a damaged wheel, or the disk.
pub async fn fetch_metadata(
    fetcher: &Fetcher,
    wheel: WheelPlace<'_>,
    reporter: &dyn Reporter,
) -> Result<WheelMetadata, MetadataError> {
    if wheel.address.scheme() == "file" {
        return local(wheel);
    }
    let mut reading = Reading { fetcher, wheel, reporter, bytes_fetched: 0 };
    if wheel.file.has_metadata
        && let Some(text) = reading.beside().await?
    {
        return Ok(reading.done(&text, None, None));
    }
    match reading.at_the_end().await? {
        Some((text, extent)) => Ok(reading.done(&text, None, extent)),
        None => reading.whole().await,
    }
}

struct Reading<'a> {
    fetcher: &'a Fetcher,
    wheel: WheelPlace<'a>,
    reporter: &'a dyn Reporter,
    bytes_fetched: u64,
}

impl Reading<'_> {
    /// `FILE.metadata`, which some indexes promise and then do not have.
    async fn beside(&mut self) -> Result<Option<Vec<u8>>, MetadataError> {
        let mut address = self.wheel.address.clone();
        address.set_path(&format!("{}.metadata", address.path()));
        let question = Get { expected: &[403, 404], ..Get::new(&address) };
        let reply = self.fetcher.get(&question, self.reporter).await?;
        self.bytes_fetched += reply.body.len() as u64;
        Ok((reply.status == 200).then(|| reply.body.to_vec()))
    }

    /// From the wheel's end. `None`: the server serves no parts.
    async fn at_the_end(&mut self) -> Result<Option<Read>, MetadataError> {
        let Some((first, total, body)) = self.part(Part::Last(FIRST_READ)).await? else {
            return Ok(None);
        };
        if first + body.len() as u64 != total {
            return Ok(None);
        }
        let mut pieces = Pieces::new(total);
        pieces.add(first, body);
        for _ in 0..MOST_READS {
            match zip_tail::metadata(&pieces, &self.wheel.file.name) {
                Ok(text) => return Ok(Some((text, Extent::of(&pieces).ok()))),
                Err(Stop::Damaged(problem)) => return Err(self.damaged(problem)),
                Err(Stop::Needs(range)) => {
                    let part = Part::Bytes(range.start, range.end.saturating_sub(1));
                    match self.part(part).await? {
                        Some((first, _, body)) if first == range.start => pieces.add(first, body),
                        // Another part than asked for: this server cannot be read in parts.
                        _ => return Ok(None),
                    }
                }
            }
        }
        Err(self.damaged("a directory that leads nowhere"))
    }

    /// First byte, length of the whole, and the bytes of a part.
    async fn part(&mut self, part: Part) -> Result<Option<(u64, u64, bytes::Bytes)>, FetchError> {
        let question =
            Get { part: Some(part), expected: &[405, 416, 501], ..Get::new(self.wheel.address) };
        let reply = self.fetcher.get(&question, self.reporter).await?;
        self.bytes_fetched += reply.body.len() as u64;
        Ok(match (reply.status, reply.range) {
            (206, Some((first, total))) => Some((first, total, reply.body)),
            _ => None,
        })
    }

    async fn whole(mut self) -> Result<WheelMetadata, MetadataError> {
        let file = self.wheel.file;
        self.reporter.noticed(&Notice::NoRanges { name: file.name.clone() });
        let request = FileRequest {
            url: self.wheel.address.clone(),
            name: file.name.clone(),
            sha256: file.sha256,
            size: file.size,
        };
        let downloaded =
            self.fetcher.download(&request, self.wheel.downloads, self.reporter).await?;
        self.bytes_fetched += downloaded.bytes_fetched;
        let (text, extent) = read_wheel(&downloaded.path, &file.name)?;
        Ok(self.done(&text, Some(downloaded.sha256), extent))
    }

    fn done(&self, text: &[u8], sha256: Option<Sha256>, extent: Option<Extent>) -> WheelMetadata {
        let text = String::from_utf8_lossy(text).into_owned();
        WheelMetadata { text, bytes_fetched: self.bytes_fetched, sha256, extent }
    }

    fn damaged(&self, problem: &'static str) -> MetadataError {
        MetadataError::Damaged { name: self.wheel.file.name.clone(), problem }
    }
}

fn local(wheel: WheelPlace<'_>) -> Result<WheelMetadata, MetadataError> {
    let path = wheel.address.to_file_path().map_err(|()| MetadataError::Damaged {
        name: wheel.file.name.clone(),
        problem: "no path on this system",
    })?;
    let (text, extent) = read_wheel(&path, &wheel.file.name)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(WheelMetadata { text, bytes_fetched: 0, sha256: None, extent })
}

/// The METADATA file of a wheel, and what it weighs.
type Read = (Vec<u8>, Option<Extent>);

fn read_wheel(path: &Path, name: &str) -> Result<Read, MetadataError> {
    in_parts(path, name, |pieces| {
        zip_tail::metadata(pieces, name).map(|text| (text, Extent::of(pieces).ok()))
    })
}

/// Something of a wheel on the disk, read in the same parts as over the network. `name` is for
/// what is said of a damaged one.
pub(super) fn in_parts<T>(
    path: &Path,
    name: &str,
    find: impl Fn(&Pieces) -> Result<T, Stop>,
) -> Result<T, MetadataError> {
    use std::io::{Read, Seek, SeekFrom};
    let unreadable = |source| MetadataError::Local { path: path.to_owned(), source };
    let mut file = fs_err::File::open(path).map_err(unreadable)?;
    let total = file.metadata().map_err(unreadable)?.len();
    let mut pieces = Pieces::new(total);
    let mut wanted = total.saturating_sub(FIRST_READ)..total;
    for _ in 0..MOST_READS {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(wanted.start)).map_err(unreadable)?;
        let mut part = (&mut file).take(wanted.end - wanted.start);
        part.read_to_end(&mut bytes).map_err(unreadable)?;
        pieces.add(wanted.start, bytes.into());
        match find(&pieces) {
            Ok(found) => return Ok(found),
            Err(Stop::Needs(range)) => wanted = range,
            Err(Stop::Damaged(problem)) => {
                return Err(MetadataError::Damaged { name: name.to_owned(), problem });
            }
        }
    }
    Err(MetadataError::Damaged { name: name.to_owned(), problem: "a directory that leads nowhere" })
}

/// Holds the directory, and mostly the METADATA before it, of all but the largest wheels.
const FIRST_READ: u64 = 32 * 1024;
/// End, zip64 end, directory, entry, and once more where the entry's header is unusual.
const MOST_READS: usize = 8;
