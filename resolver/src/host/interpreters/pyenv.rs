//! Where pyenv keeps its interpreters, and which of them the user chose.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use rocmenv_manifests::version::Dotted;

use crate::host::probe::Reader;

/// pyenv's folder: its variable, else beside the shims on the search path, else in the home
/// folder.
pub(super) fn root(reader: &Reader<'_>) -> Option<PathBuf> {
    let variables = reader.root().variables();
    let given = variables.get("PYENV_ROOT").map(PathBuf::from);
    let search = variables.get("PATH").map(String::as_str).unwrap_or_default();
    let beside = search.split(':').map(Path::new).filter(|folder| folder.ends_with("shims"));
    let beside = beside.filter_map(|folder| folder.parent().map(Path::to_owned));
    let home = variables.get("HOME").map(|home| Path::new(home).join(".pyenv"));
    let mut roots = given.into_iter().chain(beside).chain(home);
    roots.find(|root| reader.exists(root.join("versions")))
}

/// What the shims stand for: the versions that the user chose, for this shell or for all.
pub(super) fn chosen_versions(reader: &mut Reader<'_>, root: &Path) -> Vec<PathBuf> {
    let shell = reader.root().variables().get("PYENV_VERSION").cloned();
    let chosen = shell.or_else(|| reader.line(root.join("version"))).unwrap_or_default();
    let names = chosen.split([':', '\n']).map(str::trim).filter(|name| !name.is_empty());
    names.map(|name| programs(root, name)).collect()
}

/// All versions, newest first.
pub(super) fn versions(reader: &mut Reader<'_>, root: &Path) -> Vec<PathBuf> {
    let mut names = reader.list(root.join("versions"));
    names.sort_by_cached_key(|name| Reverse((Dotted::leading(name), name.clone())));
    names.iter().map(|name| programs(root, name)).collect()
}

fn programs(root: &Path, version: &str) -> PathBuf {
    root.join("versions").join(version).join("bin")
}
