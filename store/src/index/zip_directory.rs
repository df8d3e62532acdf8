//! The directory of a zip archive: what it holds and where.
//!
//! No IO, and nothing is believed: a count or a length that leads out of the directory ends it.
//! Layout: PKWARE's APPNOTE, section 4.3.12, with the zip64 field of 4.5.3.

use super::zip_tail::{Pieces, Stop, members};

/// One file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its path.
    pub name: String,
    /// How it is packed: 0 not at all, 8 deflate.
    pub method: u16,
    /// The checksum of its content.
    pub crc: u32,
    /// Bytes in the archive.
    pub packed: u64,
    /// Bytes of its content.
    pub unpacked: u64,
    /// Where its local header begins.
    pub offset: u64,
    /// Whether it is a program; `None` where the archive keeps no modes of Unix.
    pub executable: Option<bool>,
}

/// The files of a whole archive.
///
/// # Errors
/// What is wrong with it.
pub fn archive_members(archive: &[u8]) -> Result<Vec<Member>, &'static str> {
    let mut pieces = Pieces::new(archive.len() as u64);
    pieces.add(0, bytes::Bytes::copy_from_slice(archive));
    members(&pieces).map_err(|stop| match stop {
        Stop::Damaged(problem) => problem,
        Stop::Needs(_) => "a directory that leads out of it",
    })
}

/// Every entry of a directory.
pub(super) fn walk(directory: &[u8]) -> Result<Vec<Member>, Stop> {
    let mut rest = directory;
    let mut found = Vec::new();
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
        let name = String::from_utf8_lossy(name).into_owned();
        found.push(member(&fields, name, extra)?);
        rest = rest.get(extra_end + comment_len..).ok_or(cut)?;
    }
    Ok(found)
}

fn member(fields: &Fields<'_>, name: String, mut extra: &[u8]) -> Result<Member, Stop> {
    let mut entry = Member {
        name,
        method: fields.u16(10)?,
        crc: fields.u32_or(16)?,
        packed: u64::from(fields.u32_or(20)?),
        unpacked: u64::from(fields.u32_or(24)?),
        offset: u64::from(fields.u32_or(42)?),
        executable: executable(fields)?,
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

/// The upper byte of "version made by" is the system whose attributes the entry keeps (APPNOTE
/// 4.4.2); Unix puts the mode into the upper half of the external ones.
fn executable(fields: &Fields<'_>) -> Result<Option<bool>, Stop> {
    let mode = fields.u32_or(38)? >> 16;
    Ok((fields.u16(4)? >> 8 == UNIX && mode != 0).then_some(mode & 0o111 != 0))
}

/// Little-endian numbers at places.
pub(super) struct Fields<'b>(pub(super) &'b [u8]);

impl Fields<'_> {
    fn array<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..at + N)?.try_into().ok()
    }

    pub(super) fn u16(&self, at: usize) -> Result<u16, Stop> {
        self.array(at).map(u16::from_le_bytes).ok_or(SHORT)
    }

    pub(super) fn u32(&self, at: usize) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    pub(super) fn u32_or(&self, at: usize) -> Result<u32, Stop> {
        self.u32(at).ok_or(SHORT)
    }

    pub(super) fn u64(&self, at: usize) -> Result<u64, Stop> {
        self.array(at).map(u64::from_le_bytes).ok_or(SHORT)
    }
}

const SHORT: Stop = Stop::Damaged("a record that is cut off");
const DIRECTORY_MAGIC: u32 = 0x0201_4b50;
const ZIP64_EXTRA: u16 = 1;
const UNIX: u16 = 3;
