//! Wheels, as zip archives. The central directory is what counts, but an archive whose local
//! headers say something else, or whose entries overlap, is refused: two readers would see two
//! archives. Files are inflated and hashed side by side.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use fs_err as fs;
use rayon::prelude::*;
use zip::ZipArchive;

use super::entry::Entry;
use super::path::TreePath;
use super::policy::Policy;
use super::refusal::{Reason, UnpackError};
use super::{OnBytes, TreeWriter};
use crate::fs::DiskError;

/// Unpacks a zip archive into the empty folder `root`. Sizes and CRCs are checked.
pub fn unpack_zip(
    archive: &Path,
    root: &Path,
    policy: &Policy,
    on_bytes: OnBytes<'_>,
) -> Result<Vec<Entry>, UnpackError> {
    let file = fs::File::open(archive).map_err(DiskError::from)?;
    let size = file.metadata().map_err(DiskError::from)?.len();
    let reader = SharedFile { file: Arc::new(file.into_parts().0), position: 0, size };
    let mut zip = ZipArchive::new(reader.clone())?;
    check_directory(&mut zip, &reader)?;
    let mut tree = TreeWriter::new(root, policy, size, on_bytes)?;
    let mut files = reserve(&zip, &mut tree)?;
    // The largest first: the last one that runs decides when all are done.
    files.sort_by_key(|file| std::cmp::Reverse(file.size));
    let filled: Vec<Entry> = files
        .par_iter()
        .with_max_len(1)
        .map_init(
            || (zip.clone(), Vec::new()),
            |(zip, buffer), file| {
                let mut content = zip.by_index(file.index)?;
                let entry = tree.fill(&file.path, file.mode, &mut content, buffer)?;
                Ok(entry)
            },
        )
        .collect::<Result<_, UnpackError>>()?;
    for entry in filled {
        tree.keep(entry);
    }
    tree.finish()
}

struct Reserved {
    index: usize,
    path: TreePath,
    mode: u32,
    size: u64,
}

/// Judges every name before the first byte is written.
fn reserve(
    zip: &ZipArchive<SharedFile>,
    tree: &mut TreeWriter<'_>,
) -> Result<Vec<Reserved>, UnpackError> {
    let mut files = Vec::with_capacity(zip.len());
    for index in 0..zip.len() {
        let entry = zip.by_index_data(index)?;
        let shown = || String::from_utf8_lossy(entry.name_raw()).into_owned();
        if entry.encrypted() {
            return Err(UnpackError::refuse(shown(), Reason::Encrypted));
        }
        let mode = entry.unix_mode().unwrap_or(0o644);
        match mode & FILE_TYPE {
            0 | REGULAR | FOLDER => {}
            SYMLINK => return Err(UnpackError::refuse(shown(), Reason::LinkUnexpected)),
            _ => return Err(UnpackError::refuse(shown(), Reason::Device)),
        }
        let Some(path) = tree.name(entry.name_raw())? else { continue };
        if entry.is_dir() {
            tree.folder(&path)?;
        } else {
            tree.reserve(&path, mode)?;
            files.push(Reserved { index, path, mode, size: entry.size() });
        }
    }
    Ok(files)
}

fn check_directory(
    zip: &mut ZipArchive<SharedFile>,
    reader: &SharedFile,
) -> Result<(), UnpackError> {
    if zip.has_duplicate_names() {
        let names = central_names(reader.clone(), zip.central_directory_start());
        return Err(UnpackError::refuse(first_repeated(names), Reason::Duplicate));
    }
    if zip.has_overlapping_entries()? {
        return Err(UnpackError::malformed("its entries overlap"));
    }
    zip.validate_header_consistency()?;
    Ok(())
}

/// The names of the central directory, repeated ones too (APPNOTE 4.3.12).
fn central_names(mut reader: SharedFile, start: u64) -> Vec<String> {
    let mut names = Vec::new();
    reader.position = start;
    let mut header = [0; 46];
    while reader.read_exact(&mut header).is_ok() && header.starts_with(b"PK\x01\x02") {
        let field = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let mut name = vec![0; usize::from(field(28))];
        if reader.read_exact(&mut name).is_err() {
            break;
        }
        reader.position += u64::from(field(30)) + u64::from(field(32));
        names.push(String::from_utf8_lossy(&name).into_owned());
    }
    names
}

fn first_repeated(names: Vec<String>) -> String {
    let mut seen = std::collections::HashSet::new();
    names.into_iter().find(|name| !seen.insert(name.clone())).unwrap_or_default()
}

/// One open file that several threads read, each at its own position.
#[derive(Clone)]
struct SharedFile {
    file: Arc<std::fs::File>,
    position: u64,
    size: u64,
}

impl Read for SharedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(&*self.file, buffer, self.position)?;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, self.position)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let moved = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
        };
        self.position = moved.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

const FILE_TYPE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;
const SYMLINK: u32 = 0o120_000;
