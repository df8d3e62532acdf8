//! ROCm releases and requirements of numbers, where npm's semver and our grammar share a meaning.
//!
//! The rows come from npm. What is left out is left out by rule: see [`is_shared_version`] and
//! [`shared_range`].

use rocmenv_manifests::version::{Dotted, Requirement, RocmVersion};

use crate::table::{Failures, rows};

#[test]
fn versions() {
    let table = rows(include_str!("../../../tests/data/suites/semver-versions.tsv"), 5);
    let mut failures = Failures::default();
    let mut shared = 0;
    for row in &table {
        let (kind, left, right) = (row[0].as_str(), row[1].as_str(), row[2].as_str());
        if row[4] == "loose" || !is_shared_version(left) || !is_shared_version(right) {
            continue;
        }
        shared += 1;
        let left = left.parse::<RocmVersion>();
        match kind {
            "invalid" => failures.expect(row, left.is_err(), true),
            "valid" => failures.expect(row, left.unwrap().to_string(), row[3].clone()),
            _ => {
                let (left, right) = (left.unwrap(), right.parse::<RocmVersion>().unwrap());
                let got = if left > right { "a>b" } else { "not a>b" };
                failures.expect(row, got, row[3].as_str());
                failures.expect(row, right < left, true);
            }
        }
    }
    assert_eq!((table.len(), shared), (97, 32));
    failures.none_of(shared);
}

#[test]
fn ranges() {
    let table = rows(include_str!("../../../tests/data/suites/semver-ranges.tsv"), 5);
    let mut failures = Failures::default();
    let mut shared = 0;
    for row in &table {
        let version = row[2].parse::<Dotted>();
        let range = shared_range(&row[1]).filter(|_| row[0] == "range" && row[4] == "-");
        let (Some(range), Ok(version)) = (range, version) else { continue };
        shared += 1;
        let requirement: Requirement = range.parse().unwrap();
        failures.expect(row, requirement.matches(&version).to_string(), row[3].clone());
    }
    assert_eq!((table.len(), shared), (410, 80));
    failures.none_of(shared);
}

/// Left out: the loose parser; a `v` before the number; build metadata, which a ROCm release
/// never has and which orders nothing; npm's own limit of 2^53 for a number.
fn is_shared_version(text: &str) -> bool {
    let has_long_number = text.split(['.', '-']).any(|part| (16..=19).contains(&part.len()));
    !text.starts_with('v') && !text.contains('+') && !has_long_number
}

/// The range in our grammar: commas between the comparators. Left out, besides the kinds
/// `normalize` and `intersects`, the options and versions with a pre-release (a requirement of
/// numbers never meets one): `||`, hyphen ranges, `x` and `X`, `~>`, `v` and builds, which our
/// grammar does not have; and `>` and `<=` before a version that is not complete, where npm
/// means the series and we, as PEP 440, the numbers as written.
fn shared_range(range: &str) -> Option<String> {
    if range.contains("||") || range.contains(" - ") {
        return None;
    }
    let mut comparators: Vec<String> = Vec::new();
    for word in range.split_whitespace() {
        match comparators.last_mut() {
            Some(operator) if is_operator(operator) => operator.push_str(word),
            _ => comparators.push(word.to_owned()),
        }
    }
    let shared = |comparator: &String| {
        let version = comparator.trim_start_matches(['^', '~', '>', '<', '=']);
        let operator = &comparator[..comparator.len() - version.len()];
        let numbers = version.strip_suffix(".*").filter(|_| operator.is_empty()).unwrap_or(version);
        let parts: Vec<&str> = numbers.split('.').collect();
        let is_plain = parts.iter().all(|part| part.parse::<u32>().is_ok());
        let is_series = matches!(operator, ">" | "<=") && parts.len() < 3;
        is_plain && !is_series && operator != "~>"
    };
    (comparators.iter().all(shared) && !comparators.is_empty()).then(|| comparators.join(","))
}

fn is_operator(text: &str) -> bool {
    text.bytes().all(|b| b"^~<>=".contains(&b))
}
