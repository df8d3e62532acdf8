//! The Python cases of resolvelib: real problems on frozen indexes of up to 13,000 versions.
//!
//! `unvisited` bounds the effort: the metadata of these versions must not be read.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;

use serde::Deserialize;

use rocmenv_manifests::python::PyRequirement;

use crate::world::{File, World, pins, question, rounds};

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
        let found = solution.map(|it| pins(&it)).map_err(|it| it.to_string());
        let lines = |pins: &BTreeMap<String, String>| {
            let normal = |name: &str| name.parse::<rocmenv_manifests::name::PackageName>().unwrap();
            let pins: BTreeSet<String> =
                pins.iter().map(|(name, version)| format!("{}=={version}", normal(name))).collect();
            pins.into_iter().collect::<Vec<_>>().join("\n")
        };
        let expected = case.resolved.as_ref().map(lines);
        if found.as_ref().ok() != expected.as_ref() || !visited.is_empty() {
            wrong.push(format!(
                "{} (optimistic {}): expected {expected:?}\n  found {found:?}\n visited {visited:?}",
                case.name, case.needs_optimistic
            ));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
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
        for (version, requires) in versions {
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
