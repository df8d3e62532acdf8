//! Reads the scenarios of packse, kept as one JSON file.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Expected, Options, Release, Scenario};
use crate::wheel::with_extra;

/// All 98 scenarios, in the suite's order.
pub fn packse() -> Vec<Scenario> {
    let raw: Vec<RawScenario> = serde_json::from_str(DATA).expect("the suite is well-formed");
    raw.into_iter().map(RawScenario::scenario).collect()
}

#[derive(Deserialize)]
struct RawScenario {
    name: String,
    group: String,
    root: RawRoot,
    packages: BTreeMap<String, serde_json::Map<String, serde_json::Value>>,
    resolver_options: RawOptions,
    environment: RawEnvironment,
    expected: RawExpected,
    uv_agrees: bool,
}

#[derive(Deserialize)]
struct RawRoot {
    requires: Vec<String>,
    requires_python: Option<String>,
}

#[derive(Deserialize)]
struct RawRelease {
    requires: Vec<String>,
    requires_python: Option<String>,
    extras: BTreeMap<String, Vec<String>>,
    sdist: bool,
    wheel: bool,
    yanked: bool,
    wheel_tags: Vec<String>,
}

#[derive(Deserialize)]
struct RawOptions {
    #[serde(default)]
    universal: bool,
    #[serde(default)]
    prereleases: bool,
    python: Option<String>,
    python_platform: Option<String>,
    #[serde(default)]
    no_binary: Vec<String>,
    #[serde(default)]
    no_build: Vec<String>,
}

#[derive(Deserialize)]
struct RawEnvironment {
    python: String,
}

#[derive(Deserialize)]
struct RawExpected {
    satisfiable: bool,
    packages: BTreeMap<String, String>,
    explanation_mentions: Vec<String>,
}

impl RawScenario {
    fn scenario(self) -> Scenario {
        let mut universe = Vec::new();
        for (name, versions) in self.packages {
            for (version, release) in versions {
                let raw: RawRelease =
                    serde_json::from_value(release).expect("the suite is well-formed");
                universe.push(raw.release(&name, version));
            }
        }
        let expected = if self.expected.satisfiable {
            Expected::Versions(self.expected.packages)
        } else {
            Expected::Refused { mentions: self.expected.explanation_mentions }
        };
        Scenario {
            name: self.name,
            group: self.group,
            universe,
            requires: self.root.requires,
            requires_python: self.root.requires_python,
            python: self.environment.python,
            options: self.resolver_options.options(),
            expected,
            uv_agrees: Some(self.uv_agrees),
        }
    }
}

impl RawRelease {
    fn release(self, name: &str, version: String) -> Release {
        let mut requires = self.requires;
        for (extra, requirements) in &self.extras {
            requires.extend(requirements.iter().map(|it| with_extra(it, extra)));
        }
        let wheel_tags = match (self.wheel, self.wheel_tags.is_empty()) {
            (false, _) => Vec::new(),
            (true, true) => vec!["py3-none-any".to_owned()],
            (true, false) => self.wheel_tags,
        };
        Release {
            name: name.to_owned(),
            version,
            requires,
            extras: self.extras.into_keys().collect(),
            requires_python: self.requires_python,
            yanked: self.yanked,
            wheel_tags,
            sdist: self.sdist,
        }
    }
}

impl RawOptions {
    fn options(self) -> Options {
        Options {
            universal: self.universal,
            prereleases: self.prereleases,
            python: self.python,
            platform: self.python_platform,
            no_binary: self.no_binary,
            no_build: self.no_build,
        }
    }
}

const DATA: &str = include_str!("../../data/suites/packse-scenarios.json");
