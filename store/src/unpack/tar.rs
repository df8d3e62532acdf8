//! Tarballs: interpreters, ROCm prefixes, TheRock's `rocm` source archive, and the inside of a
//! Debian package.

use std::io::{BufReader, Read};
use std::path::Path;

use fs_err as fs;
use tar::EntryType;

use super::codec::decoder;
use super::entry::Entry;
use super::path::TreePath;
use super::policy::Policy;
use super::refusal::{Reason, UnpackError};
use super::{OnBytes, TreeWriter};
use crate::fs::DiskError;

/// Unpacks the tarball `archive` (plain, gzip, xz or zstd) into the empty folder `root`.
pub fn unpack_tarball(
    archive: &Path,
    root: &Path,
    policy: &Policy,
    on_bytes: OnBytes<'_>,
) -> Result<Vec<Entry>, UnpackError> {
    let file = fs::File::open(archive).map_err(DiskError::from)?;
    let size = file.metadata().map_err(DiskError::from)?.len();
    let mut tree = TreeWriter::new(root, policy, size, on_bytes)?;
    let stream = decoder(BufReader::with_capacity(READ_BUFFER, file))?;
    unpack_stream(stream, &mut tree, &TarNames::AsTheyAre)?;
    tree.finish()
}

/// How names and link targets of a tar stream become those of the tree.
pub(super) enum TarNames {
    /// Unchanged; links are relative to their folder.
    AsTheyAre,
    /// Of a Debian package: an absolute link means the package's own root, and `/lib`, `/bin`,
    /// `/sbin`, `/lib64` are those of `/usr` ("The merged-/usr filesystem layout", Debian
    /// policy 10.1), so that the packages of an environment meet in one place.
    Debian,
}

impl TarNames {
    fn path(&self, path: TreePath) -> TreePath {
        match self {
            Self::AsTheyAre => path,
            Self::Debian => path.mapped(merge_usr),
        }
    }

    fn target(&self, link: &TreePath, raw_link: &TreePath, target: &str) -> Option<String> {
        match self {
            Self::AsTheyAre => Some(target.to_owned()),
            Self::Debian => {
                let place = match target.strip_prefix('/') {
                    Some(inside) => TreePath::parse(inside.as_bytes(), super::Names::Linux)
                        .ok()
                        .flatten()?
                        .as_str()
                        .to_owned(),
                    None => raw_link.resolve(target)?,
                };
                let place = merge_usr(&place).unwrap_or(place);
                Some(link.relative_to(&place))
            }
        }
    }
}

/// Writes every entry of a decompressed tar stream.
pub(super) fn unpack_stream(
    stream: impl Read,
    tree: &mut TreeWriter<'_>,
    names: &TarNames,
) -> Result<(), UnpackError> {
    let mut archive = tar::Archive::new(stream);
    let mut buffer = Vec::new();
    let damaged = |error| UnpackError::unreadable("its list of files", error);
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let kind = entry.header().entry_type();
        if kind == EntryType::XGlobalHeader {
            continue;
        }
        let shown = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let Some(raw) = tree.name(&entry.path_bytes())? else { continue };
        let path = names.path(raw.clone());
        let mode = entry.header().mode().map_err(damaged)?;
        let target = entry.link_name_bytes().map(std::borrow::Cow::into_owned).unwrap_or_default();
        match kind {
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                tree.file(&path, mode, &mut entry, &mut buffer)?;
            }
            EntryType::Directory => {
                if !matches!((names, raw == path), (TarNames::Debian, false)) {
                    tree.folder(&path)?;
                }
            }
            EntryType::Symlink => {
                let target = String::from_utf8(target)
                    .map_err(|_| UnpackError::refuse(&shown, Reason::NotText))?;
                let inside = names.target(&path, &raw, &target);
                let inside = inside
                    .ok_or_else(|| UnpackError::refuse(&shown, Reason::LinkOutside(target)))?;
                tree.link(&path, &inside)?;
            }
            EntryType::Link => {
                let Some(to) = tree.name(&target)? else {
                    let target = String::from_utf8_lossy(&target).into_owned();
                    return Err(UnpackError::refuse(shown, Reason::HardLinkNowhere(target)));
                };
                tree.hard_link(&path, &names.path(to))?;
            }
            _ => return Err(UnpackError::refuse(shown, Reason::Device)),
        }
    }
    Ok(())
}

/// The name below `/usr` of a name in one of the merged folders.
fn merge_usr(path: &str) -> Option<String> {
    let first = path.split('/').next().unwrap_or(path);
    MERGED.contains(&first).then(|| format!("usr/{path}"))
}

const MERGED: [&str; 6] = ["lib", "lib32", "lib64", "libx32", "bin", "sbin"];
const READ_BUFFER: usize = 1 << 20;
