//! Kernel archives of TheRock (`.kpack`) and what a library says about its own.
//!
//! A library that was split keeps a name and the paths of archives, in which `@GFXARCH@` stands
//! for the GPU; an archive lists, per library and source file (`NAME#0`, `NAME#1` ...), the
//! targets that it has code for. Format: ROCm, rocm-systems, shared/kpack (reader of the runtime).

use rocmenv_manifests::device_code::{Archive, ArchiveReference, Isa};

use super::message_pack::Reader;
use super::source::{Fields, Source};

/// The contents of an archive.
///
/// # Errors
/// What is wrong with it.
pub fn read_archive(source: &dyn Source) -> Result<Archive, &'static str> {
    let header = source.array::<16>(0).ok_or("its header is cut off")?;
    let fields = Fields(&header);
    if !header.starts_with(MAGIC) {
        return Err("it is no kernel archive");
    }
    if fields.u32(4) != Some(VERSION) {
        return Err("its version is not known");
    }
    let at = fields.u64(8).unwrap_or(u64::MAX);
    let length = source.length();
    if at < header.len() as u64 || at >= length {
        return Err("its contents lie behind its end");
    }
    if length - at > LARGEST_CONTENTS {
        return Err("contents of absurd size");
    }
    let bytes = source.bytes(at, length, LARGEST_CONTENTS).ok_or("its contents are cut off")?;
    contents(Reader::new(&bytes)).ok_or("its contents are damaged")
}

fn contents(mut reader: Reader<'_>) -> Option<Archive> {
    let mut archive = Archive::default();
    for _ in 0..reader.map()? {
        if reader.text()? != "toc" {
            reader.skip()?;
            continue;
        }
        for _ in 0..reader.map()? {
            let kernel = reader.text()?.to_owned();
            let mut targets: Vec<Isa> = Vec::new();
            for _ in 0..reader.map()? {
                targets.push(reader.text()?.parse().ok()?);
                reader.skip()?;
            }
            targets.sort();
            archive.kernels.push((kernel, targets));
        }
    }
    archive.kernels.sort();
    Some(archive)
}

/// What a library that was split says of its code; these are the bytes of its marker.
pub fn read_reference(bytes: &[u8]) -> Option<ArchiveReference> {
    let mut reader = Reader::new(bytes);
    let (mut kernel, mut paths) = (None, Vec::new());
    for _ in 0..reader.map()? {
        match reader.text()? {
            "kernel_name" => kernel = Some(reader.text()?.to_owned()),
            "kpack_search_paths" => {
                for _ in 0..reader.array()? {
                    paths.push(reader.text()?.to_owned());
                }
            }
            _ => reader.skip()?,
        }
    }
    let is_whole = !paths.is_empty();
    kernel.filter(|_| is_whole).map(|kernel| ArchiveReference { kernel, paths })
}

pub(super) const MAGIC: &[u8; 4] = b"KPAK";
const VERSION: u32 = 1;
const LARGEST_CONTENTS: u64 = 64 * 1024 * 1024;
/// The runtime reads no more of a marker either.
pub(super) const LARGEST_MARKER: u64 = 64 * 1024;
