//! Where pips are on this machine, found by looking into folders, never by running anything.
//!
//! The first that has one is asked for its default index if nobody configured one, so the order
//! is that in which a user would meet them: the search path, pyenv's versions, the distribution.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Folders of site-packages with a pip in it, and wheels of pip.
pub(super) fn find(variables: &BTreeMap<String, String>, home: Option<&Path>) -> Vec<PathBuf> {
    let search = variables.get("PATH").map(String::as_str).unwrap_or_default();
    let mut prefixes: Vec<PathBuf> = std::env::split_paths(search)
        .filter(|folder| folder.ends_with("bin"))
        .filter_map(|folder| folder.parent().map(Path::to_owned))
        .collect();
    if cfg!(windows) {
        // There the interpreter itself is on PATH, or the programs beside it.
        let folders = std::env::split_paths(search).flat_map(|folder| {
            let above = folder.parent().map(Path::to_owned);
            std::iter::once(folder).chain(above)
        });
        prefixes.extend(folders.filter(|folder| folder.join("python.exe").is_file()));
    }
    let pyenv = variables.get("PYENV_ROOT").map(PathBuf::from);
    let pyenv = pyenv.or_else(|| Some(home?.join(".pyenv")));
    prefixes.extend(pyenv.iter().flat_map(|root| children(&root.join("versions"), "")));
    let mut found: Vec<PathBuf> = prefixes.iter().flat_map(|prefix| under(prefix)).collect();
    found.push(PathBuf::from("/usr/lib/python3/dist-packages"));
    found.extend(children(Path::new("/usr/share/python-wheels"), "pip-"));
    found
}

/// What one installation of Python has: pip itself, or the wheel that ensurepip installs.
fn under(prefix: &Path) -> Vec<PathBuf> {
    let mut libraries = children(&prefix.join("lib"), "python3");
    libraries.push(prefix.join("Lib"));
    let places = libraries.iter().flat_map(|library| {
        let bundled = children(&library.join("ensurepip").join("_bundled"), "pip-");
        std::iter::once(library.join("site-packages")).chain(bundled)
    });
    places.collect()
}

/// The entries of a folder whose names begin with `start`, newest name first.
fn children(folder: &Path, start: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs_err::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(start))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found.reverse();
    found
}
