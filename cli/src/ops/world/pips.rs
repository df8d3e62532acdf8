//! Where pips are on this machine, found by looking into folders, never by running anything.
//!
//! The first that has one is asked for its default index if nobody configured one, so the order
//! is that in which a user would meet them: the search path, pyenv's versions, what rocmenv
//! keeps, the distribution.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Folders of site-packages with a pip in it, and wheels of pip.
///
/// `kept`: the folder of the interpreters that rocmenv keeps.
pub(super) fn find(
    variables: &BTreeMap<String, String>,
    home: Option<&Path>,
    kept: Option<&Path>,
) -> Vec<PathBuf> {
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
    prefixes.extend(kept.into_iter().flat_map(prefixes_of_kept));
    let mut found: Vec<PathBuf> = prefixes.iter().flat_map(|prefix| under(prefix)).collect();
    found.push(PathBuf::from("/usr/lib/python3/dist-packages"));
    found.extend(children(Path::new("/usr/share/python-wheels"), "pip-"));
    found
}

/// `KEY/root` of each, and `KEY/root/usr`, where the packages of a distribution have theirs.
fn prefixes_of_kept(kept: &Path) -> Vec<PathBuf> {
    let trees = children(kept, "").into_iter().flat_map(|key| children(&key, ""));
    trees.flat_map(|tree| [tree.join("usr"), tree]).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_that_is_kept_has_its_pip() {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("python/0123/root/lib/python3.12");
        let bundled = library.join("ensurepip/_bundled/pip-25.0-py3-none-any.whl");
        fs_err::create_dir_all(bundled.parent().unwrap()).unwrap();
        fs_err::write(&bundled, "").unwrap();
        let kept = folder.path().join("python");
        let found = find(&BTreeMap::new(), None, Some(&kept));
        let at = |path: &Path| found.iter().position(|one| one == path);
        let own = at(&library.join("site-packages")).expect("its own");
        let carried = at(&bundled).expect("that of ensurepip");
        let last = at(Path::new("/usr/lib/python3/dist-packages")).expect("the distribution's");
        assert!(own < carried && carried < last);
        assert!(!find(&BTreeMap::new(), None, None).contains(&bundled));
    }
}
