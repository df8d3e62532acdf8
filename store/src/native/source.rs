//! Where bytes come from: a slice, or a file of which only parts are read.

use std::io::{self, Read, Seek, SeekFrom};

/// Bytes at places. A short answer is an error, so that a cut-off file is never read as zeros.
pub trait Source {
    /// Bytes in all.
    fn length(&self) -> u64;

    /// Fills `buffer` from `offset` on.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl Source for [u8] {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let end = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let from = usize::try_from(offset).map_err(|_| end())?;
        let to = from.checked_add(buffer.len()).ok_or_else(end)?;
        buffer.copy_from_slice(self.get(from..to).ok_or_else(end)?);
        Ok(())
    }
}

impl Source for Vec<u8> {
    fn length(&self) -> u64 {
        self.as_slice().length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.as_slice().read_at(offset, buffer)
    }
}

/// A file on the disk.
#[derive(Debug)]
pub struct DiskSource {
    file: std::fs::File,
    length: u64,
}

impl DiskSource {
    /// An open file, as long as it is now.
    pub fn new(file: std::fs::File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file, length })
    }

    /// Opens a file.
    pub fn open(path: &std::path::Path) -> io::Result<Self> {
        Self::new(fs_err::File::open(path)?.into_parts().0)
    }
}

impl Source for DiskSource {
    fn length(&self) -> u64 {
        self.length
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    #[cfg(not(unix))]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}

impl dyn Source + '_ {
    /// The first bytes; zeros where there are fewer.
    pub(super) fn start<const N: usize>(&self) -> [u8; N] {
        let mut start = [0; N];
        let here = self.bytes(0, self.length(), N as u64).unwrap_or_default();
        start[..here.len()].copy_from_slice(&here);
        start
    }

    /// So many bytes at a place.
    pub(super) fn array<const N: usize>(&self, offset: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.read_at(offset, &mut bytes).ok()?;
        Some(bytes)
    }

    /// At most `limit` bytes from `offset` to `end`.
    pub(super) fn bytes(&self, offset: u64, end: u64, limit: u64) -> Option<Vec<u8>> {
        let length = end.min(self.length()).checked_sub(offset)?.min(limit);
        let mut bytes = vec![0; usize::try_from(length).ok()?];
        self.read_at(offset, &mut bytes).ok()?;
        Some(bytes)
    }
}

/// A part of a source, read one piece after the other.
pub(super) struct Stream<'s> {
    source: &'s dyn Source,
    start: u64,
    at: u64,
    end: u64,
}

impl<'s> Stream<'s> {
    /// From `start` to `end`, which may not lie behind the source's.
    pub(super) fn new(source: &'s dyn Source, start: u64, end: u64) -> Self {
        Self { source, start, at: start, end: end.min(source.length()) }
    }

    /// All of it.
    pub(super) fn all(source: &'s dyn Source) -> Self {
        Self::new(source, 0, u64::MAX)
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let length = left.min(buffer.len());
        self.source.read_at(self.at, &mut buffer[..length])?;
        self.at += length as u64;
        Ok(length)
    }
}

impl Seek for Stream<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(offset) => self.start.checked_add(offset),
            SeekFrom::End(offset) => self.end.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
        };
        self.at = at
            .filter(|at| *at >= self.start)
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.at - self.start)
    }
}

/// Little-endian numbers at places of a slice.
pub(super) struct Fields<'b>(pub(super) &'b [u8]);

impl Fields<'_> {
    pub(super) fn u16(&self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes(self.0.get(at..at.checked_add(2)?)?.try_into().ok()?))
    }

    pub(super) fn u32(&self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.0.get(at..at.checked_add(4)?)?.try_into().ok()?))
    }

    pub(super) fn u64(&self, at: usize) -> Option<u64> {
        Some(u64::from_le_bytes(self.0.get(at..at.checked_add(8)?)?.try_into().ok()?))
    }
}
