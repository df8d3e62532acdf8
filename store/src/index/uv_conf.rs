//! uv's configuration files: the project's, the user's, the system's; the nearest one wins.

use std::path::{Path, PathBuf};

use rocmenv_manifests::sourced::{Origin, Sourced};
use toml_edit::{Document, Item, TableLike};

use super::discover::Surroundings;

/// What one file says of indexes.
#[derive(Debug, Default)]
pub(super) struct UvFile {
    /// The general index (at most one is used).
    pub(super) index: Vec<Sourced<String>>,
    /// Further indexes.
    pub(super) extra: Vec<Sourced<String>>,
    /// Pages or folders of links.
    pub(super) find_links: Vec<Sourced<String>>,
}

/// The files that are there, nearest first. One that is no TOML says nothing: uv itself will
/// complain of it.
pub(super) fn read_all(around: &Surroundings<'_>) -> Vec<UvFile> {
    paths(around)
        .into_iter()
        .filter_map(|path| {
            let text = around.text(&path)?;
            let document: Document<String> = text.parse().ok()?;
            let root = document.as_table() as &dyn TableLike;
            let is_project = path.file_name().is_some_and(|name| name == "pyproject.toml");
            let table = if is_project {
                root.get("tool")?.as_table_like()?.get("uv")?.as_table_like()?
            } else {
                root
            };
            Some(read(table, &path, document.raw()))
        })
        .collect()
}

fn paths(around: &Surroundings<'_>) -> Vec<PathBuf> {
    let variable = |name: &str| around.variable(name).map(|v| PathBuf::from(v.value));
    if let Some(only) = variable("UV_CONFIG_FILE") {
        return vec![only];
    }
    let mut paths = Vec::new();
    for folder in around.folder.ancestors() {
        paths.push(folder.join("uv.toml"));
        paths.push(folder.join("pyproject.toml"));
    }
    let home = around.home.map(|home| home.join(".config"));
    let user = variable("XDG_CONFIG_HOME").or(home);
    paths.extend(user.map(|folder| folder.join("uv/uv.toml")));
    paths.extend(variable("APPDATA").map(|folder| folder.join("uv/uv.toml")));
    if cfg!(windows) {
        paths.extend(variable("PROGRAMDATA").map(|folder| folder.join("uv/uv.toml")));
        return paths;
    }
    let shared = around.variable("XDG_CONFIG_DIRS").map(|v| v.value);
    for folder in shared.as_deref().unwrap_or("/etc/xdg").split(':') {
        paths.push(Path::new(folder).join("uv/uv.toml"));
    }
    paths.push(PathBuf::from("/etc/uv/uv.toml"));
    paths
}

fn read(table: &dyn TableLike, path: &Path, raw: &str) -> UvFile {
    let sourced = |item: &Item, text: &str| {
        let offset = item.span().map_or(0, |span| span.start);
        let line = raw.get(..offset).unwrap_or_default().matches('\n').count() + 1;
        Sourced::new(text.to_owned(), Origin::File { file: path.display().to_string(), line })
    };
    let texts = |table: &dyn TableLike, key: &str| -> Vec<Sourced<String>> {
        let Some(item) = table.get(key) else { return Vec::new() };
        match item.as_array() {
            Some(array) => {
                array.iter().filter_map(|v| v.as_str()).map(|text| sourced(item, text)).collect()
            }
            None => item.as_str().map(|text| sourced(item, text)).into_iter().collect(),
        }
    };
    let mut file = UvFile::default();
    if let Some(indexes) = table.get("index").and_then(Item::as_array_of_tables) {
        for index in indexes {
            let Some(url) = index.get("url").and_then(|item| Some(sourced(item, item.as_str()?)))
            else {
                continue;
            };
            let is = |key| index.get(key).and_then(Item::as_bool).unwrap_or(false);
            if is("default") {
                file.index.push(url);
            } else if !is("explicit") {
                file.extra.push(url);
            }
        }
    }
    let pip = table.get("pip").and_then(Item::as_table_like);
    for table in std::iter::once(table).chain(pip) {
        file.index.extend(texts(table, "index-url"));
        file.extra.extend(texts(table, "extra-index-url"));
        file.find_links.extend(texts(table, "find-links"));
    }
    file
}
