//! The compressions of tarballs, told by their first bytes.

use std::io::{BufRead, Read};

use super::refusal::UnpackError;

/// Decompresses gzip, xz or zstd; what is none of them is passed as it is.
pub(super) fn decoder<'a>(mut from: impl BufRead + 'a) -> Result<Box<dyn Read + 'a>, UnpackError> {
    let start =
        from.fill_buf().map_err(|error| UnpackError::unreadable("its first bytes", error))?;
    if start.starts_with(&GZIP) {
        Ok(Box::new(flate2::bufread::MultiGzDecoder::new(from)))
    } else if start.starts_with(&XZ) {
        Ok(Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(from)))
    } else if start.starts_with(&ZSTD) {
        let decoder = zstd::stream::read::Decoder::with_buffer(from)
            .map_err(|error| UnpackError::unreadable("its zstd header", error))?;
        Ok(Box::new(decoder))
    } else {
        Ok(Box::new(from))
    }
}

const GZIP: [u8; 2] = [0x1f, 0x8b];
const XZ: [u8; 6] = [0xfd, b'7', b'z', b'X', b'Z', 0];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
