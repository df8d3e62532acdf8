//! Finds one file in a zip archive of which only pieces are here.
//!
//! No IO: a step either has the file or says which bytes it needs next. The layout is that of
//! PKWARE's APPNOTE, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.14 to 4.3.16 (its
//! ends, with zip64).

use std::io::Read;
use std::ops::Range;

use bytes::Bytes;

/// Pieces of a file, each at its place.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    total: u64,
    pieces: Vec<(u64, Bytes)>,
}

impl Pieces {
    /// Pieces of a file of `total` bytes.
    pub(super) fn new(total: u64) -> Self {
        Self { total, pieces: Vec::new() }
    }

    pub(super) fn add(&mut self, first: u64, bytes: Bytes) {
        self.pieces.push((first, bytes));
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
pub(super) enum Stop {
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
    let room = LOCAL_HEADER + entry.name_len + EXTRA_ROOM;
    let wanted = entry.offset..entry.offset.saturating_add(packed).saturating_add(room).min(start);
    let local = pieces.slice(wanted)?;
    let header = Fields(local);
    if header.u32(0) != Some(LOCAL_MAGIC) {
        return Err(Stop::Damaged("a directory that points at no file"));
    }
    let before = LOCAL_HEADER + u64::from(header.u16(26)?) + u64::from(header.u16(28)?);
    let data = entry.offset.saturating_add(before);
    let packed = pieces.slice(data..data.saturating_add(packed))?;
    unpack(&entry, packed)
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

struct Entry {
    method: u16,
    crc: u32,
    packed: u64,
    unpacked: u64,
    offset: u64,
    name_len: u64,
}

/// The directory's entry of `NAME-VERSION.dist-info/METADATA`; a wheel that vendors others may
/// hold several, and then the wheel's own name decides.
fn find(directory: &[u8], wheel: &str) -> Result<Entry, Stop> {
    let mut parts = wheel.split('-');
    let own = [parts.next().unwrap_or_default(), parts.next().unwrap_or_default()].map(plain);
    let mut rest = directory;
    let mut candidates = Vec::new();
    while rest.len() >= 46 {
        let fields = Fields(rest);
        if fields.u32(0) != Some(DIRECTORY_MAGIC) {
            return Err(Stop::Damaged("a damaged directory"));
        }
        let length = |at| fields.u16(at).map(usize::from);
        let name_end = 46 + length(28)?;
        let extra_end = name_end + length(30)?;
        let comment_len = length(32)?;
        let cut = Stop::Damaged("a directory that is cut off");
        let (Some(name), Some(extra)) = (rest.get(46..name_end), rest.get(name_end..extra_end))
        else {
            return Err(cut);
        };
        let folder = std::str::from_utf8(name).ok().and_then(|n| n.strip_suffix(SUFFIX));
        if let Some(folder) = folder.filter(|folder| !folder.contains('/')) {
            let is_own = folder
                .split_once('-')
                .is_some_and(|(name, version)| [plain(name), plain(version)] == own);
            candidates.push((is_own, entry(&fields, extra)?));
        }
        rest = rest.get(extra_end + comment_len..).ok_or(cut)?;
    }
    let only = candidates.len() == 1;
    let chosen = candidates.into_iter().find(|(is_own, _)| *is_own || only);
    chosen.map(|(_, entry)| entry).ok_or(Stop::Damaged("no METADATA of its own"))
}

fn plain(text: &str) -> String {
    text.replace(['-', '.'], "_").to_ascii_lowercase()
}

fn entry(fields: &Fields<'_>, mut extra: &[u8]) -> Result<Entry, Stop> {
    let mut entry = Entry {
        method: fields.u16(10)?,
        crc: fields.u32_or(16)?,
        packed: u64::from(fields.u32_or(20)?),
        unpacked: u64::from(fields.u32_or(24)?),
        offset: u64::from(fields.u32_or(42)?),
        name_len: u64::from(fields.u16(28)?),
    };
    while extra.len() >= 4 {
        let header = Fields(extra);
        let (id, len) = (header.u16(0)?, usize::from(header.u16(2)?));
        let body = extra.get(4..4 + len).ok_or(Stop::Damaged("a damaged zip64 field"))?;
        if id == ZIP64_EXTRA {
            let mut at = 0;
            for value in [&mut entry.unpacked, &mut entry.packed, &mut entry.offset] {
                if *value == u64::from(u32::MAX) {
                    *value = Fields(body).u64(at)?;
                    at += 8;
                }
            }
        }
        extra = &extra[4 + len..];
    }
    Ok(entry)
}

fn unpack(entry: &Entry, packed: &[u8]) -> Result<Vec<u8>, Stop> {
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

/// Little-endian numbers at places.
struct Fields<'b>(&'b [u8]);

impl Fields<'_> {
    fn array<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..at + N)?.try_into().ok()
    }

    fn u16(&self, at: usize) -> Result<u16, Stop> {
        self.array(at).map(u16::from_le_bytes).ok_or(SHORT)
    }

    fn u32(&self, at: usize) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    fn u32_or(&self, at: usize) -> Result<u32, Stop> {
        self.u32(at).ok_or(SHORT)
    }

    fn u64(&self, at: usize) -> Result<u64, Stop> {
        self.array(at).map(u64::from_le_bytes).ok_or(SHORT)
    }
}

const SHORT: Stop = Stop::Damaged("a record that is cut off");
const SUFFIX: &str = ".dist-info/METADATA";
const END_MAGIC: u32 = 0x0605_4b50;
const END64_MAGIC: u32 = 0x0606_4b50;
const LOCATOR_MAGIC: u32 = 0x0706_4b50;
const DIRECTORY_MAGIC: u32 = 0x0201_4b50;
const LOCAL_MAGIC: u32 = 0x0403_4b50;
const ZIP64_EXTRA: u16 = 1;
const END_LEN: u64 = 22;
const END64_LEN: u64 = 56;
const LOCATOR_LEN: u64 = 20;
const LOCAL_HEADER: u64 = 30;
const LONGEST_COMMENT: u64 = 65_535;
const EXTRA_ROOM: u64 = 128;
const LARGEST_PIECE: u64 = 64 * 1024 * 1024;
const LARGEST_METADATA: u64 = 16 * 1024 * 1024;

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use proptest::prelude::*;
    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    const WHEEL: &str = "Demo_Pkg-1.0-py3-none-any.whl";
    const OWN: &str = "demo_pkg-1.0.dist-info/METADATA";

    struct Archive {
        before: Vec<usize>,
        metadata: String,
        after: Vec<usize>,
        comment: usize,
        is_large: bool,
        is_packed: bool,
    }

    impl Archive {
        fn bytes(&self) -> Vec<u8> {
            let method = if self.is_packed {
                zip::CompressionMethod::Deflated
            } else {
                zip::CompressionMethod::Stored
            };
            let options =
                SimpleFileOptions::default().compression_method(method).large_file(self.is_large);
            let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
            let mut add = |name: String, bytes: &[u8]| {
                zip.start_file(name, options).unwrap();
                zip.write_all(bytes).unwrap();
            };
            for (at, size) in self.before.iter().enumerate() {
                add(format!("before/{at}"), &vec![b'b'; *size]);
            }
            add("vendored/other-2.0.dist-info/METADATA".to_owned(), b"wrong");
            add("other-2.0.dist-info/METADATA".to_owned(), b"wrong");
            add(OWN.to_owned(), self.metadata.as_bytes());
            for (at, size) in self.after.iter().enumerate() {
                add(format!("after/{at}"), &vec![b'a'; *size]);
            }
            zip.set_raw_comment(vec![b'c'; self.comment].into()).unwrap();
            zip.finish().unwrap().into_inner()
        }
    }

    /// Reads as over a network, and counts the reads.
    fn read(bytes: &[u8], first_read: u64) -> Result<(Vec<u8>, usize), Stop> {
        let total = bytes.len() as u64;
        let mut pieces = Pieces::new(total);
        let mut wanted = total.saturating_sub(first_read)..total;
        for reads in 1..10 {
            let range =
                usize::try_from(wanted.start).unwrap()..usize::try_from(wanted.end).unwrap();
            pieces.add(wanted.start, Bytes::copy_from_slice(&bytes[range]));
            match metadata(&pieces, WHEEL) {
                Err(Stop::Needs(range)) => wanted = range,
                Err(stop) => return Err(stop),
                Ok(text) => return Ok((text, reads)),
            }
        }
        panic!("it never ends");
    }

    proptest! {
        #[test]
        fn whatever_the_archive_its_metadata_is_found(
            before in proptest::collection::vec(0_usize..3_000, 0..20),
            metadata in "[ -~\n]{0,3000}",
            after in proptest::collection::vec(0_usize..3_000, 0..20),
            comment in prop_oneof![Just(0_usize), 0..65_535_usize],
            is_large: bool,
            is_packed: bool,
            first_read in 22_u64..8_000,
        ) {
            let archive = Archive { before, metadata, after, comment, is_large, is_packed };
            let (text, reads) = read(&archive.bytes(), first_read).unwrap();
            prop_assert_eq!(text, archive.metadata.as_bytes());
            prop_assert!(reads <= 5, "{} reads", reads);
        }

        #[test]
        fn no_damage_stops_the_reader(at in 0_usize..900, byte: u8, cut in 0_usize..900) {
            let archive = Archive {
                before: vec![10],
                metadata: "Name: x\n".to_owned(),
                after: vec![10],
                comment: 3,
                is_large: true,
                is_packed: true,
            };
            let mut bytes = archive.bytes();
            let length = bytes.len();
            bytes[at % length] = byte;
            let _ = read(&bytes, 64);
            bytes.truncate(cut % length);
            let _ = read(&bytes, 64);
        }
    }

    /// As for archives of more than 4 GiB: the plain end record only says to look elsewhere.
    #[test]
    fn a_zip64_directory_is_found() {
        let archive = Archive {
            before: vec![100],
            metadata: "Name: demo\n".to_owned(),
            after: vec![],
            comment: 0,
            is_large: true,
            is_packed: true,
        };
        let mut bytes = archive.bytes();
        let end = bytes.split_off(bytes.len() - 22);
        let (size, offset) = (&end[12..16], &end[16..20]);
        let end64_at = bytes.len() as u64;
        let wide = |field: &[u8]| [field, &[0; 4]].concat();
        bytes.extend(END64_MAGIC.to_le_bytes());
        bytes.extend([0; 36]);
        bytes.extend(wide(size));
        bytes.extend(wide(offset));
        bytes.extend(LOCATOR_MAGIC.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(end64_at.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(END_MAGIC.to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend([0xff; 8]);
        bytes.extend([0; 2]);
        let (text, reads) = read(&bytes, 22).unwrap();
        assert_eq!(text, b"Name: demo\n");
        assert!(reads <= 5);
    }
}
