//! The resolver scenarios of packse, each served as an index and locked by the program: what the
//! solve does with them in memory, it does over the wire, too.

use std::collections::BTreeMap;

use rocmenv_tests::scenario::{Expected, ROOT, Scenario, packse};
use rocmenv_tests::{IndexServer, Sandbox, World};

use super::rocmenv;

#[test]
fn served_scenarios_are_locked_as_the_suite_says() {
    let mut wrong = Vec::new();
    let scenarios = packse();
    assert_eq!(scenarios.len(), 98);
    for scenario in scenarios {
        let by_design = BY_DESIGN.iter().any(|(name, _)| *name == scenario.name);
        let found = locked(&scenario);
        if agree(&scenario.expected, found.as_ref()) == by_design {
            let (name, expected) = (&scenario.name, &scenario.expected);
            wrong.push(format!("{name}\n  expected {expected:?}\n  found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Where the suite says only that there is a solution, any will do here: which one is the business
/// of the solve's own test.
fn agree(expected: &Expected, found: Option<&BTreeMap<String, String>>) -> bool {
    match (expected, found) {
        (Expected::Versions(versions), Some(found)) => versions.is_empty() || versions == found,
        (Expected::Refused { .. }, None) => true,
        _ => false,
    }
}

/// What `lock` pins for the scenario; nothing where it refuses. Any other end fails the test.
fn locked(scenario: &Scenario) -> Option<BTreeMap<String, String>> {
    let server = IndexServer::start(World::new().index(scenario.index()));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    let python = scenario.options.python.as_ref().unwrap_or(&scenario.python);
    let wishes = wishes(&scenario.requires);
    sandbox.write(
        "rocm.toml",
        format!(
            "[requires]\npython = \"{python}\"\n\n[python-packages]\n{wishes}\n\
             [targets.t]\nos = \"ubuntu-24.04\"\n"
        ),
    );
    let output = rocmenv(&sandbox, "lock -q");
    if output.code == 1 {
        return None;
    }
    assert_eq!(output.code, 0, "{}: {}", scenario.name, output.snapshot());
    let lock: toml_edit::DocumentMut = sandbox.read("rocm.lock").parse().expect("TOML");
    let packages = lock.get("package").and_then(toml_edit::Item::as_array_of_tables);
    let packages = packages.into_iter().flatten();
    let wheels = packages.filter(|it| it["kind"].as_str() == Some("wheel"));
    let pins = wheels.map(|it| {
        let text = |key: &str| it[key].as_str().expect("a text").to_owned();
        (text("name"), text("version"))
    });
    Some(pins.filter(|(name, _)| name != ROOT).collect())
}

/// The root requirements as lines of rocm.toml. A name that is asked for twice, for two systems,
/// cannot stand there: then the root wheel asks for all.
fn wishes(requires: &[String]) -> String {
    let wishes: BTreeMap<&str, String> = requires.iter().map(|text| wish(text)).collect();
    if wishes.len() < requires.len() {
        return format!("{ROOT} = \"*\"\n");
    }
    let lines: Vec<String> =
        wishes.iter().map(|(name, table)| format!("{name} = {table}\n")).collect();
    lines.concat()
}

/// One requirement (PEP 508) as a name and its table.
fn wish(text: &str) -> (&str, String) {
    let (wanted, marker) = text.split_once(';').unwrap_or((text, ""));
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let (name, rest) = wanted.split_at(wanted.find(|c| !is_name(c)).unwrap_or(wanted.len()));
    let rest = rest.trim();
    let (extras, versions) = match rest.strip_prefix('[').and_then(|it| it.split_once(']')) {
        Some((extras, versions)) => (extras.split(',').map(str::trim).collect(), versions.trim()),
        None => (Vec::new(), rest),
    };
    let versions = if versions.is_empty() { "*" } else { versions };
    let marker = match marker.trim() {
        "" => String::new(),
        marker => format!(", markers = {marker:?}"),
    };
    (name, format!("{{ version = {versions:?}, extras = {extras:?}{marker} }}"))
}

/// Scenarios that come out otherwise because we mean it so, and why.
const BY_DESIGN: [(&str, &str); 12] = [
    ("conflict-in-fork", OTHER_PLATFORM),
    ("fork-non-local-fork-marker-direct", OTHER_PLATFORM),
    ("fork-non-local-fork-marker-transitive", OTHER_PLATFORM),
    ("incompatible-python-compatible-override-available-no-wheels", SOURCE),
    ("incompatible-python-compatible-override-other-wheel", SOURCE),
    ("incompatible-python-compatible-override-unavailable-no-wheels", SOURCE),
    ("no-wheels-with-matching-platform", SOURCE),
    ("only-wheels-no-binary", "wheels are never passed over"),
    ("python-less-than-current", "an upper bound on Python is believed"),
    ("requires-python-wheels", SOURCE),
    ("specific-architecture", "its only wheels are for another Python than the one asked for"),
    ("wrong-backtracking-basic", "what is asked for first gets its newest version"),
];

const OTHER_PLATFORM: &str = "one solve is for one target: other systems' markers have no part";
const SOURCE: &str = "a source archive is refused";
