//! Debian versions, as `dpkg --compare-versions` orders them.

use std::cmp::Ordering;

use rocmenv_manifests::debian::DebVersion;

use crate::table::{Failures, rows};

#[test]
fn versions() {
    let table = rows(include_str!("../../../tests/data/suites/deb-versions.tsv"), 3);
    let mut failures = Failures::default();
    for row in &table {
        let left = row[0].parse::<DebVersion>();
        if row[2] == "invalid" {
            failures.expect(row, left.is_err(), true);
            continue;
        }
        let (left, right) = (left.unwrap(), row[1].parse::<DebVersion>().unwrap());
        let sign = |ordering| match ordering {
            Ordering::Less => "<",
            Ordering::Equal => "=",
            Ordering::Greater => ">",
        };
        failures.expect(row, sign(left.cmp(&right)), row[2].as_str());
        failures.expect(row, right.cmp(&left), left.cmp(&right).reverse());
    }
    assert_eq!(table.len(), 1_597);
    failures.none_of(table.len());
}
