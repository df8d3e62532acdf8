//! The Python cases of resolvelib: real problems on frozen indexes of up to 13,000 versions.
//!
//! `unvisited` bounds the effort: the metadata of these versions must not be read.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;

use serde::Deserialize;

use rocmenv_manifests::name::PackageName;
use rocmenv_manifests::python::{PyRequirement, Version};

use crate::world::{File, World, question, rounds};

type Index = BTreeMap<String, BTreeMap<String, serde_json::Value>>;

#[derive(Deserialize)]
struct Case {
    name: String,
    index: String,
    requested: Vec<String>,
    resolved: Option<BTreeMap<String, String>>,
    unvisited: Option<BTreeMap<String, Vec<String>>>,
    needs_optimistic: bool,
}

#[test]
fn real_problems_are_solved_as_resolvelib_solves_them() {
    let text = include_str!("../../../tests/data/suites/resolvelib-python-cases.json");
    let cases: Vec<Case> = serde_json::from_str(text).unwrap();
    assert_eq!(cases.len(), 13);
    let indexes = indexes();
    let mut wrong = Vec::new();
    for case in &cases {
        let world = world(&indexes[&case.index]);
        let requested: Vec<&str> = case.requested.iter().map(String::as_str).collect();
        let (solution, _) = rounds(&question(&requested), &world);
        let read: BTreeSet<String> = world.read.borrow().iter().cloned().collect();
        let visited: Vec<String> = case
            .unvisited
            .iter()
            .flatten()
            .flat_map(|(package, versions)| versions.iter().map(move |it| file_name(package, it)))
            .filter(|file| read.contains(file))
            .collect();
        let found = solution.ok().map(|it| {
            pinned(it.wheels().iter().map(|it| (it.name.to_string(), it.version.to_string())))
        });
        let stated = case.resolved.clone().filter(|pins| !pins.is_empty());
        let mut expected = stated.map(|pins| pinned(pins.into_iter()));
        if let (Some(pins), "chalice") = (&mut expected, case.name.as_str()) {
            // botocore needs it where `python_version != '3.4'`, which is so for 3.12.
            pins.insert("urllib3".parse().unwrap(), "1.25.8".parse().unwrap());
        }
        if found != expected || !visited.is_empty() {
            wrong.push(format!(
                "{} (optimistic {}): expected {expected:?}\n  found {found:?}\n visited {visited:?}",
                case.name, case.needs_optimistic
            ));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Names and versions in their normal forms.
fn pinned(pins: impl Iterator<Item = (String, String)>) -> BTreeMap<PackageName, Version> {
    pins.map(|(name, version)| (name.parse().unwrap(), version.parse().unwrap())).collect()
}

fn indexes() -> BTreeMap<String, Index> {
    let packed = include_bytes!("../../../tests/data/suites/resolvelib-python-indexes.json.xz");
    let mut text = String::new();
    liblzma::read::XzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn world(index: &Index) -> World {
    let mut world = World::default();
    for (package, versions) in index {
        // What is no PEP 440 version is none on an index either.
        let is_version = |version: &str| version.parse::<Version>().is_ok();
        for (version, requires) in versions.iter().filter(|(version, _)| is_version(version)) {
            let mut repairs = Vec::new();
            // One entry is an empty object where all others are lists.
            let lines = requires.as_array().into_iter().flatten().filter_map(|it| it.as_str());
            let requires = lines.filter_map(|line| {
                let read = PyRequirement::parse_lenient(line, &mut repairs);
                read.ok().map(|requirement| requirement.to_string())
            });
            let file = File {
                name: file_name(package, version),
                requires: requires.collect(),
                ..File::default()
            };
            world.file("python", package, file);
        }
    }
    world
}

fn file_name(package: &str, version: &str) -> String {
    format!("{}-{version}-py3-none-any.whl", package.replace('-', "_"))
}
