//! A virtual environment: its interpreter's series and what is installed in it, from the
//! metadata that installers write ("Recording installed projects"). Nothing in it is run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rocmenv_manifests::python::CoreMetadata;

use super::{Foreign, ImportError};
use crate::ops::files;

/// Reads the environment in a folder.
pub(super) fn read(folder: &Path) -> Result<Foreign, ImportError> {
    let config = files::read(&folder.join("pyvenv.cfg"))?;
    let mut foreign = Foreign::default();
    let series = config.lines().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        let wanted = matches!(key.trim(), "version" | "version_info");
        let mut parts = value.trim().split('.');
        wanted.then(|| Some(format!("{}.{}", parts.next()?, parts.next()?)))?
    });
    foreign.python = series.and_then(|series| series.parse().ok());
    let mut installed = Vec::new();
    for site in site_packages(folder) {
        for path in folders(&site) {
            if path.extension().is_some_and(|extension| extension == "dist-info") {
                installed.extend(package(&path, &mut foreign)?);
            }
        }
    }
    installed.sort_by(|a, b| a.name.cmp(&b.name));
    let requested = installed.iter().any(|package| package.requested);
    let needed: BTreeSet<String> =
        installed.iter().flat_map(|package| package.needs.iter().cloned()).collect();
    for package in installed {
        foreign.pin(&package.name, &package.version, BTreeSet::new());
        let asked = if requested { package.requested } else { !needed.contains(&package.name) };
        if asked {
            foreign.wish(&format!("{}=={}", package.name, package.version), None);
        }
    }
    Ok(foreign)
}

struct Installed {
    name: String,
    version: String,
    requested: bool,
    needs: Vec<String>,
}

/// One package by its `.dist-info` folder; what came from an address or a folder is left out.
fn package(path: &Path, foreign: &mut Foreign) -> Result<Option<Installed>, ImportError> {
    let text = files::read(&path.join("METADATA"))?;
    let Ok(read) = CoreMetadata::parse(&text) else {
        foreign.leave(&path.to_string_lossy(), "its metadata cannot be read");
        return Ok(None);
    };
    let metadata = read.metadata;
    let name = metadata.name.to_string();
    if TOOLS.contains(&name.as_str()) {
        return Ok(None);
    }
    if path.join("direct_url.json").exists() {
        foreign.leave(&name, "it was installed from an address or folder, not from an index");
        return Ok(None);
    }
    Ok(Some(Installed {
        version: metadata.version.to_string(),
        requested: path.join("REQUESTED").exists(),
        needs: metadata.requires_dist.iter().map(|one| one.name.to_string()).collect(),
        name,
    }))
}

fn site_packages(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        folders(&folder.join("lib")).iter().map(|library| library.join("site-packages")).collect();
    found.push(folder.join("Lib").join("site-packages"));
    found.retain(|path| path.is_dir());
    found
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs_err::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// What makes an environment, rather than being in it for its own sake.
const TOOLS: [&str; 3] = ["pip", "setuptools", "wheel"];
