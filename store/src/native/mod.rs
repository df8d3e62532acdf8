//! Reads what native files hold for GPUs and what they need to load, out of their bytes alone.
//!
//! Nothing here is run, unpacked whole or believed: files come from anybody. Every reader takes
//! a [`Source`] of bytes, asks it for small parts, has a limit for whatever a file may claim, and
//! answers with facts and faults. None of them panics; `fuzz/` and the tests hold them to it.
//!
//! | file | reads | source of the format |
//! |---|---|---|
//! | `elf` | sections, dynamic section, version needs | System V gABI, LSB 10.7 |
//! | `pe` | sections, imported DLLs | Microsoft PE format |
//! | `bundle` `compressed` | code object bundles, plain and compressed | LLVM, ClangOffloadBundler |
//! | `code_object` | one code object | LLVM, AMDGPUUsage, "ELF Code Object" |
//! | `kpack` `message_pack` | kernel archives and references to them | ROCm, shared/kpack |
//! | `names` | what names of kernel data say | the libraries' own naming |
//! | `early` | when enough of a file that is still coming is there | |

mod bundle;
mod code_object;
mod compressed;
mod early;
mod elf;
mod kpack;
mod message_pack;
mod names;
mod pe;
mod source;

use rocmenv_manifests::device_code::{Fault, FileKind, NativeFile};

pub use bundle::{Bundle, Extent, Found, walk};
pub use early::Early;
pub use elf::defined_versions;
pub use kpack::{read_archive, read_reference};
pub use names::{data_of, is_native};
pub use source::{DiskSource, Source};

/// Whether a file begins as a native one does.
pub fn begins_native(source: &dyn Source) -> bool {
    let start = source.start::<24>();
    let magic: [&[u8]; 3] = [ELF, PE, kpack::MAGIC];
    magic.iter().any(|magic| start.starts_with(magic)) || bundle::begins(&start)
}

/// What a file is and holds; `None` for a file that is no native one.
pub fn read(path: &str, source: &dyn Source) -> Option<NativeFile> {
    let start = source.start::<24>();
    let file = |kind| NativeFile::new(path, kind);
    let unreadable = |problem: &str| vec![Fault::Unreadable { problem: problem.to_owned() }];
    match &start {
        _ if start.starts_with(ELF) => Some(match code_object::read(source) {
            Some(code) => NativeFile { code: vec![code], ..file(FileKind::CodeObject) },
            None => elf::read(file(FileKind::Elf), source),
        }),
        _ if start.starts_with(PE) => Some(pe::read(file(FileKind::Pe), source)),
        _ if start.starts_with(kpack::MAGIC) => {
            let mut found = file(FileKind::Kpack);
            match read_archive(source) {
                Ok(archive) => found.archive = Some(archive),
                Err(problem) => found.faults = unreadable(problem),
            }
            Some(found)
        }
        _ if bundle::begins(&start) => {
            let found = walk(source, 0..source.length(), Extent::Whole);
            let mut file = file(FileKind::CodeObject);
            found.put_into(&mut file);
            Some(file)
        }
        _ => None,
    }
}

const ELF: &[u8] = b"\x7fELF";
const PE: &[u8] = b"MZ";

#[cfg(test)]
mod tests;
