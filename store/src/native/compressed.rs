//! Compressed bundles (`CCOB`): only as much is unpacked as the table takes.
//!
//! Versions 1 to 3. Format: LLVM, clang/docs/ClangOffloadBundler, "Compressed Offload Bundle".

use std::io::Read;
use std::ops::Range;

use super::bundle::{ALIGNMENT, Table, next_beginning, read_table};
use super::source::{Fields, Source, Stream};

/// The table of the compressed bundle at the beginning of `range`.
pub(super) fn table(source: &dyn Source, range: Range<u64>) -> Result<Table, &'static str> {
    let header = Header::read(source, &range)?;
    let room = range.end - range.start;
    let length = match header.length {
        Some(length) if length < header.bytes || length > room => {
            return Err("it is cut off: it is longer than its section");
        }
        Some(length) => Some(length),
        // Version 1 does not say; the next one or the section ends it.
        None => {
            next_beginning(source, range.start, range.end, ALIGNMENT).map(|next| next - range.start)
        }
    };
    let end = range.start + length.unwrap_or(room);
    let packed = Stream::new(source, range.start + header.bytes, end);
    let table = match header.method {
        Method::Zlib => read_table(&mut flate2::read::ZlibDecoder::new(packed), header.unpacked),
        Method::Zstd => {
            let mut unpacker = zstd::stream::read::Decoder::new(packed).map_err(|_| BROKEN)?;
            unpacker.window_log_max(WINDOW).map_err(|_| BROKEN)?;
            read_table(&mut unpacker as &mut dyn Read, header.unpacked)
        }
    };
    let table =
        table.map_err(|problem| if problem == "it is cut off" { BROKEN } else { problem })?;
    Ok(Table { targets: table.targets, length: Some(length.unwrap_or(room)) })
}

enum Method {
    Zlib,
    Zstd,
}

struct Header {
    /// The header's own bytes.
    bytes: u64,
    method: Method,
    /// Bytes of the whole, where it says.
    length: Option<u64>,
    unpacked: u64,
}

impl Header {
    fn read(source: &dyn Source, range: &Range<u64>) -> Result<Self, &'static str> {
        let bytes = source.bytes(range.start, range.end, 32).ok_or(SHORT)?;
        let fields = Fields(&bytes);
        let version = fields.u16(4).ok_or(SHORT)?;
        let method = match fields.u16(6).ok_or(SHORT)? {
            0 => Method::Zlib,
            1 => Method::Zstd,
            _ => return Err("it is compressed in an unknown way"),
        };
        // Magic, version and method; then sizes, then a hash of eight bytes.
        let wide = |at| fields.u32(at).map(u64::from);
        let (length, unpacked, bytes) = match version {
            1 => (None, wide(8), 8 + 4 + 8),
            2 => (Some(wide(8)), wide(12), 8 + 4 + 4 + 8),
            3 => (Some(fields.u64(8)), fields.u64(16), 8 + 8 + 8 + 8),
            _ => return Err("its version is not known"),
        };
        let length = length.map(|length| length.ok_or(SHORT)).transpose()?;
        Ok(Self { bytes, method, length, unpacked: unpacked.ok_or(SHORT)? })
    }
}

pub(super) const MAGIC: &[u8; 4] = b"CCOB";
const SHORT: &str = "its header is cut off";
const BROKEN: &str = "it cannot be decompressed";
/// 128 MiB, what zstd itself allows and LLVM's highest level with long matches uses.
const WINDOW: u32 = 27;
