//! A file of which only parts are read: over the network by ranges, or from the disk.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use url::Url;

use super::ProofError;
use crate::fetch::{Fetcher, Get, Part};
use crate::report::Reporter;

/// Where an archive is.
#[derive(Clone, Copy)]
pub enum Place<'a> {
    /// At an address.
    Address(&'a Fetcher, &'a Url),
    /// On the disk.
    File(&'a Path),
}

/// Reads parts, and counts what came.
pub(super) struct Ranges<'a> {
    place: Place<'a>,
    reporter: &'a dyn Reporter,
    pub(super) total: u64,
    pub(super) fetched: u64,
}

impl<'a> Ranges<'a> {
    /// Reads the last bytes first, which tells the length. Gives where they begin.
    pub(super) async fn open(
        place: Place<'a>,
        last: u64,
        reporter: &'a dyn Reporter,
    ) -> Result<(Self, u64, Bytes), ProofError> {
        let mut ranges = Self { place, reporter, total: 0, fetched: 0 };
        match place {
            Place::Address(fetcher, url) => {
                let (first, total, bytes) = ranges.part(fetcher, url, Part::Last(last)).await?;
                ranges.total = total;
                Ok((ranges, first, bytes))
            }
            Place::File(path) => {
                let length = fs_err::metadata(path).map_err(|e| local(path, e))?.len();
                ranges.total = length;
                let first = length.saturating_sub(last);
                let bytes = ranges.read(first..length).await?;
                Ok((ranges, first, bytes))
            }
        }
    }

    /// The bytes of a range, all of them.
    pub(super) async fn read(&mut self, range: Range<u64>) -> Result<Bytes, ProofError> {
        let wanted = range.end.min(self.total).saturating_sub(range.start);
        if wanted == 0 {
            return Ok(Bytes::new());
        }
        let bytes = match self.place {
            Place::Address(fetcher, url) => {
                let part = Part::Bytes(range.start, range.start + wanted - 1);
                let (first, _, bytes) = self.part(fetcher, url, part).await?;
                if first != range.start {
                    return Err(ProofError::NoRanges { name: self.name() });
                }
                bytes
            }
            Place::File(path) => {
                let mut file = fs_err::File::open(path).map_err(|e| local(path, e))?;
                file.seek(SeekFrom::Start(range.start)).map_err(|e| local(path, e))?;
                let mut bytes = Vec::new();
                file.take(wanted).read_to_end(&mut bytes).map_err(|e| local(path, e))?;
                self.fetched += bytes.len() as u64;
                bytes.into()
            }
        };
        if bytes.len() as u64 == wanted {
            Ok(bytes)
        } else {
            Err(self.damaged("a part that is cut off"))
        }
    }

    pub(super) fn name(&self) -> String {
        match self.place {
            Place::Address(_, url) => {
                let name = url.path_segments().and_then(|mut parts| parts.next_back());
                name.unwrap_or_default().to_owned()
            }
            Place::File(path) => path.display().to_string(),
        }
    }

    pub(super) fn damaged(&self, problem: &'static str) -> ProofError {
        ProofError::Damaged { name: self.name(), problem }
    }

    async fn part(
        &mut self,
        fetcher: &Fetcher,
        url: &Url,
        part: Part,
    ) -> Result<(u64, u64, Bytes), ProofError> {
        let question = Get { part: Some(part), expected: &[405, 416, 501], ..Get::new(url) };
        let reply = fetcher.get(&question, self.reporter).await?;
        self.fetched += reply.body.len() as u64;
        match (reply.status, reply.range) {
            (206, Some((first, total))) => Ok((first, total, reply.body)),
            _ => Err(ProofError::NoRanges { name: self.name() }),
        }
    }
}

fn local(path: &Path, source: std::io::Error) -> ProofError {
    ProofError::Local { path: PathBuf::from(path), source }
}
