//! Folders of one's own files, and which files of a common page are of a package.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use rocmenv_manifests::catalog::PythonFile;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::name::PackageName;
use sha2::Digest as _;
use url::Url;

use super::simple::Page;

/// The folder cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the folder of packages `{path}`")]
pub struct FolderError {
    path: PathBuf,
    #[source]
    source: std::io::Error,
}

/// A package's files in a folder, sorted by name, with their hashes. Folders in it are not
/// entered.
///
/// # Errors
/// The folder or a file in it cannot be read.
pub fn read_folder(path: &Path, package: &PackageName) -> Result<Page, FolderError> {
    read(path, package).map_err(|source| FolderError { path: path.to_owned(), source })
}

fn read(folder: &Path, package: &PackageName) -> std::io::Result<Page> {
    let mut names = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if belongs_to(package, &name) && entry.path().is_file() {
            names.push(name);
        }
    }
    names.sort();
    let folder = crate::fs::canonical(folder)?;
    let mut page = Page::default();
    for name in names {
        let path = folder.join(&name);
        let Ok(address) = Url::from_file_path(&path) else { continue };
        let (sha256, size) = digest(&path)?;
        let file = PythonFile {
            name,
            sha256: Some(sha256),
            size: Some(size),
            requires_python: None,
            yanked: None,
            uploaded: None,
            has_metadata: false,
        };
        page.push(file, address.into());
    }
    Ok(page)
}

/// What tells a folder's files from what they were: their names, sizes and times. One that cannot
/// be read is like no other that can.
pub(crate) fn folder_state(folder: &Path) -> Sha256 {
    let of = |entry: std::io::Result<fs_err::DirEntry>| -> std::io::Result<String> {
        let entry = entry?;
        let metadata = fs_err::metadata(entry.path())?;
        let name = entry.file_name();
        Ok(format!("{} {} {:?}", name.display(), metadata.len(), metadata.modified()?))
    };
    let mut files: Vec<String> = match fs_err::read_dir(folder) {
        Ok(entries) => entries.map(|entry| of(entry).unwrap_or_else(|e| e.to_string())).collect(),
        Err(error) => vec![error.to_string()],
    };
    files.sort();
    Sha256::of(files.join("\n").as_bytes())
}

fn digest(path: &Path) -> std::io::Result<(Sha256, u64)> {
    let mut hasher = sha2::Sha256::new();
    let size = std::io::copy(&mut fs_err::File::open(path)?, &mut hasher)?;
    Ok((Sha256::from_bytes(hasher.finalize().into()), size))
}

/// Whether a file is one of a package, by its name alone: a wheel's begins with the package
/// and a dash, in a source archive the version may hold none.
pub fn belongs_to(package: &PackageName, file: &str) -> bool {
    let named = |name: &str| PackageName::from_str(name).is_ok_and(|name| name == *package);
    if file.strip_suffix(".whl").is_some() {
        return file.split_once('-').is_some_and(|(name, _)| named(name));
    }
    let stem = ENDINGS.iter().find_map(|end| file.strip_suffix(end));
    stem.and_then(|stem| stem.rsplit_once('-')).is_some_and(|(name, _)| named(name))
}

const ENDINGS: [&str; 6] = [".whl", ".tar.gz", ".zip", ".tar.bz2", ".tar.xz", ".tgz"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_their_package() {
        let package = PackageName::from_str("jax-rocm10-plugin").unwrap();
        for file in [
            "jax_rocm10_plugin-0.12.0-cp312-cp312-manylinux_2_28_x86_64.whl",
            "jax-rocm10-plugin-0.12.0.tar.gz",
            "Jax.rocm10_plugin-0.12.0.zip",
        ] {
            assert!(belongs_to(&package, file), "{file}");
        }
        for file in ["jax-0.12.0-py3-none-any.whl", "jax_rocm10_plugin.whl", "index.html"] {
            assert!(!belongs_to(&package, file), "{file}");
        }
    }

    #[test]
    fn every_change_in_a_folder_is_another_state() {
        let folder = tempfile::tempdir().unwrap();
        let mut states = vec![folder_state(&folder.path().join("none"))];
        let mut push = || states.push(folder_state(folder.path()));
        push();
        let file = folder.path().join("a-1-py3-none-any.whl");
        fs_err::write(&file, "one").unwrap();
        push();
        fs_err::write(&file, "four").unwrap();
        push();
        let written = fs_err::metadata(&file).unwrap().modified().unwrap();
        let later = written + std::time::Duration::from_secs(2);
        fs_err::OpenOptions::new().write(true).open(&file).unwrap().set_modified(later).unwrap();
        push();
        fs_err::rename(&file, folder.path().join("b-1-py3-none-any.whl")).unwrap();
        push();
        assert_eq!(states.last().copied(), Some(folder_state(folder.path())));
        let before = states.len();
        states.sort_unstable();
        states.dedup();
        assert_eq!(states.len(), before);
    }
}
