//! `list`, `info`, `tree` and `why`: the lock, read aloud.

use rocmenv_manifests::name::GroupName;
use serde_json::{Value, json};

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::locked::{self, Locked};
use crate::render::{Output, bytes, table, tree};

/// `list`.
pub fn list(context: &Context, out: &mut Output, groups: &[GroupName]) -> Result<Exit, Error> {
    let locked = opened(context, out, groups)?;
    if context.settings.json {
        let packages: Vec<Value> =
            locked.packages.iter().map(|package| package_json(&locked, &package.name)).collect();
        out.json(&json!({ "target": locked.target.name, "packages": packages }))?;
        return Ok(Exit::Done);
    }
    let rows: Vec<Vec<String>> = locked
        .packages
        .iter()
        .map(|package| {
            vec![
                package.name.clone(),
                package.version.clone(),
                package.kind.as_str().to_owned(),
                package.index.to_string(),
                locked.size(package).map(bytes).unwrap_or_default(),
            ]
        })
        .collect();
    out.data(&table(&["package", "version", "kind", "index", "size"], &rows))?;
    Ok(Exit::Done)
}

/// `info NAME`.
pub fn info(context: &Context, out: &mut Output, name: &str) -> Result<Exit, Error> {
    let locked = opened(context, out, &[])?;
    let package = locked.package(name)?;
    if context.settings.json {
        out.json(&package_json(&locked, &package.name))?;
        return Ok(Exit::Done);
    }
    let mut rows = vec![
        ("name", package.name.clone()),
        ("version", package.version.clone()),
        ("kind", package.kind.as_str().to_owned()),
        ("index", package.index.to_string()),
        ("here because", package.reason.clone()),
        ("needs", package.requires.join(" ")),
        ("needed by", locked.needed_by(&package.name).join(" ")),
    ];
    for file in &package.files {
        let size = file.size.map_or_else(|| "size not known".to_owned(), bytes);
        let hash = file
            .sha256
            .map_or_else(|| "not hashed yet".to_owned(), |digest| format!("sha256:{digest}"));
        rows.push(("file", format!("{} ({size}, {hash})", file.name)));
    }
    let lines: Vec<String> = rows
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(key, value)| format!("{key:13} {value}"))
        .collect();
    out.data(&lines.join("\n"))?;
    Ok(Exit::Done)
}

/// How a tree is shown.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    /// What needs a package instead of what it needs.
    pub invert: bool,
    /// How many levels.
    pub depth: Option<usize>,
}

/// `tree [NAME] [--invert]`.
pub fn show_tree(
    context: &Context,
    out: &mut Output,
    name: Option<&str>,
    shown: &Shown,
    groups: &[GroupName],
) -> Result<Exit, Error> {
    let locked = opened(context, out, groups)?;
    let roots: Vec<&str> = match name {
        Some(name) => vec![locked.package(name)?.name.as_str()],
        None => locked.roots().iter().map(|package| package.name.as_str()).collect(),
    };
    if context.settings.json {
        let edges: Vec<Value> = locked
            .packages
            .iter()
            .map(|p| json!({ "name": p.name, "version": p.version, "requires": p.requires }))
            .collect();
        out.json(&json!({ "target": locked.target.name, "roots": roots, "packages": edges }))?;
        return Ok(Exit::Done);
    }
    let label = |name: &str| match locked.packages.iter().find(|p| p.name == name) {
        Some(package) => format!("{name} {}", package.version),
        None => name.to_owned(),
    };
    let below = |name: &str| -> Vec<&str> {
        if shown.invert {
            return locked.needed_by(name);
        }
        let package = locked.packages.iter().find(|package| package.name == name);
        package.map_or_else(Vec::new, |p| p.requires.iter().map(String::as_str).collect())
    };
    out.data(&tree(&roots, &label, &below, shown.depth.unwrap_or(usize::MAX)))?;
    Ok(Exit::Done)
}

/// `why NAME`.
pub fn why(context: &Context, out: &mut Output, name: &str) -> Result<Exit, Error> {
    let locked = opened(context, out, &[])?;
    let package = locked.package(name)?;
    let ways = locked.ways_to(&package.name);
    if context.settings.json {
        out.json(&json!({ "name": package.name, "reason": package.reason, "ways": ways }))?;
        return Ok(Exit::Done);
    }
    let mut lines = vec![format!("{} {}: {}", package.name, package.version, package.reason)];
    for way in ways.iter().filter(|way| way.len() > 1) {
        let root = locked.packages.iter().find(|p| Some(&p.name.as_str()) == way.first());
        let asked = root.map(|root| root.reason.clone()).unwrap_or_default();
        lines.push(format!("  {} ({asked})", way.join(" -> ")));
    }
    out.data(&lines.join("\n"))?;
    Ok(Exit::Done)
}

fn opened(context: &Context, out: &mut Output, groups: &[GroupName]) -> Result<Locked, Error> {
    let locked = locked::open(context, groups)?;
    if context.settings.target.is_none() && !locked.others.is_empty() {
        let others: Vec<String> = locked.others.iter().map(ToString::to_string).collect();
        out.say(&format!(
            "target {}; `--target` shows the others: {}",
            locked.target.name,
            others.join(" ")
        ));
    }
    Ok(locked)
}

fn package_json(locked: &Locked, name: &str) -> Value {
    let Some(package) = locked.packages.iter().find(|package| package.name == name) else {
        return Value::Null;
    };
    let files: Vec<Value> = package
        .files
        .iter()
        .map(|file| json!({ "name": file.name, "sha256": file.sha256, "size": file.size }))
        .collect();
    json!({
        "name": package.name,
        "version": package.version,
        "kind": package.kind,
        "index": package.index,
        "reason": package.reason,
        "requires": package.requires,
        "needed-by": locked.needed_by(name),
        "files": files,
    })
}
