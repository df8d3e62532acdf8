//! pylock.toml (PEP 751, version 1.0). It does not say what was asked for: where it gives the
//! packages' dependencies, that is what no other package needs, else everything.

use std::collections::BTreeSet;

use toml_edit::{DocumentMut, Item, TableLike, Value};

use super::foreign::digests;
use super::{Foreign, ImportError};

/// Reads the text.
pub(super) fn read(text: &str) -> Result<Foreign, ImportError> {
    let malformed = |problem: String| ImportError::Malformed { what: "a pylock.toml", problem };
    let document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| malformed(error.message().to_owned()))?;
    match document.get("lock-version").and_then(Item::as_str) {
        Some(version) if version.split('.').next() == Some("1") => {}
        Some(other) => {
            return Err(malformed(format!("version {other} of the format is not known")));
        }
        None => return Err(malformed("it says no `lock-version`".to_owned())),
    }
    let mut foreign = Foreign::default();
    if let Some(python) = document.get("requires-python").and_then(Item::as_str) {
        foreign.python = python.replace(' ', "").parse().ok();
    }
    let packages = document.get("packages").and_then(Item::as_array_of_tables);
    let packages: Vec<_> = packages.into_iter().flatten().collect();
    let needed: BTreeSet<String> = packages.iter().flat_map(|package| needs(package)).collect();
    for package in packages {
        let text = |key: &str| package.get(key).and_then(Item::as_str).unwrap_or_default();
        let (name, version) = (text("name"), text("version"));
        let is_of_index =
            ["vcs", "directory", "archive"].iter().all(|key| !package.contains_key(key));
        if !is_of_index || version.is_empty() {
            foreign.leave(name, "a lock holds files of an index, not of an address or folder");
            continue;
        }
        let tables = package.get("wheels").and_then(Item::as_array_of_tables);
        let inline = package.get("wheels").and_then(Item::as_array);
        let tables = tables.into_iter().flatten().filter_map(|wheel| wheel.get("hashes"));
        let tables = tables.filter_map(|hashes| hashes.get("sha256")?.as_str());
        let inline = inline.into_iter().flatten().filter_map(Value::as_inline_table);
        let inline = inline
            .filter_map(|wheel| wheel.get("hashes")?.as_inline_table()?.get("sha256")?.as_str());
        let texts: Vec<String> =
            tables.chain(inline).map(|digest| format!("sha256:{digest}")).collect();
        foreign.pin(name, version, digests(texts.iter().map(String::as_str)));
        if !needed.contains(name) {
            let marker = text("marker");
            let marker = if marker.is_empty() { String::new() } else { format!("; {marker}") };
            foreign.wish(&format!("{name}=={version}{marker}"), None);
        }
    }
    Ok(foreign)
}

fn needs(package: &toml_edit::Table) -> Vec<String> {
    let listed = package.get("dependencies");
    let name = |table: &dyn TableLike| Some(table.get("name")?.as_str()?.to_owned());
    let inline = listed.and_then(Item::as_array).into_iter().flatten();
    let inline = inline.filter_map(|value| name(value.as_inline_table()?));
    let tables = listed.and_then(Item::as_array_of_tables).into_iter().flatten();
    inline.chain(tables.filter_map(|table| name(table))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_write_wheels_are_read() {
        let zero = "0".repeat(64);
        let found = read(&format!(
            "lock-version = \"1.0\"\nrequires-python = \"==3.12.*\"\ncreated-by = \"x\"\n\n\
             [[packages]]\nname = \"a\"\nversion = \"1.0\"\n\
             wheels = [{{ url = \"https://h/a.whl\", hashes = {{ sha256 = \"{zero}\" }} }}]\n\
             dependencies = [{{ name = \"b\" }}]\n\n\
             [[packages]]\nname = \"b\"\nversion = \"2.0\"\n\n[[packages.wheels]]\n\
             path = \"b.whl\"\nhashes = {{ sha256 = \"{zero}\" }}\n\n\
             [[packages]]\nname = \"c\"\ndirectory = {{ path = \".\" }}\n"
        ))
        .unwrap();
        assert_eq!(found.pins.values().map(|pin| pin.hashes.len()).collect::<Vec<_>>(), [1, 1]);
        assert_eq!(found.wishes.iter().map(|w| w.request.name.as_str()).collect::<Vec<_>>(), ["a"]);
        assert_eq!(found.left_out[0].what, "c");
    }
}
