//! uv.lock (versions 1): the project's own entry says what was asked for, all others which
//! version was chosen and which files may be it.

use toml_edit::{DocumentMut, Item, TableLike, Value};

use super::foreign::digests;
use super::{Foreign, ImportError};

/// Reads the text.
pub(super) fn read(text: &str) -> Result<Foreign, ImportError> {
    let malformed = |problem: String| ImportError::Malformed { what: "a lock of uv", problem };
    let document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| malformed(error.message().to_owned()))?;
    match document.get("version").and_then(Item::as_integer) {
        Some(1) => {}
        Some(other) => {
            return Err(malformed(format!("version {other} of the format is not known")));
        }
        None => return Err(malformed("it says no version of its format".to_owned())),
    }
    let mut foreign = Foreign::default();
    if let Some(python) = document.get("requires-python").and_then(Item::as_str) {
        foreign.python = python.replace(' ', "").parse().ok();
    }
    let packages = document.get("package").and_then(Item::as_array_of_tables);
    for package in packages.into_iter().flatten() {
        let text = |key: &str| package.get(key).and_then(Item::as_str).unwrap_or_default();
        let (name, version) = (text("name"), text("version"));
        let source = package.get("source").and_then(Item::as_table_like);
        let from = |key: &str| source.and_then(|source| source.get(key)?.as_str());
        if from("virtual") == Some(".") || from("editable") == Some(".") {
            foreign.name = Some(name.to_owned());
            if from("editable").is_some() {
                foreign.path = Some(".".to_owned());
            }
            asked(&mut foreign, package);
        } else if from("registry").is_some() {
            let wheels = package.get("wheels").and_then(Item::as_array).into_iter().flatten();
            let hashes = wheels.filter_map(|wheel| wheel.as_inline_table()?.get("hash")?.as_str());
            foreign.pin(name, version, digests(hashes));
        } else {
            foreign.leave(name, "a lock holds files of an index, not of an address or folder");
        }
    }
    Ok(foreign)
}

/// The requirements of the project itself.
fn asked(foreign: &mut Foreign, package: &toml_edit::Table) {
    let Some(metadata) = package.get("metadata").and_then(Item::as_table_like) else { return };
    for value in array(metadata.get("requires-dist")) {
        requirement(foreign, value, None);
    }
    let groups = metadata.get("requires-dev").and_then(Item::as_table_like);
    for (group, listed) in groups.into_iter().flat_map(TableLike::iter) {
        for value in array(Some(listed)) {
            requirement(foreign, value, Some(group));
        }
    }
}

/// `{ name, extras, specifier, marker, index, url, git .. }`. uv writes an extra of the project as a
/// marker.
fn requirement(foreign: &mut Foreign, value: &Value, group: Option<&str>) {
    let Some(table) = value.as_inline_table() else { return };
    let text = |key: &str| table.get(key).and_then(Value::as_str);
    let Some(name) = text("name") else { return };
    if ["url", "git", "path", "directory", "editable"].iter().any(|key| table.get(key).is_some()) {
        return foreign.leave(name, "a lock holds files of an index, not of an address or folder");
    }
    let extras = table.get("extras").and_then(Value::as_array).into_iter().flatten();
    let extras: Vec<&str> = extras.filter_map(Value::as_str).collect();
    let extras = if extras.is_empty() { String::new() } else { format!("[{}]", extras.join(",")) };
    let specifier = text("specifier").unwrap_or_default();
    let (marker, extra) = split_extra(text("marker").unwrap_or_default());
    let marker = if marker.is_empty() { marker } else { format!("; {marker}") };
    let group = group.or(extra.as_deref());
    foreign.wish(&format!("{name}{extras}{specifier}{marker}"), group);
}

/// A marker without its `extra == 'x'`, and that extra.
fn split_extra(marker: &str) -> (String, Option<String>) {
    let mut extra = None;
    let parts = marker.split(" and ").filter(|part| {
        let found = part.trim().strip_prefix("extra == '").and_then(|rest| rest.strip_suffix('\''));
        extra = extra.take().or_else(|| found.map(str::to_owned));
        found.is_none()
    });
    let marker = parts.collect::<Vec<_>>().join(" and ");
    (marker, extra)
}

fn array(item: Option<&Item>) -> impl Iterator<Item = &Value> {
    item.and_then(Item::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_asks_and_the_others_are_pinned() {
        let zero = "0".repeat(64);
        let found = read(&format!(
            "version = 1\nrevision = 3\nrequires-python = \">=3.12\"\n\n\
             [[package]]\nname = \"demo\"\nversion = \"0.1.0\"\nsource = {{ virtual = \".\" }}\n\
             dependencies = [{{ name = \"a\" }}]\n\n[package.metadata]\n\
             requires-dist = [\n  {{ name = \"a\", extras = [\"x\"], specifier = \">=1\" }},\n  \
             {{ name = \"p\", marker = \"sys_platform == 'linux' and extra == 'plot'\" }},\n]\n\n\
             [package.metadata.requires-dev]\ndev = [{{ name = \"pytest\", specifier = \">=8\" }}]\n\n\
             [[package]]\nname = \"a\"\nversion = \"1.2\"\nsource = {{ registry = \"https://h/simple\" }}\n\
             wheels = [\n  {{ url = \"https://h/a.whl\", hash = \"sha256:{zero}\", size = 1 }},\n]\n\n\
             [[package]]\nname = \"g\"\nversion = \"1\"\nsource = {{ git = \"https://h/g\" }}\n"
        ))
        .unwrap();
        let wishes: Vec<_> = found
            .wishes
            .iter()
            .map(|wish| {
                let group = wish.group.as_ref().map(ToString::to_string).unwrap_or_default();
                let marker = wish.request.marker.clone().unwrap_or_default();
                format!("{group}/{} {} {marker}", wish.request.name, wish.request.requirement)
            })
            .collect();
        assert_eq!(wishes, ["/a >=1 ", "plot/p * sys_platform == 'linux'", "dev/pytest >=8 "]);
        assert_eq!(found.pins.values().map(|pin| pin.hashes.len()).collect::<Vec<_>>(), [1]);
        assert_eq!(found.left_out[0].what, "g");
        assert!(read("version = 2\n").is_err());
    }
}
