//! TheRock's `rocm` source archive: its pure-Python module is installed as it lies in the
//! archive, its setup is never run.
//!
//! The archive's layout (ROCm/TheRock `build_tools/packaging/python/templates/rocm`): `PKG-INFO`,
//! `setup.py`, the module under `src/rocm_sdk/`, and `src/rocm.egg-info/entry_points.txt`. Its
//! requirements, which setup.py would work out on the building machine, are the solver's
//! business.

use std::path::Path;

use super::check::read_text;
use super::install::{finish, written};
use super::launchers::launchers;
use super::{EntryPoints, FileSource, InstalledFile, Scheme, WheelError};
use crate::unpack::{Entry, Node};

/// What the archive unpacked in `tree` becomes in a virtual environment.
pub fn install_rocm_meta(
    tree: &Path,
    entries: &[Entry],
    scheme: &Scheme,
    python: &str,
    version: &str,
) -> Result<Vec<InstalledFile>, WheelError> {
    let metadata = read_text(tree, "PKG-INFO")?;
    let dist_info = format!("rocm-{version}.dist-info");
    let mut files = Vec::new();
    for entry in entries {
        let Node::File { sha256, size, executable } = entry.node else { continue };
        let Some(module) = entry.path.strip_prefix("src/") else { continue };
        if module.contains(".egg-info/") {
            continue;
        }
        let path = format!("{}/{module}", scheme.site_packages);
        let source = FileSource::Linked(entry.path.clone());
        files.push(InstalledFile { path, source, sha256, size, executable });
    }
    let in_info = |name: &str| format!("{}/{dist_info}/{name}", scheme.site_packages);
    files.push(written(in_info("METADATA"), metadata));
    if entries.iter().any(|entry| entry.path == ENTRY_POINTS) {
        let text = read_text(tree, ENTRY_POINTS)?;
        files.extend(launchers(&EntryPoints::parse(&text)?, scheme, python)?);
        files.push(written(in_info("entry_points.txt"), text));
    }
    finish(&mut files, scheme, &dist_info, &[]);
    Ok(files)
}

const ENTRY_POINTS: &str = "src/rocm.egg-info/entry_points.txt";
