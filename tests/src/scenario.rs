//! Resolver scenarios of a public suite, as universes that can be served or read.
//!
//! [`packse`] has 98 small ones with what uv 0.13.9 answered. They say what a right answer is;
//! where rocmenv differs by design, the test that runs them names the scenario and the reason.

mod packse;

use std::collections::BTreeMap;

pub use packse::packse;

use crate::wheel::{Wheel, WheelBuilder};
use crate::world::{Index, Served};

/// One question with its universe and its right answer.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The name in its suite.
    pub name: String,
    /// The group in its suite, such as `prereleases`.
    pub group: String,
    /// What exists, sorted by name; versions in the suite's order.
    pub universe: Vec<Release>,
    /// The root requirements, as PEP 508 writes them.
    pub requires: Vec<String>,
    /// The root's own `Requires-Python`.
    pub requires_python: Option<String>,
    /// The interpreter of the environment, such as `3.12` or `3.9.21`.
    pub python: String,
    /// What the suite asks of the resolver beyond defaults.
    pub options: Options,
    /// The right answer.
    pub expected: Expected,
    /// Whether uv 0.13.9 gave the right answer, where that was tried.
    pub uv_agrees: Option<bool>,
}

/// One version of one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// The project's name as the suite spells it.
    pub name: String,
    /// The version.
    pub version: String,
    /// Its requirements, those of extras with their marker.
    pub requires: Vec<String>,
    /// Its extras.
    pub extras: Vec<String>,
    /// Its `Requires-Python`.
    pub requires_python: Option<String>,
    /// Whether it is yanked.
    pub yanked: bool,
    /// The tags of its wheels; none where there is only a source distribution.
    pub wheel_tags: Vec<String>,
    /// Whether it has a source distribution.
    pub sdist: bool,
}

/// Wishes of a scenario that are not requirements.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// One solution for every platform and Python at once. rocmenv solves a target at a time.
    pub universal: bool,
    /// Pre-releases are allowed everywhere.
    pub prereleases: bool,
    /// The Python that is solved for, where it is not the one at hand.
    pub python: Option<String>,
    /// The platform that is solved for, in uv's words.
    pub platform: Option<String>,
    /// Projects whose wheels must not be used.
    pub no_binary: Vec<String>,
    /// Projects whose source distributions must not be used.
    pub no_build: Vec<String>,
}

/// What a right answer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// These versions by name, the root left out.
    Versions(BTreeMap<String, String>),
    /// No solution, with an explanation that names these projects and versions.
    Refused {
        /// What the explanation must mention.
        mentions: Vec<String>,
    },
}

impl Scenario {
    /// The universe as an index called `main`, with a wheel `scenario-root` 0 that has the root requirements.
    pub fn index(&self) -> Index {
        let mut index = Index::new("main");
        for release in &self.universe {
            index = release.add_to(index);
        }
        let mut root = WheelBuilder::new(ROOT, "0");
        root.requires.clone_from(&self.requires);
        root.requires_python.clone_from(&self.requires_python);
        index.wheel(root)
    }
}

impl Release {
    /// The wheels, one a tag.
    pub fn wheels(&self) -> Vec<Wheel> {
        self.wheel_tags
            .iter()
            .map(|tag| {
                let mut wheel = WheelBuilder::new(&self.name, &self.version).tag(tag);
                wheel.requires.clone_from(&self.requires);
                wheel.extras.clone_from(&self.extras);
                wheel.requires_python.clone_from(&self.requires_python);
                wheel.build()
            })
            .collect()
    }

    fn add_to(&self, mut index: Index) -> Index {
        let mut files: Vec<Served> = self.wheels().into_iter().map(Served::from).collect();
        if self.sdist {
            let filename = format!("{}-{}.tar.gz", self.name, self.version);
            let mut sdist = Served::raw(&self.name, &self.version, &filename, "a source tree\n");
            sdist.requires_python.clone_from(&self.requires_python);
            files.push(sdist);
        }
        for file in files {
            index = index.wheel(file);
            if self.yanked {
                index = index.yanked("Yanked for testing");
            }
        }
        index
    }
}

/// The name of the wheel that has the root requirements.
pub const ROOT: &str = "scenario-root";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_is_there() {
        let refused = |it: &&Scenario| matches!(it.expected, Expected::Refused { .. });
        assert_eq!((packse().len(), packse().iter().filter(refused).count()), (98, 41));
    }

    #[test]
    fn a_scenario_is_complete() {
        let scenario = packse().into_iter().find(|it| it.name == "missing-extra").unwrap();
        insta::assert_debug_snapshot!(scenario, @r#"
        Scenario {
            name: "missing-extra",
            group: "extras",
            universe: [
                Release {
                    name: "a",
                    version: "1.0.0",
                    requires: [],
                    extras: [],
                    requires_python: Some(
                        ">=3.12",
                    ),
                    yanked: false,
                    wheel_tags: [
                        "py3-none-any",
                    ],
                    sdist: true,
                },
            ],
            requires: [
                "a[extra]",
            ],
            requires_python: Some(
                ">=3.12",
            ),
            python: "3.12",
            options: Options {
                universal: false,
                prereleases: false,
                python: None,
                platform: None,
                no_binary: [],
                no_build: [],
            },
            expected: Versions(
                {
                    "a": "1.0.0",
                },
            ),
            uv_agrees: Some(
                true,
            ),
        }
        "#);
    }

    #[test]
    fn a_universe_can_be_served() {
        let scenario = packse().into_iter().find(|it| it.group == "yanked").unwrap();
        let server = crate::IndexServer::start(crate::World::new().index(scenario.index()));
        let root = crate::server::client::ask(server.port(), "/main/simple/scenario-root/", &[]);
        assert_eq!(root.status, 200);
        let page = crate::server::client::ask(server.port(), "/main/simple/a/", &[]);
        assert!(page.text().contains("data-yanked"));
    }
}
