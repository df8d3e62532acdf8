//! The list of files that one wheel becomes in a virtual environment.

use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::digest::Sha256;

use super::check::read_text;
use super::launchers::{launchers, startable};
use super::script::rewritten;
use super::{EntryPoints, Place, RecordWriter, Scheme, WheelError, WheelInfo};
use crate::fs::DiskError;
use crate::unpack::{Entry, Node};

/// One file of an environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledFile {
    /// Where it goes, relative to the virtual environment.
    pub path: String,
    /// Where its bytes come from.
    pub source: FileSource,
    /// The digest of its content.
    pub sha256: Sha256,
    /// Bytes.
    pub size: u64,
    /// Whether it can be executed.
    pub executable: bool,
}

/// Where the bytes of a file of an environment come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileSource {
    /// A file of the object, which may be linked.
    Linked(String),
    /// A file of the object that must be a copy, because people edit it or tools rewrite it.
    Copied(String),
    /// A file of the store that belongs to no object, which may be linked.
    Stored(PathBuf),
    /// These bytes.
    Written(Vec<u8>),
}

/// What the wheel unpacked in `tree` becomes: its files by scheme, its scripts with the line for
/// `python`, INSTALLER, and a RECORD that lists all of it (with `extra` rows, such as bytecode).
pub fn install(
    tree: &Path,
    entries: &[Entry],
    scheme: &Scheme,
    python: &str,
    extra: &[String],
) -> Result<Vec<InstalledFile>, WheelError> {
    let info = WheelInfo::read(tree, entries)?;
    let mut files = Vec::with_capacity(entries.len() + 4);
    for entry in entries {
        let Node::File { sha256, size, executable } = entry.node else { continue };
        if is_replaced(&entry.path, &info) {
            continue;
        }
        match scheme.place(&info, &entry.path)? {
            Place::Script(path) => files.extend(script(tree, entry, path, scheme, python)?),
            Place::Module(path) => {
                let source = if must_be_copied(&entry.path, &info) {
                    FileSource::Copied(entry.path.clone())
                } else {
                    FileSource::Linked(entry.path.clone())
                };
                files.push(InstalledFile { path, source, sha256, size, executable });
            }
        }
    }
    let entry_points = format!("{}/entry_points.txt", info.dist_info);
    if entries.iter().any(|entry| entry.path == entry_points) {
        let points = EntryPoints::parse(&read_text(tree, &entry_points)?)?;
        files.extend(launchers(&points, scheme, python)?);
    }
    finish(&mut files, scheme, &info.dist_info, extra);
    Ok(files)
}

/// Adds INSTALLER and RECORD.
pub(super) fn finish(
    files: &mut Vec<InstalledFile>,
    scheme: &Scheme,
    dist_info: &str,
    extra: &[String],
) {
    let folder = format!("{}/{dist_info}", scheme.site_packages);
    files.push(written(format!("{folder}/INSTALLER"), format!("{INSTALLER}\n")));
    let text = record(files, scheme, dist_info, extra);
    files.push(written(format!("{folder}/RECORD"), text));
}

fn record(files: &[InstalledFile], scheme: &Scheme, dist_info: &str, extra: &[String]) -> String {
    let listed = files.iter().map(|file| (scheme.in_record(&file.path), Some(file)));
    let mut rows: Vec<_> = listed.collect();
    rows.extend(extra.iter().map(|path| (scheme.in_record(path), None)));
    rows.push((format!("{dist_info}/RECORD").into(), None));
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    let mut record = RecordWriter::for_rows(rows.len());
    for (path, file) in &rows {
        match file {
            Some(file) => record.file(path, &file.sha256, file.size),
            None => record.bare(path),
        }
    }
    record.into_text()
}

/// A file with bytes of its own.
pub(super) fn written(path: String, content: impl Into<Vec<u8>>) -> InstalledFile {
    let content = content.into();
    let (sha256, size) = (Sha256::of(&content), content.len() as u64);
    InstalledFile { path, source: FileSource::Written(content), sha256, size, executable: false }
}

fn script(
    tree: &Path,
    entry: &Entry,
    path: String,
    scheme: &Scheme,
    python: &str,
) -> Result<Vec<InstalledFile>, WheelError> {
    let bytes = fs::read(tree.join(&entry.path)).map_err(DiskError::from)?;
    let Some(rewritten) = rewritten(&bytes, python) else {
        return Ok(vec![InstalledFile { executable: true, ..written(path, bytes) }]);
    };
    let name = path.strip_prefix(&scheme.scripts).and_then(|rest| rest.strip_prefix('/'));
    startable(scheme, name.unwrap_or(&path), rewritten, true)
}

/// Files that the installer writes itself (RECORD and INSTALLER), and signatures of the RECORD
/// that no longer is.
fn is_replaced(path: &str, info: &WheelInfo) -> bool {
    let inside = path.strip_prefix(&info.dist_info).and_then(|rest| rest.strip_prefix('/'));
    inside.is_some_and(|name| {
        matches!(name, "RECORD" | "RECORD.jws" | "RECORD.p7s" | "INSTALLER" | "REQUESTED")
    })
}

fn must_be_copied(path: &str, info: &WheelInfo) -> bool {
    let in_info = path.strip_prefix(&info.dist_info).is_some_and(|rest| rest.starts_with('/'));
    in_info || Path::new(path).extension().is_some_and(|extension| extension == "pth")
}

/// What INSTALLER says of a package that was installed here.
pub(crate) const INSTALLER: &str = "rocmenv";
