//! Archives of every shape, read in pieces as over a network, and damaged ones.

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
        let range = usize::try_from(wanted.start).unwrap()..usize::try_from(wanted.end).unwrap();
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
