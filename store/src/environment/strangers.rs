//! What somebody put into an environment beside rocmenv (with pip, mostly).

use fs_err as fs;

use crate::fs::DiskError;
use crate::layout::GenerationLayout;

/// A Python package that rocmenv did not install.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stranger {
    /// Its name, as its folder spells it.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Who installed it, if that was recorded (`pip`).
    pub installer: Option<String>,
}

/// The packages of an environment that rocmenv did not install, sorted.
pub fn strangers(place: &GenerationLayout) -> Result<Vec<Stranger>, DiskError> {
    let mut found = Vec::new();
    let library = place.env().join(if cfg!(windows) { "Lib" } else { "lib" });
    let folders = if cfg!(windows) { vec![library] } else { folders_in(&library)? };
    for folder in folders {
        for path in folders_in(&folder.join("site-packages"))? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Some(stem) = name.strip_suffix(".dist-info") else { continue };
            let Some((name, version)) = stem.split_once('-') else { continue };
            let installer = fs::read_to_string(path.join("INSTALLER")).ok();
            let installer = installer.map(|text| text.trim().to_owned());
            if installer.as_deref() != Some(crate::wheel::INSTALLER) {
                let (name, version) = (name.to_owned(), version.to_owned());
                found.push(Stranger { name, version, installer });
            }
        }
    }
    found.sort();
    Ok(found)
}

fn folders_in(folder: &std::path::Path) -> Result<Vec<std::path::PathBuf>, DiskError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut folders = Vec::new();
    for entry in entries {
        folders.push(entry?.path());
    }
    Ok(folders)
}
