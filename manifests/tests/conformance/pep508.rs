//! Names, requirement strings and markers, as pypa/packaging reads them.

use std::collections::BTreeMap;

use rocmenv_manifests::python::{
    ExtraName, Marker, MarkerEnv, MarkerVariable, PackageName, PyRequirement, Verdict,
    VersionSpecifiers,
};

use crate::table::{Failures, rows};

#[test]
fn names() {
    let table = rows(include_str!("../../../tests/data/suites/pep503-names.tsv"), 2);
    let mut failures = Failures::default();
    for row in &table {
        let name: PackageName = row[0].parse().unwrap();
        failures.expect(row, name.to_string(), row[1].clone());
    }
    assert_eq!(table.len(), 10);
    failures.none_of(table.len());
}

#[test]
fn requirements() {
    let table = rows(include_str!("../../../tests/data/suites/pep508-requirements.tsv"), 7);
    let mut failures = Failures::default();
    for row in &table {
        let parsed = row[1].parse::<PyRequirement>();
        // Left out by rule: `===` with nothing behind it takes nothing; it is refused.
        if row[4] == "===" {
            failures.expect(row, parsed.is_err(), true);
            continue;
        }
        if row[0] == "invalid" {
            failures.expect(row, parsed.is_err(), true);
            continue;
        }
        let Ok(requirement) = parsed else {
            failures.expect(row, "invalid", "valid");
            continue;
        };
        let name: PackageName = row[2].parse().unwrap();
        failures.expect(row, &requirement.name, &name);
        let extras: Vec<ExtraName> = row[3]
            .split(',')
            .filter(|extra| !extra.is_empty())
            .map(|extra| extra.parse().unwrap())
            .collect();
        failures.expect(row, &requirement.extras, &extras);
        failures.expect(row, clauses(&requirement.specifiers), clauses(&row[4].parse().unwrap()));
        failures.expect(row, requirement.url.clone().unwrap_or_default(), row[5].clone());
        failures.expect(row, requirement.marker.to_string(), row[6].clone());
        let again: Result<PyRequirement, _> = requirement.to_string().parse();
        failures.expect(row, again.ok(), Some(requirement));
    }
    assert_eq!(table.len(), 503);
    failures.none_of(table.len());
}

#[test]
fn markers() {
    let table = rows(include_str!("../../../tests/data/suites/pep508-markers.tsv"), 4);
    let mut failures = Failures::default();
    for row in &table {
        let marker = row[1].parse::<Marker>();
        if row[3] == "reject" {
            failures.expect(row, marker.is_err(), true);
            continue;
        }
        let (env, extras) = environment(&row[2]);
        let got = match marker.map(|marker| marker.verdict(&env, &extras)) {
            Ok(Verdict::True) => "true".to_owned(),
            Ok(Verdict::False) => "false".to_owned(),
            Ok(Verdict::Undefined) => "undefined-comparison".to_owned(),
            other => format!("{other:?}"),
        };
        failures.expect(row, got, row[3].clone());
    }
    assert_eq!(table.len(), 1_373);
    failures.none_of(table.len());
}

/// The table writes clauses in another order than the requirement does.
fn clauses(specifiers: &VersionSpecifiers) -> Vec<String> {
    let mut clauses: Vec<String> = specifiers.clauses().iter().map(ToString::to_string).collect();
    clauses.sort();
    clauses
}

/// A named environment (with `;extra=` behind it), or the first with some values replaced.
fn environment(cell: &str) -> (MarkerEnv, Vec<ExtraName>) {
    type Values = BTreeMap<String, String>;
    let named = include_str!("../../../tests/data/suites/pep508-envs.json");
    let named: BTreeMap<String, Values> = serde_json::from_str(named).unwrap();
    let (name, asked) = cell.split_once(";extra=").unwrap_or((cell, ""));
    let (mut values, replaced) = match named.get(name) {
        Some(values) => (values.clone(), Values::from([("extra".to_owned(), asked.to_owned())])),
        None => (named["cp312-linux"].clone(), serde_json::from_str(cell).unwrap()),
    };
    values.extend(replaced);
    let extras = values.remove("extra").filter(|extra| !extra.is_empty());
    let mut env = MarkerEnv::unknown();
    for (name, value) in values {
        env = env.with(MarkerVariable::named(&name).unwrap(), value);
    }
    (env, extras.iter().map(|extra| extra.parse().unwrap()).collect())
}
