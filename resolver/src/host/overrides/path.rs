//! Any fact, by its path in the JSON form.

use serde_json::Value;

use super::{OverrideError, text, unknown_key};
use crate::host::HostFacts;

/// The facts with one value replaced. The value is read as JSON (`true`, `12`, `null` for
/// "not known"), else taken as text.
pub(super) fn set(facts: &HostFacts, key: &str, value: &str) -> Result<HostFacts, OverrideError> {
    let given = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
    let as_text = Value::from(value);
    let mut reason = None;
    for given in [given, as_text] {
        match replace(facts, key, &given) {
            Ok(changed) => return Ok(changed),
            Err(Failure::NoSuchFact) => {}
            Err(Failure::Invalid(why)) => reason = Some(why),
        }
    }
    match reason {
        Some(reason) => {
            let (key, value) = (key.to_owned(), value.to_owned());
            Err(OverrideError::InvalidValue { key, value, reason })
        }
        None => Err(unknown_key(key, text::KEYS.into_iter().chain(PLAIN_KEYS))),
    }
}

enum Failure {
    NoSuchFact,
    Invalid(String),
}

/// Facts ignore fields that they do not know, so that the value is looked for again after it
/// went through them.
fn replace(facts: &HostFacts, key: &str, given: &Value) -> Result<HostFacts, Failure> {
    let invalid = |error: serde_json::Error| Failure::Invalid(error.to_string());
    if PROTECTED.contains(&key.split('.').next().unwrap_or_default()) {
        return Err(Failure::NoSuchFact);
    }
    let mut tree = serde_json::to_value(facts).map_err(invalid)?;
    *slot(&mut tree, key).ok_or(Failure::NoSuchFact)? = given.clone();
    let changed: HostFacts = serde_json::from_value(tree).map_err(invalid)?;
    let written = serde_json::to_value(&changed).map_err(invalid)?;
    let pointer = format!("/{}", key.replace('.', "/"));
    let kept = written.pointer(&pointer).unwrap_or(&Value::Null);
    // an empty list is not written
    let empty = given.as_array().is_some_and(Vec::is_empty) && kept.is_null();
    if kept == given || empty { Ok(changed) } else { Err(Failure::NoSuchFact) }
}

/// The place of a value; the last part of the path may be missing, as unknown facts are.
fn slot<'a>(tree: &'a mut Value, key: &str) -> Option<&'a mut Value> {
    let mut parts = key.split('.').peekable();
    let mut place = tree;
    while let Some(part) = parts.next() {
        place = match place {
            Value::Array(items) => items.get_mut(part.parse::<usize>().ok()?)?,
            Value::Object(fields) => {
                if parts.peek().is_none() {
                    fields.entry(part.to_owned()).or_insert(Value::Null)
                } else {
                    fields.get_mut(part)?
                }
            }
            _ => return None,
        };
    }
    Some(place)
}

/// What the file says of itself is no fact of the host.
const PROTECTED: [&str; 3] = ["schema", "base", "overrides"];

/// Some paths, for the nearest name.
const PLAIN_KEYS: [&str; 12] = [
    "os.codename",
    "kernel.release",
    "cpu.model",
    "cpu.sockets",
    "cpu.cores",
    "cpu.threads",
    "memory.total-bytes",
    "driver.loaded",
    "driver.flavour",
    "driver.release",
    "driver.module-version",
    "environment",
];
