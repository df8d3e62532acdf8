//! One large universe of integer versions, with the verdict of a SAT solver for each root.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Deserialize;

use crate::world::{World, question, rounds};

type Ranges = Vec<(u32, Option<u32>)>;

#[derive(Deserialize)]
struct Case {
    packages: BTreeMap<String, BTreeMap<String, BTreeMap<String, Ranges>>>,
    satisfiable: BTreeMap<String, BTreeMap<String, bool>>,
}

#[test]
fn verdicts_are_those_of_a_sat_solver() {
    let text = include_str!("../../../tests/data/suites/pubgrub-large-case.json");
    let case: Case = serde_json::from_str(text).unwrap();
    let world = world(&case);
    let started = Instant::now();
    let mut verdicts = [0, 0];
    for (package, versions) in &case.satisfiable {
        for (version, expected) in versions {
            let (solution, _) = rounds(&question(&[&format!("p{package}=={version}")]), &world);
            assert_eq!(solution.is_ok(), *expected, "{package} {version}");
            verdicts[usize::from(*expected)] += 1;
        }
    }
    assert_eq!(verdicts, [48, 593]);
    assert!(started.elapsed().as_secs() < 120, "{:?}", started.elapsed());
}

fn world(case: &Case) -> World {
    let mut world = World::default();
    for (package, versions) in &case.packages {
        for (version, needs) in versions {
            let needs: Vec<String> =
                needs.iter().map(|(name, ranges)| need(name, ranges)).collect();
            let needs: Vec<&str> = needs.iter().map(String::as_str).collect();
            world.wheel(&format!("p{package}"), version, &needs);
        }
    }
    world
}

/// A union of ranges in PEP 440: the hull, without the versions of the gaps.
fn need(name: &str, ranges: &Ranges) -> String {
    let mut clauses = vec![format!(">={}", ranges[0].0)];
    for pair in ranges.windows(2) {
        let gap = pair[0].1.unwrap()..pair[1].0;
        clauses.extend(gap.map(|version| format!("!={version}")));
    }
    clauses.extend(ranges.last().unwrap().1.map(|end| format!("<{end}")));
    format!("p{name}{}", clauses.join(","))
}
