//! Finds one file in a zip archive of which only pieces are here.
//!
//! No IO: a step either has the file or says which bytes it needs next. The layout is that of
//! PKWARE's APPNOTE, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.14 to 4.3.16 (its
//! ends, with zip64).

use std::io::Read;
use std::ops::Range;

use bytes::Bytes;

use super::zip_directory::{Fields, Member, walk};

/// Pieces of a file, each at its place.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    total: u64,
    pieces: Vec<(u64, Bytes)>,
}

impl Pieces {
    /// Pieces of a file of `total` bytes.
    pub(crate) fn new(total: u64) -> Self {
        Self { total, pieces: Vec::new() }
    }

    pub(crate) fn add(&mut self, first: u64, bytes: Bytes) {
        self.pieces.push((first, bytes));
    }

    /// Bytes of the whole file.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    fn slice(&self, range: Range<u64>) -> Result<&[u8], Stop> {
        if range.start > range.end || range.end > self.total {
            return Err(Stop::Damaged("an offset outside of itself"));
        }
        if range.end - range.start > LARGEST_PIECE {
            return Err(Stop::Damaged("a directory of absurd size"));
        }
        let found = self.pieces.iter().find_map(|(first, bytes)| {
            let from = usize::try_from(range.start.checked_sub(*first)?).ok()?;
            let to = usize::try_from(range.end.checked_sub(*first)?).ok()?;
            bytes.get(from..to)
        });
        found.ok_or(Stop::Needs(range))
    }
}

/// Why there is no file yet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// These bytes are needed.
    Needs(Range<u64>),
    /// The archive is no wheel, and how.
    Damaged(&'static str),
}

/// The METADATA file of the wheel `name`, once all pieces that it needs are here.
pub(super) fn metadata(pieces: &Pieces, name: &str) -> Result<Vec<u8>, Stop> {
    let directory = directory(pieces)?;
    let start = directory.start;
    let entry = find(pieces.slice(directory)?, name)?;
    // The local header repeats the name and may have other extra fields: one read with some
    // room takes header and data together.
    let packed = entry.packed;
    let room = LOCAL_HEADER + entry.name.len() as u64 + EXTRA_ROOM;
    let wanted = entry.offset..entry.offset.saturating_add(packed).saturating_add(room).min(start);
    let data = data_start(&entry, pieces.slice(wanted)?)?;
    let packed = pieces.slice(data..data.saturating_add(packed))?;
    unpack(&entry, packed)
}

/// Every file of the archive, in the directory's order, once the directory is here.
pub(crate) fn members(pieces: &Pieces) -> Result<Vec<Member>, Stop> {
    walk(pieces.slice(directory(pieces)?)?)
}

/// Where the data of a member begins; the bytes are those from its local header on.
pub(crate) fn data_start(member: &Member, local: &[u8]) -> Result<u64, Stop> {
    let header = Fields(local);
    if header.u32(0) != Some(LOCAL_MAGIC) {
        return Err(Stop::Damaged("a directory that points at no file"));
    }
    let before = LOCAL_HEADER + u64::from(header.u16(26)?) + u64::from(header.u16(28)?);
    Ok(member.offset.saturating_add(before))
}

/// Where the directory lies.
fn directory(pieces: &Pieces) -> Result<Range<u64>, Stop> {
    let total = pieces.total;
    let tail_start = total.saturating_sub(END_LEN + LONGEST_COMMENT);
    // Most archives have no comment; only where the end is not here is more asked for.
    let known = pieces
        .pieces
        .iter()
        .filter(|(first, bytes)| first + bytes.len() as u64 == total)
        .min_by_key(|(first, _)| *first);
    let (start, tail) = match known {
        Some((first, bytes)) => (*first, bytes.as_ref()),
        None => return Err(Stop::Needs(tail_start..total)),
    };
    let Some(at) = end_of_directory(tail) else {
        return Err(if start <= tail_start {
            Stop::Damaged("no end of a zip archive")
        } else {
            Stop::Needs(tail_start..total)
        });
    };
    let end = Fields(&tail[at..]);
    let (size, offset) = (u64::from(end.u32_or(12)?), u64::from(end.u32_or(16)?));
    let end_at = start + at as u64;
    if size < u64::from(u32::MAX) && offset < u64::from(u32::MAX) {
        return Ok(offset..offset + size);
    }
    let locator_at = end_at.checked_sub(LOCATOR_LEN).ok_or(Stop::Damaged("no zip64 locator"))?;
    let locator = Fields(pieces.slice(locator_at..end_at)?);
    if locator.u32(0) != Some(LOCATOR_MAGIC) {
        return Err(Stop::Damaged("no zip64 locator"));
    }
    let end64_at = locator.u64(8)?;
    let end64 = Fields(pieces.slice(end64_at..end64_at.saturating_add(END64_LEN))?);
    if end64.u32(0) != Some(END64_MAGIC) {
        return Err(Stop::Damaged("no zip64 directory"));
    }
    let (size, offset) = (end64.u64(40)?, end64.u64(48)?);
    Ok(offset..offset.saturating_add(size))
}

/// The last end record whose comment ends where the archive does.
fn end_of_directory(tail: &[u8]) -> Option<usize> {
    let last = tail.len().checked_sub(22)?;
    (0..=last).rev().find(|at| {
        let record = Fields(&tail[*at..]);
        record.u32(0) == Some(END_MAGIC)
            && record.u16(20).is_ok_and(|comment| at + 22 + usize::from(comment) == tail.len())
    })
}

/// The directory's entry of `NAME-VERSION.dist-info/METADATA`; a wheel that vendors others may
/// hold several, and then the wheel's own name decides.
fn find(directory: &[u8], wheel: &str) -> Result<Member, Stop> {
    let mut parts = wheel.split('-');
    let own = [parts.next().unwrap_or_default(), parts.next().unwrap_or_default()].map(plain);
    let mut candidates = Vec::new();
    for member in walk(directory)? {
        let folder = member.name.strip_suffix(SUFFIX);
        if let Some(folder) = folder.filter(|folder| !folder.contains('/')) {
            let is_own = folder
                .split_once('-')
                .is_some_and(|(name, version)| [plain(name), plain(version)] == own);
            candidates.push((is_own, member));
        }
    }
    let only = candidates.len() == 1;
    let chosen = candidates.into_iter().find(|(is_own, _)| *is_own || only);
    chosen.map(|(_, member)| member).ok_or(Stop::Damaged("no METADATA of its own"))
}

fn plain(text: &str) -> String {
    text.replace(['-', '.'], "_").to_ascii_lowercase()
}

fn unpack(entry: &Member, packed: &[u8]) -> Result<Vec<u8>, Stop> {
    if entry.unpacked > LARGEST_METADATA {
        return Err(Stop::Damaged("METADATA of absurd size"));
    }
    let mut out = Vec::new();
    let read = match entry.method {
        0 => packed.take(LARGEST_METADATA).read_to_end(&mut out),
        8 => flate2::read::DeflateDecoder::new(packed).take(LARGEST_METADATA).read_to_end(&mut out),
        _ => return Err(Stop::Damaged("METADATA packed in an unknown way")),
    };
    let mut crc = flate2::Crc::new();
    crc.update(&out);
    if read.is_err() || crc.sum() != entry.crc || out.len() as u64 != entry.unpacked {
        return Err(Stop::Damaged("damaged METADATA"));
    }
    Ok(out)
}

const SUFFIX: &str = ".dist-info/METADATA";
const END_MAGIC: u32 = 0x0605_4b50;
const END64_MAGIC: u32 = 0x0606_4b50;
const LOCATOR_MAGIC: u32 = 0x0706_4b50;
const LOCAL_MAGIC: u32 = 0x0403_4b50;
const END_LEN: u64 = 22;
const END64_LEN: u64 = 56;
const LOCATOR_LEN: u64 = 20;
const LOCAL_HEADER: u64 = 30;
const LONGEST_COMMENT: u64 = 65_535;
const EXTRA_ROOM: u64 = 128;
const LARGEST_PIECE: u64 = 64 * 1024 * 1024;
const LARGEST_METADATA: u64 = 16 * 1024 * 1024;

#[cfg(test)]
#[path = "zip_tail_tests.rs"]
mod tests;
