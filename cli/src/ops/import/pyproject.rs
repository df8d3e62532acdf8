//! pyproject.toml: what a project of Python asks for (PEP 621, PEP 735).

use toml_edit::{DocumentMut, Item, Value};

use super::{Foreign, ImportError};

/// Reads the text.
pub(super) fn read(text: &str) -> Result<Foreign, ImportError> {
    let document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        ImportError::Malformed { what: "a pyproject.toml", problem: error.message().to_owned() }
    })?;
    let mut foreign = Foreign::default();
    let project = document.get("project");
    let of_project = |key: &str| project.and_then(|project| project.get(key));
    foreign.name = of_project("name").and_then(Item::as_str).map(str::to_owned);
    if let Some(python) = of_project("requires-python").and_then(Item::as_str) {
        match python.replace(' ', "").parse() {
            Ok(python) => foreign.python = Some(python),
            Err(_) => foreign.leave(python, "no requirement of Python that rocm.toml can say"),
        }
    }
    // a project that can be built or has programs is used from its source
    if document.get("build-system").is_some() || of_project("scripts").is_some() {
        foreign.path = Some(".".to_owned());
    }
    for text in texts(of_project("dependencies")) {
        requirement(&mut foreign, &text, None);
    }
    for (group, listed) in entries(of_project("optional-dependencies")) {
        for text in texts(Some(listed)) {
            requirement(&mut foreign, &text, Some(group));
        }
    }
    let groups = document.get("dependency-groups");
    for (group, _) in entries(groups) {
        let mut seen = Vec::new();
        for text in expanded(groups, group, &mut seen) {
            requirement(&mut foreign, &text, Some(group));
        }
    }
    if document.get("tool").and_then(|tool| tool.get("uv")?.get("sources")).is_some() {
        foreign.leave(
            "[tool.uv.sources]",
            "AMD's and PyTorch's indexes are known; others go into [indexes]",
        );
    }
    Ok(foreign)
}

/// Places a requirement, unless it names an address.
pub(super) fn requirement(foreign: &mut Foreign, text: &str, group: Option<&str>) {
    if text.contains(" @ ") || text.contains("://") {
        foreign.leave(text, "a lock holds files of an index, not of an address");
    } else {
        // `name (>=1)` is an old way to write `name >=1`
        let plain = match text.split_once(';') {
            Some((before, marker)) => {
                format!("{};{marker}", before.replace(['(', ')'], " "))
            }
            None => text.replace(['(', ')'], " "),
        };
        foreign.wish(plain.trim(), group);
    }
}

/// The requirements of a group with those of the groups that it includes.
fn expanded(groups: Option<&Item>, name: &str, seen: &mut Vec<String>) -> Vec<String> {
    if seen.iter().any(|known| known == name) {
        return Vec::new();
    }
    seen.push(name.to_owned());
    let listed = groups.and_then(|groups| groups.get(name)).and_then(Item::as_array);
    let mut found = Vec::new();
    for value in listed.into_iter().flatten() {
        if let Some(text) = value.as_str() {
            found.push(text.to_owned());
        } else if let Some(other) =
            value.as_inline_table().and_then(|table| table.get("include-group")?.as_str())
        {
            found.extend(expanded(groups, other, seen));
        }
    }
    found
}

fn texts(item: Option<&Item>) -> Vec<String> {
    let listed = item.and_then(Item::as_array).into_iter().flatten();
    listed.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn entries(item: Option<&Item>) -> Vec<(&str, &Item)> {
    item.and_then(Item::as_table_like).map(|table| table.iter().collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_extras_and_groups_come_along() {
        let found = read(
            "[project]\nname = \"demo\"\nrequires-python = \">=3.10, <3.14\"\n\
             dependencies = [\"torch (>=2.9)\", \"x @ https://h/x.whl\"]\n\
             [project.optional-dependencies]\nplot = [\"matplotlib\"]\n[build-system]\n\
             [dependency-groups]\ntest = [\"pytest>=8\"]\ndev = [\"ruff\", { include-group = \"test\" }]\n",
        )
        .unwrap();
        let wishes: Vec<_> = found
            .wishes
            .iter()
            .map(|wish| {
                let group = wish.group.as_ref().map(ToString::to_string).unwrap_or_default();
                format!("{group}/{} {}", wish.request.name, wish.request.requirement)
            })
            .collect();
        assert_eq!(
            wishes,
            [
                "/torch >=2.9",
                "plot/matplotlib *",
                "test/pytest >=8",
                "dev/ruff *",
                "dev/pytest >=8"
            ]
        );
        assert_eq!(found.python.unwrap().to_string(), ">=3.10,<3.14");
        assert_eq!(found.path.as_deref(), Some("."));
        assert_eq!(found.left_out.len(), 1);
    }
}
