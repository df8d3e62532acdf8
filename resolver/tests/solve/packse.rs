//! The resolver scenarios of packse: packages, what is asked, and what must come of it.

use std::collections::BTreeMap;

use rocmenv_manifests::platform::{Arch, OsFamily};
use rocmenv_manifests::python::{Marker, MarkerEnv};
use rocmenv_resolver::solve::Interpreter;
use serde::Deserialize;

use crate::world::{File, World, question, rounds};

#[derive(Deserialize)]
struct Scenario {
    name: String,
    root: Root,
    packages: BTreeMap<String, BTreeMap<String, Version>>,
    resolver_options: serde_json::Map<String, serde_json::Value>,
    environment: Environment,
    expected: Expected,
    uv_oracle: Oracle,
}

#[derive(Deserialize)]
struct Root {
    requires: Vec<String>,
}

#[derive(Deserialize)]
struct Version {
    requires: Vec<String>,
    requires_python: Option<String>,
    extras: BTreeMap<String, Vec<String>>,
    sdist: bool,
    wheel: bool,
    yanked: bool,
    wheel_tags: Vec<String>,
}

#[derive(Deserialize)]
struct Environment {
    python: String,
}

#[derive(Deserialize)]
struct Expected {
    satisfiable: bool,
    packages: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Oracle {
    packages: BTreeMap<String, Vec<String>>,
}

#[test]
fn scenarios_come_out_as_expected_or_differ_by_design() {
    let text = include_str!("../../../tests/data/suites/packse-scenarios.json");
    let scenarios: Vec<Scenario> = serde_json::from_str(text).unwrap();
    assert_eq!(scenarios.len(), 98);
    let mut wrong = Vec::new();
    for scenario in &scenarios {
        let (found, expected) = (found(scenario), expected(scenario));
        let differs = BY_DESIGN.iter().any(|(name, _)| *name == scenario.name);
        if (found == expected) == differs {
            let name = &scenario.name;
            wrong.push(format!("{name}\n  expected {expected:?}\n  found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What the scenario states; where it only says "satisfiable", what uv chose for such a target.
fn expected(scenario: &Scenario) -> Option<BTreeMap<String, String>> {
    if !scenario.expected.satisfiable {
        return None;
    }
    if !scenario.expected.packages.is_empty() {
        return Some(scenario.expected.packages.clone());
    }
    let python = scenario.environment.python.parse().unwrap();
    let env = MarkerEnv::cpython(&python, OsFamily::Linux, Arch::X86_64);
    let chosen = scenario.uv_oracle.packages.iter().filter_map(|(name, versions)| {
        let applies = |text: &&String| match text.split_once(" ; ") {
            Some((_, marker)) => marker.parse::<Marker>().unwrap().evaluate(&env, &[]),
            None => true,
        };
        let version = versions.iter().find(applies)?.split(" ; ").next()?;
        Some((name.clone(), version.to_owned()))
    });
    Some(chosen.collect())
}

fn found(scenario: &Scenario) -> Option<BTreeMap<String, String>> {
    let world = world(scenario);
    let requires: Vec<&str> = scenario.root.requires.iter().map(String::as_str).collect();
    let mut question = question(&requires);
    let python = scenario.resolver_options.get("python").and_then(|it| it.as_str());
    let python = python.unwrap_or(&scenario.environment.python);
    let minor = python.split('.').nth(1).unwrap().parse().unwrap();
    let mut interpreter = Interpreter::series(minor);
    if python.split('.').count() == 3 {
        interpreter.floor = python.parse().unwrap();
    }
    question.interpreters = vec![interpreter];
    let (solution, _) = rounds(&question, &world);
    let pins = |wheel: &&rocmenv_resolver::solve::ChosenWheel| {
        (wheel.name.to_string(), wheel.version.to_string())
    };
    solution.ok().map(|solution| solution.wheels().iter().map(pins).collect())
}

fn world(scenario: &Scenario) -> World {
    let mut world = World::default();
    for (package, versions) in &scenario.packages {
        for (version, stated) in versions {
            let stem = format!("{}-{version}", package.replace('-', "_"));
            let mut requires = stated.requires.clone();
            for (extra, lines) in &stated.extras {
                requires.extend(lines.iter().map(|line| of_extra(line, extra)));
            }
            let mut names = Vec::new();
            if stated.wheel {
                let plain = ["py3-none-any".to_owned()];
                let tags =
                    if stated.wheel_tags.is_empty() { &plain[..] } else { &stated.wheel_tags };
                names.extend(tags.iter().map(|tags| format!("{stem}-{tags}.whl")));
            }
            if stated.sdist {
                names.push(format!("{stem}.tar.gz"));
            }
            for name in names {
                let file = File {
                    name,
                    requires: requires.clone(),
                    requires_python: stated.requires_python.clone(),
                    yanked: stated.yanked.then(String::new),
                    ..File::default()
                };
                world.file("python", package, file);
            }
        }
    }
    world
}

fn of_extra(line: &str, extra: &str) -> String {
    match line.split_once(';') {
        Some((requirement, marker)) => format!("{requirement}; ({marker}) and extra == '{extra}'"),
        None => format!("{line}; extra == '{extra}'"),
    }
}

/// Scenarios that come out otherwise because we mean it so, and why.
const BY_DESIGN: [(&str, &str); 17] = [
    ("conflict-in-fork", OTHER_PLATFORM),
    ("fork-allows-non-conflicting-non-overlapping-dependencies", OTHER_PLATFORM),
    ("fork-marker-selection", OTHER_PLATFORM),
    ("fork-marker-track", OTHER_PLATFORM),
    ("fork-non-local-fork-marker-direct", OTHER_PLATFORM),
    ("fork-non-local-fork-marker-transitive", OTHER_PLATFORM),
    ("incompatible-python-compatible-override-available-no-wheels", SOURCE),
    ("incompatible-python-compatible-override-other-wheel", SOURCE),
    ("incompatible-python-compatible-override-unavailable-no-wheels", SOURCE),
    ("no-wheels-with-matching-platform", SOURCE),
    ("only-wheels-no-binary", "wheels are never passed over"),
    ("preferences-dependent-forking-bistable", OTHER_PLATFORM),
    ("preferences-dependent-forking-tristable", OTHER_PLATFORM),
    ("python-less-than-current", "an upper bound on Python is believed"),
    ("requires-python-wheels", SOURCE),
    ("specific-architecture", "its only wheels are for another Python than the one asked for"),
    ("wrong-backtracking-basic", "what is asked for first gets its newest version"),
];

const OTHER_PLATFORM: &str = "one solve is for one target: other systems' markers have no part";
const SOURCE: &str = "a source archive is refused";
