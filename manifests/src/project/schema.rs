//! The JSON schema of rocm.toml, and the search for keys that it does not know.

use serde_json::Value;
use toml_edit::{Item, Table, TableLike};

use super::error::{Meant, Problem, nearest};
use super::raw::RawProject;

/// The JSON schema of rocm.toml, as editors read it.
pub fn json_schema() -> Value {
    schemars::schema_for!(RawProject).into()
}

/// The first key of `table` that the schema does not know, with its place. Only called once
/// reading has failed: a good file never pays for it.
pub(super) fn unknown_key(table: &Table) -> Option<(usize, Problem)> {
    let root = json_schema();
    walk(&root, &root, table, "")
}

fn walk(
    root: &Value,
    schema: &Value,
    table: &dyn TableLike,
    path: &str,
) -> Option<(usize, Problem)> {
    let schema = resolve(root, schema);
    let properties = schema.get("properties").and_then(Value::as_object);
    let open = schema.get("additionalProperties").filter(|value| value.is_object());
    for (key, item) in table.iter() {
        let known = properties.and_then(|properties| properties.get(key));
        let Some(inner) = known.or(open) else {
            let names = properties.map(|names| names.keys().map(String::as_str));
            let problem = Problem::UnknownKey {
                key: key.into(),
                table: path.into(),
                meant: home_of(root, key).map(Meant::Table).or_else(|| {
                    let near = names.and_then(|names| nearest(key, names));
                    near.map(|near| Meant::Key(near.to_owned()))
                }),
            };
            let span = table.key(key).and_then(toml_edit::Key::span);
            return Some((span.map_or(0, |span| span.start), problem));
        };
        if path.ends_with("requires") && item.is_table_like() {
            let span = table.key(key).and_then(toml_edit::Key::span);
            return Some((span.map_or(0, |span| span.start), Problem::NoTable { key: key.into() }));
        }
        let below = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        let found = tables_of(item).find_map(|table| walk(root, inner, table, &below));
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The table that a key belongs to which stands in a wrong one; empty for the top.
fn home_of(root: &Value, key: &str) -> Option<String> {
    let has = |schema: &Value| schema["properties"].get(key).is_some();
    let tables = root["properties"].as_object()?;
    if tables.get(key).is_some_and(|own| !is_table(resolve(root, own))) {
        return Some(String::new());
    }
    let home = tables.iter().find(|(_, table)| has(resolve(root, table)));
    home.map(|(name, _)| name.clone())
}

fn is_table(schema: &Value) -> bool {
    schema["properties"].is_object() || schema["additionalProperties"].is_object()
}

fn tables_of(item: &Item) -> impl Iterator<Item = &dyn TableLike> {
    let own = item.as_table_like();
    let listed = item.as_array().into_iter().flat_map(|array| array.iter());
    own.into_iter().chain(
        listed.filter_map(|value| value.as_inline_table().map(|table| table as &dyn TableLike)),
    )
}

/// Follows references, and picks the object among alternatives.
fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let pointer = reference.trim_start_matches('#');
        return root.pointer(pointer).map_or(schema, |found| resolve(root, found));
    }
    if let Some(items) = schema.get("items") {
        return resolve(root, items);
    }
    let choices = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(key)?.as_array());
    let object = choices.and_then(|choices| {
        choices.iter().map(|choice| resolve(root, choice)).find(|choice| {
            choice.get("properties").is_some() || choice.get("additionalProperties").is_some()
        })
    });
    object.unwrap_or(schema)
}
