//! The Python packages that lie in an environment, as their own files say.

use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::python::CoreMetadata;
use rocmenv_manifests::python::name::package_name;
use rocmenv_store::layout::GenerationLayout;
use rocmenv_store::wheel::{RecordRow, read_record};

/// One installed package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// Its normal name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Who put it there (`pip`, `uv`, `rocmenv`), where it says so.
    pub installer: Option<String>,
    /// Its files, relative to site-packages; `None` where it keeps no readable list.
    pub files: Option<Vec<RecordRow>>,
}

/// The folder of modules of an environment; `None` where it has no interpreter.
pub fn site_packages(place: &GenerationLayout) -> Option<PathBuf> {
    // One interpreter, so one folder: `lib/pythonX.Y/site-packages`, or Windows' own place.
    let unix = entries(&place.env().join("lib")).into_iter();
    let mut folders = unix
        .map(|folder| folder.join("site-packages"))
        .chain([place.env().join("Lib").join("site-packages")]);
    folders.find(|folder| folder.is_dir())
}

/// The packages in a folder of modules, sorted by name.
pub fn installed(site_packages: &Path) -> Vec<Installed> {
    let mut found: Vec<Installed> = entries(site_packages)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "dist-info"))
        .filter_map(|path| read(&path))
        .collect();
    found.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    found
}

/// The paths in a folder, sorted; none where it cannot be read.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn read(dist_info: &Path) -> Option<Installed> {
    let text = |name: &str| fs::read_to_string(dist_info.join(name)).ok();
    let metadata = text("METADATA").and_then(|text| CoreMetadata::parse(&text).ok());
    let (name, version) = if let Some(read) = metadata {
        (read.metadata.name.to_string(), read.metadata.version.to_string())
    } else {
        // A damaged package is one, too: its folder says what it is (PEP 491).
        let (name, version) = dist_info.file_stem()?.to_str()?.rsplit_once('-')?;
        (package_name(name).ok()?.to_string(), version.to_owned())
    };
    Some(Installed {
        name,
        version,
        installer: text("INSTALLER").map(|text| text.trim().to_owned()),
        files: text("RECORD").and_then(|text| read_record(&text).ok()),
    })
}
