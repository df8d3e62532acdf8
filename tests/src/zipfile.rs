//! A zip writer that writes what it is told, right or wrong.
//!
//! The usual libraries refuse duplicate names and absolute paths; these fixtures
//! need them. Times are fixed, so that the same entries give the same bytes.
//! Format: PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16; no zip64.

use std::io::Write as _;

/// One entry of a zip archive.
#[derive(Debug, Clone)]
pub(crate) struct ZipEntry {
    pub(crate) name: String,
    pub(crate) data: Vec<u8>,
    /// Unix mode with its file type bits, such as `0o100644` or `0o120777`.
    pub(crate) mode: u32,
    pub(crate) deflated: bool,
    /// The uncompressed size to state, where it should be a lie.
    pub(crate) stated_size: Option<u32>,
}

impl ZipEntry {
    /// A deflated regular file of mode 0644.
    pub(crate) fn file(name: impl Into<String>, data: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            data: data.into(),
            mode: 0o100_644,
            deflated: true,
            stated_size: None,
        }
    }

    /// A symbolic link to `target`.
    pub(crate) fn symlink(name: impl Into<String>, target: &str) -> Self {
        Self { mode: 0o120_777, deflated: false, ..Self::file(name, target) }
    }
}

/// The bytes of an archive that holds `entries` in their order.
pub(crate) fn write(entries: &[ZipEntry]) -> Vec<u8> {
    let mut archive = Vec::new();
    let mut directory = Vec::new();
    for entry in entries {
        let offset = length(&archive);
        let stored = entry.stored();
        let fields = entry.common_fields(&stored);

        archive.extend(b"PK\x03\x04");
        archive.extend(&fields);
        archive.extend(short(0)); // extra field
        archive.extend(entry.name.as_bytes());
        archive.extend(&stored);

        directory.extend(b"PK\x01\x02");
        directory.extend(short(MADE_BY_UNIX));
        directory.extend(&fields);
        directory.extend(short(0)); // extra field
        directory.extend(short(0)); // comment
        directory.extend(short(0)); // disk
        directory.extend(short(0)); // internal attributes
        directory.extend((entry.mode << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(entry.name.as_bytes());
    }
    let start = length(&archive);
    archive.extend(&directory);
    archive.extend(b"PK\x05\x06");
    archive.extend([0; 4]); // disks
    archive.extend(short(entries.len()));
    archive.extend(short(entries.len()));
    archive.extend(length(&directory).to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend(short(0)); // comment
    archive
}

impl ZipEntry {
    fn stored(&self) -> Vec<u8> {
        if !self.deflated {
            return self.data.clone();
        }
        let mut encoder =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        encoder
            .write_all(&self.data)
            .and_then(|()| encoder.finish())
            .expect("writing to memory does not fail")
    }

    /// What the local header and the central directory have in common, up to the name's length.
    fn common_fields(&self, stored: &[u8]) -> Vec<u8> {
        let mut crc = flate2::Crc::new();
        crc.update(&self.data);
        let mut fields = Vec::new();
        fields.extend(short(20)); // version needed
        fields.extend(short(UTF8_NAMES));
        fields.extend(short(if self.deflated { 8 } else { 0 }));
        fields.extend(short(0)); // time: midnight
        fields.extend(short(FIRST_DATE));
        fields.extend(crc.sum().to_le_bytes());
        fields.extend(length(stored).to_le_bytes());
        let size = self.stated_size.unwrap_or(length(&self.data));
        fields.extend(size.to_le_bytes());
        fields.extend(short(self.name.len()));
        fields
    }
}

fn short(number: usize) -> [u8; 2] {
    u16::try_from(number).expect("fixtures stay below zip64 limits").to_le_bytes()
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).expect("fixtures stay below zip64 limits")
}

/// Version 2.0 of the format, made on Unix: the upper attribute half is a mode.
const MADE_BY_UNIX: usize = 0x0314;
const UTF8_NAMES: usize = 1 << 11;
/// 1 January 1980, the earliest date that the format knows.
const FIRST_DATE: usize = 0b0000_0000_0010_0001;
