//! Versions and specifiers, as pypa/packaging reads them.

use rocmenv_manifests::python::specifier::Clause;
use rocmenv_manifests::python::version::{base, is_prerelease, local, public};
use rocmenv_manifests::python::{Prereleases, Version, VersionSpecifiers};

use crate::table::{Failures, rows};

#[test]
fn versions() {
    let table = rows(include_str!("../../../tests/data/suites/pep440-versions.tsv"), 4);
    let mut failures = Failures::default();
    for row in &table {
        let (kind, text, want) = (row[0].as_str(), row[1].as_str(), row[3].as_str());
        if kind == "invalid" {
            failures.expect(row, text.parse::<Version>().is_err(), true);
            continue;
        }
        let Ok(version) = text.trim().parse::<Version>() else {
            failures.expect(row, "invalid", "valid");
            continue;
        };
        let got = match kind {
            "order" if version < row[2].parse().unwrap() => "<".to_owned(),
            "normalize" if version.to_string() == row[2] => "=".to_owned(),
            "is_prerelease" => is_prerelease(&version).to_string(),
            "is_postrelease" => version.is_post().to_string(),
            "is_devrelease" => version.is_dev().to_string(),
            "epoch" => version.epoch().to_string(),
            "base_version" => base(&version).to_string(),
            "public" => public(&version).to_string(),
            "local" => local(&version).unwrap_or_else(|| "-".to_owned()),
            _ => format!("{version} of kind {kind}"),
        };
        failures.expect(row, got.as_str(), want);
    }
    assert_eq!(table.len(), 432);
    failures.none_of(table.len());
}

#[test]
fn order_of_all_pairs() {
    let table = ordered();
    let mut failures = Failures::default();
    for left in &table {
        for right in &table {
            let row = [left.1.to_string(), right.1.to_string()];
            failures.expect(&row, left.1.cmp(&right.1), left.0.cmp(&right.0));
            failures.expect(&row, left.1 == right.1, left.0 == right.0);
        }
    }
    assert_eq!(table.len(), 92);
    failures.none_of(table.len() * table.len());
}

#[test]
fn specifiers_against_every_ordered_version() {
    let versions = ordered();
    let table = rows(include_str!("../../../tests/data/suites/pep440-specifiers-cross.tsv"), 2);
    let mut failures = Failures::default();
    for row in &table {
        let specifiers: VersionSpecifiers = row[0].parse().unwrap();
        let got: Vec<String> = versions
            .iter()
            .enumerate()
            .filter(|(_, (_, version))| specifiers.contains(version))
            .map(|(at, _)| at.to_string())
            .collect();
        failures.expect(row, got.join(","), row[1].clone());
    }
    assert_eq!(table.len() * versions.len(), 7_820);
    failures.none_of(table.len());
}

#[test]
fn specifiers() {
    let table = rows(include_str!("../../../tests/data/suites/pep440-specifiers.tsv"), 5);
    let mut failures = Failures::default();
    let mut without_version = 0;
    for row in &table {
        let (candidate, want) = (row[1].as_str(), row[4].as_str());
        let prereleases = match row[3].as_str() {
            "true" => Prereleases::Allow,
            "false" => Prereleases::Deny,
            _ => Prereleases::IfNeeded,
        };
        let specifiers = row[2].parse::<VersionSpecifiers>();
        match row[0].as_str() {
            "invalid" => failures.expect(row, specifiers.is_err(), true),
            // Has its own test.
            "satisfiability" => {}
            "filter" => {
                let texts: Vec<String> = serde_json::from_str(candidate).unwrap();
                if texts.iter().any(|text| !is_version(text)) {
                    without_version += 1;
                    continue;
                }
                let versions: Vec<Version> = texts.iter().map(|it| it.parse().unwrap()).collect();
                let taken = specifiers.unwrap().filter(&versions, prereleases);
                let got: Vec<String> = taken.iter().map(ToString::to_string).collect();
                failures.expect(row, got, serde_json::from_str(want).unwrap());
            }
            _ if !is_version(candidate) => without_version += 1,
            _ => {
                let version: Version = candidate.parse().unwrap();
                let taken = specifiers.unwrap().filter([&version], prereleases);
                failures.expect(row, (!taken.is_empty()).to_string(), want.to_owned());
            }
        }
    }
    assert_eq!((table.len(), without_version), (731, 41));
    failures.none_of(table.len());
}

#[test]
fn satisfiability() {
    let table = rows(include_str!("../../../tests/data/suites/pep440-specifiers.tsv"), 5);
    let table: Vec<_> = table.iter().filter(|row| row[0] == "satisfiability").collect();
    let mut failures = Failures::default();
    for row in &table {
        let specifiers: VersionSpecifiers = row[2].parse().unwrap();
        let prereleases = if row[3] == "false" { Prereleases::Deny } else { Prereleases::IfNeeded };
        let got = if specifiers.is_satisfiable(prereleases) { "sat" } else { "unsat" };
        // By rule: `===` with a text that is no version takes no version.
        let is_text = |clause: &Clause| matches!(clause, Clause::Text(_));
        let texts_only = specifiers.clauses().iter().all(is_text) && !specifiers.is_empty();
        let want = if texts_only { "unsat" } else { row[4].as_str() };
        failures.expect(row, got, want);
    }
    assert_eq!(table.len(), 208);
    failures.none_of(table.len());
}

/// Left out by rule: candidates that are no version. PEP 440 takes none other since 2023, and
/// no such file ever enters a catalog.
fn is_version(text: &str) -> bool {
    text.parse::<Version>().is_ok()
}

fn ordered() -> Vec<(u32, Version)> {
    rows(include_str!("../../../tests/data/suites/pep440-versions-ordered.tsv"), 2)
        .iter()
        .map(|row| (row[0].parse().unwrap(), row[1].parse().unwrap()))
        .collect()
}
