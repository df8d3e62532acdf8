//! Reads the Python cases of resolvelib: questions, and the frozen indexes that they ask.

use std::collections::BTreeMap;
use std::io::Read as _;

use serde::Deserialize;
use serde_json::Value;

use super::{Expected, Options, Release, Scenario};

/// All 13 cases, in the suite's order.
///
/// A case names no Python; nothing in them depends on which Python 3 it is.
pub fn resolvelib() -> Vec<Scenario> {
    let cases: Vec<RawCase> = serde_json::from_str(CASES).expect("the suite is well-formed");
    let mut text = String::new();
    liblzma::read::XzDecoder::new(INDEXES)
        .read_to_string(&mut text)
        .expect("the indexes can be unpacked");
    let indexes: BTreeMap<String, RawIndex> =
        serde_json::from_str(&text).expect("the indexes are well-formed");
    cases.into_iter().map(|case| case.scenario(&indexes)).collect()
}

/// Versions by project; a version's requirements, or an empty map for none.
type RawIndex = BTreeMap<String, serde_json::Map<String, Value>>;

#[derive(Deserialize)]
struct RawCase {
    name: String,
    index: String,
    requested: Vec<String>,
    resolved: Option<BTreeMap<String, String>>,
    conflicted: Option<BTreeMap<String, Vec<String>>>,
}

impl RawCase {
    fn scenario(self, indexes: &BTreeMap<String, RawIndex>) -> Scenario {
        let universe = indexes[&self.index]
            .iter()
            .flat_map(|(name, versions)| {
                versions.iter().map(move |(version, requires)| release(name, version, requires))
            })
            .collect();
        let expected = match self.conflicted {
            Some(conflicted) => Expected::Refused { mentions: conflicted.into_keys().collect() },
            None => Expected::Versions(self.resolved.unwrap_or_default()),
        };
        Scenario {
            name: self.name,
            group: "resolvelib".to_owned(),
            universe,
            requires: self.requested,
            requires_python: None,
            python: "3.12".to_owned(),
            options: Options::default(),
            expected,
            uv_agrees: None,
        }
    }
}

fn release(name: &str, version: &str, requires: &Value) -> Release {
    let requires: Vec<String> = requires
        .as_array()
        .map(|list| list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        .unwrap_or_default();
    Release {
        name: name.to_owned(),
        version: version.to_owned(),
        extras: extras(&requires),
        requires,
        requires_python: None,
        yanked: false,
        wheel_tags: vec!["py3-none-any".to_owned()],
        sdist: false,
    }
}

/// The extras that the markers speak of: the frozen indexes have no list of their own.
fn extras(requires: &[String]) -> Vec<String> {
    let mut extras: Vec<String> = requires
        .iter()
        .filter_map(|requirement| requirement.split_once("extra ==")?.1.split(['\'', '"']).nth(1))
        .map(str::to_owned)
        .collect();
    extras.sort();
    extras.dedup();
    extras
}

const CASES: &str = include_str!("../../data/suites/resolvelib-python-cases.json");
const INDEXES: &[u8] = include_bytes!("../../data/suites/resolvelib-python-indexes.json.xz");
