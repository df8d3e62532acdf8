//! Changes to the text of rocm.toml that keep every comment and the order of its lines.

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, TomlError, Value};

use super::request::Request;

/// rocm.toml while it is edited.
pub struct ManifestText(DocumentMut);

/// What one edit did.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case", tag = "change")]
pub enum Change {
    /// A line is new.
    Added {
        /// The table.
        table: String,
        /// The key, or the component.
        name: String,
        /// What it holds.
        value: String,
    },
    /// A line says something else.
    Changed {
        /// The table.
        table: String,
        /// The key.
        name: String,
        /// What it held.
        from: String,
        /// What it holds.
        to: String,
    },
    /// It was there already.
    Unchanged {
        /// The table.
        table: String,
        /// The key, or the component.
        name: String,
    },
    /// A line is gone.
    Removed {
        /// The table.
        table: String,
        /// The key, or the component.
        name: String,
    },
}

impl ManifestText {
    /// Takes the text of a rocm.toml.
    pub fn new(text: &str) -> Result<Self, TomlError> {
        Ok(Self(text.parse()?))
    }

    /// The text as it is now.
    pub fn text(&self) -> String {
        self.0.to_string()
    }

    /// Asks for `key` in the table at `path`; an existing line keeps its place and comment, and
    /// a table of options there keeps its other options.
    pub fn require(
        &mut self,
        path: &[String],
        key: &str,
        wanted: &Request,
        index: Option<&str>,
    ) -> Change {
        self.set(path, key, value_of(wanted, index))
    }

    /// Sets `key` in the table at `path`; an existing line, whatever the spelling of its name,
    /// keeps its place and comment, and a table of options there keeps its other options.
    pub fn set(&mut self, path: &[String], key: &str, value: impl Into<Value>) -> Change {
        let value = value.into();
        let table_name = path.join(".");
        let table = self.table(path);
        let written = table.iter().map(|(known, _)| known).find(|known| is_same(known, key));
        let name = written.unwrap_or(key).to_owned();
        let key = name.as_str();
        let Some(old) = table.get_mut(key).and_then(Item::as_value_mut) else {
            let text = value.to_string();
            table.insert(key, Item::Value(value));
            return Change::Added { table: table_name, name, value: text };
        };
        let from = bare(old);
        let decor = old.decor().clone();
        match (old.as_inline_table_mut(), value.as_str()) {
            (Some(options), Some(version)) => {
                options.insert("version", version.into());
            }
            _ => *old = value,
        }
        *old.decor_mut() = decor;
        let to = bare(old);
        if from == to {
            return Change::Unchanged { table: table_name, name };
        }
        Change::Changed { table: table_name, name, from, to }
    }

    /// Adds a component of ROCm.
    pub fn add_component(&mut self, component: &str) -> Change {
        let path = ["rocm".to_owned()];
        let (table, name) = (COMPONENTS.to_owned(), component.to_owned());
        let rocm = self.table(&path);
        if rocm.get("components").is_none() {
            rocm.insert("components", Item::Value(Value::Array(Array::new())));
        }
        let Some(components) = rocm.get_mut("components").and_then(Item::as_array_mut) else {
            return Change::Unchanged { table, name };
        };
        if components.iter().any(|known| known.as_str() == Some(component)) {
            return Change::Unchanged { table, name };
        }
        components.push(component);
        Change::Added { table, value: format!("\"{component}\""), name }
    }

    /// Takes a component of ROCm out.
    pub fn remove_component(&mut self, component: &str) -> Option<Change> {
        let components = self.0.get_mut("rocm")?.get_mut("components")?.as_array_mut()?;
        let at = components.iter().position(|known| known.as_str() == Some(component))?;
        components.remove(at);
        Some(Change::Removed { table: COMPONENTS.to_owned(), name: component.to_owned() })
    }

    /// Takes the line of `key` out of the table at `path`. Names are compared as Python's
    /// package names are.
    pub fn remove(&mut self, path: &[String], key: &str) -> Option<Change> {
        let mut table: &mut dyn TableLike = self.0.as_table_mut();
        let mut is_inline = false;
        for name in path {
            let item = table.get_mut(&written(table, name)?)?;
            is_inline = item.is_inline_table();
            table = item.as_table_like_mut()?;
        }
        let written = written(table, key)?;
        let is_last = table.iter().last().is_some_and(|(known, _)| known == written);
        let gone = table.remove(&written)?;
        // the room before the closing brace is the last one's
        if let (true, Some((_, last)), Some(gone)) =
            (is_inline && is_last, table.iter_mut().last(), gone.as_value())
            && let (Some(last), Some(room)) = (last.as_value_mut(), gone.decor().suffix())
        {
            last.decor_mut().set_suffix(room.clone());
        }
        Some(Change::Removed { table: path.join("."), name: written })
    }

    /// Takes the item at a place out of the list that `key` holds in the table at `path`.
    pub fn remove_item(&mut self, path: &[String], key: &str, at: usize) -> Option<Change> {
        let list = self.table(path).get_mut(key)?.as_array_mut()?;
        let from = list.to_string();
        if at >= list.len() {
            return None;
        }
        list.remove(at);
        let (table, name) = (path.join("."), key.to_owned());
        Some(Change::Changed { table, name, from: from.trim().to_owned(), to: list.to_string() })
    }

    /// Every name that could be removed from these tables, and the components.
    pub fn names(&self, paths: &[Vec<String>]) -> Vec<String> {
        let mut names = Vec::new();
        for path in paths {
            let mut item: Option<&Item> = Some(self.0.as_item());
            for name in path {
                item = item.and_then(|item| item.get(name));
            }
            let table = item.and_then(Item::as_table_like);
            names.extend(
                table.into_iter().flat_map(|table| {
                    table.iter().map(|(key, _)| key.to_owned()).collect::<Vec<_>>()
                }),
            );
        }
        let components = self.0.get("rocm").and_then(|rocm| rocm.get("components"));
        let listed = components.and_then(Item::as_array).into_iter().flat_map(Array::iter);
        names.extend(listed.filter_map(Value::as_str).map(str::to_owned));
        names
    }

    /// The table at `path`, made where it is missing.
    fn table(&mut self, path: &[String]) -> &mut dyn TableLike {
        let mut table: &mut dyn TableLike = self.0.as_table_mut();
        for (at, name) in path.iter().enumerate() {
            let mut fresh = Table::new();
            fresh.set_implicit(at + 1 < path.len());
            if !table.get(name).is_some_and(Item::is_table_like) {
                table.insert(name, Item::Table(fresh));
            }
            #[expect(clippy::expect_used, reason = "the line above put a table there")]
            let next = table.get_mut(name).and_then(Item::as_table_like_mut).expect("a table");
            table = next;
        }
        table
    }
}

fn value_of(wanted: &Request, index: Option<&str>) -> Value {
    let version = wanted.requirement.to_string();
    if wanted.extras.is_empty() && wanted.marker.is_none() && index.is_none() {
        return Value::from(version);
    }
    let mut table = InlineTable::new();
    table.insert("version", Value::from(version));
    if !wanted.extras.is_empty() {
        let extras: Array = wanted.extras.iter().map(ToString::to_string).collect();
        table.insert("extras", Value::Array(extras));
    }
    if let Some(marker) = &wanted.marker {
        table.insert("markers", Value::from(marker.as_str()));
    }
    if let Some(index) = index {
        table.insert("index", Value::from(index));
    }
    Value::InlineTable(table)
}

/// The value without the comment beside it.
fn bare(value: &Value) -> String {
    let mut value = value.clone();
    value.decor_mut().clear();
    value.to_string()
}

/// The key of a table as it is written.
fn written(table: &dyn TableLike, key: &str) -> Option<String> {
    table.iter().map(|(known, _)| known).find(|known| is_same(known, key)).map(str::to_owned)
}

fn is_same(known: &str, key: &str) -> bool {
    let normal = |name: &str| name.to_lowercase().replace(['_', '.'], "-");
    normal(known) == normal(key)
}

/// Where a change of a component says that it was.
pub const COMPONENTS: &str = "rocm.components";

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# my project
[project]
name = \"p\"   # its name

[requires]
rocm = \"10.0\"  # as the cluster has
# the framework
pytorch = \">=2.12\"

[python-packages]
accelerate = { version = \">=1.0\", extras = [\"x\"] } # keep
";

    fn require(text: &mut ManifestText, path: &[&str], key: &str, wanted: &str) -> Change {
        let path: Vec<String> = path.iter().map(|&part| part.to_owned()).collect();
        text.require(&path, key, &wanted.parse().unwrap(), None)
    }

    #[test]
    fn comments_and_order_stay() {
        let mut text = ManifestText::new(TEXT).unwrap();
        require(&mut text, &["requires"], "rocm", "rocm==10.1");
        require(&mut text, &["python-packages"], "accelerate", "accelerate>=1.2");
        require(&mut text, &["python-packages"], "transformers", "transformers[torch]>=4");
        require(&mut text, &["groups", "dev"], "pytest", "pytest");
        text.add_component("smi");
        insta::assert_snapshot!(text.text(), @r#"
        # my project
        [project]
        name = "p"   # its name

        [requires]
        rocm = "==10.1"  # as the cluster has
        # the framework
        pytorch = ">=2.12"

        [python-packages]
        accelerate = { version = ">=1.2", extras = ["x"] } # keep
        transformers = { version = ">=4", extras = ["torch"] }

        [groups.dev]
        pytest = "*"

        [rocm]
        components = ["smi"]
        "#);
    }

    #[test]
    fn the_same_again_changes_nothing() {
        let mut text = ManifestText::new(TEXT).unwrap();
        let change = require(&mut text, &["requires"], "pytorch", "pytorch>=2.12");
        assert!(matches!(change, Change::Unchanged { .. }));
        assert_eq!(text.text(), TEXT);
    }

    #[test]
    fn what_is_removed_is_found_by_its_normal_name() {
        let mut text =
            ManifestText::new("[python-packages]\nHf_Hub = \"*\"\nnumpy = \"2\"\n").unwrap();
        let path = ["python-packages".to_owned()];
        assert!(text.remove(&path, "hf-hub").is_some());
        assert!(text.remove(&path, "torch").is_none());
        assert_eq!(text.text(), "[python-packages]\nnumpy = \"2\"\n");
    }

    #[test]
    fn an_option_is_taken_out_of_its_table() {
        let text = "[python-packages]\nHf_Hub = { version = \"*\", index = \"lab\" } # keep\n";
        let mut text = ManifestText::new(text).unwrap();
        let path = ["python-packages".to_owned(), "hf-hub".to_owned()];
        assert!(text.remove(&path, "index").is_some());
        assert_eq!(text.text(), "[python-packages]\nHf_Hub = { version = \"*\" } # keep\n");
    }
}
