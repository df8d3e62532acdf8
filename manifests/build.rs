//! Checks the registry and compiles it: `registry/*.toml` -> one compact JSON file a table.
//!
//! TOML stays the source of truth. A file that does not have its table's shape, or a row that
//! names a release, gfx target, product, channel or source that no table has, fails the build.
//! The shapes and the checks are the crate's own modules, compiled here a second time with plain
//! text in place of the crate's words.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads its own folder and the variables that cargo sets"
)]

use std::error::Error;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The crate's words, as text: the build compares names, nothing more.
mod vocabulary {
    pub(crate) type Arch = String;
    pub(crate) type Dotted = String;
    pub(crate) type DriverVersion = String;
    pub(crate) type GfxTarget = String;
    pub(crate) type OsFamily = String;
    pub(crate) type RocmVersion = String;
    pub(crate) type Sha256 = String;
}

#[allow(dead_code, unreachable_pub, reason = "shared with the crate, which uses all of it")]
#[path = "src/registry/pattern.rs"]
mod pattern;
#[allow(dead_code, unreachable_pub, reason = "shared with the crate, which uses all of it")]
#[path = "src/registry/rows/mod.rs"]
mod rows;
#[allow(unreachable_pub, reason = "shared with the crate, which uses all of it")]
#[path = "src/registry/tables.rs"]
mod tables;
#[allow(unreachable_pub, reason = "shared with the crate, which uses all of it")]
#[path = "src/registry/validate/mod.rs"]
mod validate;

use tables::{Tables, with_tables};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=registry");
    println!("cargo::rerun-if-changed=src/registry");
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("registry");
    let out = PathBuf::from(std::env::var("OUT_DIR")?).join("registry");
    std::fs::create_dir_all(&out)?;
    let tables = compile(&folder, &out)?;
    std::fs::write(out.join("fingerprint"), fingerprint(&tables)?)?;
    let faults = validate::validate(&tables, None);
    if faults.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    Err(format!("the registry contradicts itself:\n{}", lines.join("\n")).into())
}

/// What tells this registry from every other: two programs with one of it have the same facts.
fn fingerprint(tables: &Tables) -> Result<String, Box<dyn Error>> {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    serde_json::to_vec(tables)?.hash(&mut hasher);
    Ok(format!("{:016x}", hasher.finish()))
}

macro_rules! compile_all {
    ($($name:ident: $shape:ident { $($rows:ident),* };)*) => {
        fn compile(folder: &Path, out: &Path) -> Result<Tables, Box<dyn Error>> {
            Ok(Tables { $($name: table(folder, out, stringify!($name))?,)* })
        }
    };
}
with_tables!(compile_all);

fn table<T: Serialize + DeserializeOwned>(
    folder: &Path,
    out: &Path,
    name: &str,
) -> Result<T, Box<dyn Error>> {
    let file = folder.join(format!("{}.toml", name.replace('_', "-")));
    let text =
        std::fs::read_to_string(&file).map_err(|err| format!("{}: {err}", file.display()))?;
    let table: T =
        toml_edit::de::from_str(&text).map_err(|err| format!("{}: {err}", file.display()))?;
    let compact = serde_json::to_vec(&pruned(serde_json::to_value(&table)?))?;
    std::fs::write(out.join(format!("{name}.json")), compact)?;
    Ok(table)
}

/// Without what reads back as the default anyway.
fn pruned(value: Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.into_iter().map(pruned).collect()),
        Value::Object(fields) => {
            let kept = fields.into_iter().map(|(name, value)| (name, pruned(value)));
            Value::Object(kept.filter(|(_, value)| !is_default(value)).collect())
        }
        other => other,
    }
}

fn is_default(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
