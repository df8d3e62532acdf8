//! The framework set of a release and a Python: what would be installed, from the registry alone.

use rocmenv_manifests::registry::{Judgement, KnownGpu, Registry, System, Verdict};
use rocmenv_manifests::upgrade::{FrameworkVersion, State};
use rocmenv_manifests::version::{Requirement, RocmVersion};

use super::goal::{Goal, UpgradeHost, UpgradePolicy};
use super::judge::{Judged, Mark};
use crate::check::{
    Asked, CheckError, CheckHost, CheckQuestion, FrameworkAnswer, Item, Refusal, Wish,
    framework_set,
};

/// What would be installed.
#[derive(Debug, Clone)]
pub(super) struct Set {
    pub(super) frameworks: Vec<FrameworkVersion>,
    pub(super) mark: Mark,
    /// Pairs that are not listed.
    pub(super) pairs: Vec<Judged>,
}

/// Chooses sets: on the way any version of a framework will do, at the end what was asked for.
#[derive(Debug)]
pub(super) struct Chooser<'r> {
    registry: &'r Registry,
    on_the_way: Asked,
    at_the_end: Asked,
}

impl<'r> Chooser<'r> {
    /// # Errors
    /// A framework that the registry does not know.
    pub(super) fn new(
        registry: &'r Registry,
        host: &UpgradeHost,
        gpus: &[KnownGpu],
        goal: &Goal,
        policy: &UpgradePolicy,
    ) -> Result<Self, CheckError> {
        let os = host.state.os.clone();
        let described = CheckHost {
            gpus: gpus.to_vec(),
            system: os.map(|os| System { os, wsl: host.wsl }),
            ..CheckHost::default()
        };
        let in_use = host.state.frameworks.iter();
        let in_use =
            in_use.map(|own| Wish { name: own.name.clone(), requirement: Requirement::any() });
        let end: Vec<Wish> =
            if goal.frameworks.is_empty() { in_use.collect() } else { goal.frameworks.clone() };
        let way = end
            .iter()
            .map(|wish| Wish { name: wish.name.clone(), requirement: Requirement::any() })
            .collect();
        let asked = |wishes| {
            let question = CheckQuestion {
                preview: policy.preview,
                unproven: policy.unproven,
                accept: policy.accept,
                ..CheckQuestion::new(wishes, described.clone())
            };
            Asked::of(registry, &question)
        };
        Ok(Self { registry, on_the_way: asked(way)?, at_the_end: asked(end)? })
    }

    /// The set of a release on the way; `None` where nothing can be installed.
    pub(super) fn on_the_way(&self, rocm: &RocmVersion, python: Option<&str>) -> Option<Set> {
        self.set(&self.on_the_way, rocm, python).ok()
    }

    /// The set of a release at the end.
    ///
    /// # Errors
    /// Why nothing can be installed, with what is known of the first framework that fails.
    pub(super) fn at_the_end(
        &self,
        rocm: &RocmVersion,
        python: Option<&str>,
    ) -> Result<Set, Box<Missing>> {
        self.set(&self.at_the_end, rocm, python)
    }

    fn set(
        &self,
        asked: &Asked,
        rocm: &RocmVersion,
        python: Option<&str>,
    ) -> Result<Set, Box<Missing>> {
        let mut asked = asked.clone();
        asked.host.python = python.map(str::to_owned);
        let found = framework_set(self.registry, &asked, rocm);
        if let Some(refusal) = found.refusals.into_iter().next() {
            return Err(Box::new(Missing::of(&refusal, &found.frameworks)));
        }
        let frameworks = found.frameworks.iter().filter_map(version).collect();
        let unlisted = found.pairs.into_iter();
        let unlisted = unlisted.filter(|pair| pair.judgement.verdict != Verdict::Listed);
        let pairs = unlisted
            .map(|pair| Judged {
                is_warning: matches!(pair.left, Item::Combination(_)),
                left: pair.left.to_string(),
                right: pair.right.to_string(),
                judgement: pair.judgement,
            })
            .collect();
        Ok(Set { frameworks, mark: Mark::of(found.verdict), pairs })
    }
}

/// Whether the frameworks of a state are what the end must have.
pub(super) fn satisfies(state: &State, goal: &Goal) -> bool {
    goal.frameworks.iter().all(|wish| {
        let own = state.frameworks.iter().find(|own| own.name == wish.name);
        own.is_some_and(|own| {
            let number = own.version.parse();
            wish.requirement.is_any()
                || number.is_ok_and(|number| wish.requirement.matches(&number))
        })
    })
}

/// Why a set cannot be installed.
#[derive(Debug, Clone)]
pub(super) struct Missing {
    pub(super) framework: String,
    pub(super) wanted: String,
    pub(super) known: Vec<String>,
    /// The pair that refuses it, where it is one.
    pub(super) pair: Option<(String, String, Judgement)>,
}

impl Missing {
    fn of(refusal: &Refusal, answers: &[FrameworkAnswer]) -> Self {
        let name = match refusal {
            Refusal::NoBuild { framework, .. }
            | Refusal::OtherPlatform { framework, .. }
            | Refusal::ListedElsewhere { framework, .. }
            | Refusal::OtherPython { framework, .. }
            | Refusal::Needs { framework, .. } => Some(framework),
            Refusal::Pair(_) | Refusal::Policy(_) | Refusal::NoPython { .. } => None,
        };
        let answer = name
            .and_then(|name| answers.iter().find(|answer| answer.name == *name))
            .or_else(|| answers.iter().find(|answer| answer.build.is_none()))
            .or(answers.first());
        let pair = match refusal {
            Refusal::Pair(pair) | Refusal::Policy(pair) => {
                Some((pair.left.to_string(), pair.right.to_string(), pair.judgement.clone()))
            }
            _ => None,
        };
        let mut known: Vec<String> = answer.map_or_else(Vec::new, |answer| {
            answer.known.iter().map(|build| build.version.clone()).collect()
        });
        known.dedup();
        Self {
            framework: answer.map(|answer| answer.name.clone()).unwrap_or_default(),
            wanted: answer.map(|answer| answer.wanted.clone()).unwrap_or_default(),
            known,
            pair,
        }
    }
}

/// The build that would be chosen, or the newest version that is listed where none was seen.
fn version(answer: &FrameworkAnswer) -> Option<FrameworkVersion> {
    let name = answer.name.clone();
    let Some(chosen) = &answer.build else {
        let version = answer.listed.first()?.clone();
        return Some(FrameworkVersion { name, version, build: None, index: None });
    };
    let build = &chosen.build;
    let public = build.version.split('+').next().unwrap_or_default().to_owned();
    Some(FrameworkVersion {
        name,
        version: public,
        build: Some(format!("{} {}", build.package, build.version)),
        index: build.index.as_ref().map(ToString::to_string),
    })
}
