//! Small universes against brute force: the same verdict, the same objective of the stack, and
//! the same bytes whatever the order of files and of arrival.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rocmenv_manifests::project::Framework;
use rocmenv_manifests::version::RocmVersion;
use rocmenv_resolver::solve::{
    BuildRule, Built, Demand, Fact, FrameworkRule, Grade, Interpreter, JudgedVersions, Judgement,
    Moves, Previous, Question, Release, Solution,
};

use crate::world::{File, World, described, question, rounds};

/// A universe: releases, two frameworks, plain packages. Versions are 1, 2, 3.
#[derive(Debug, Clone)]
pub(crate) struct Universe {
    /// The grade of each release, newest first.
    releases: Vec<u8>,
    /// `m0` and `m1` are the frameworks' packages, `p0`... the others.
    packages: BTreeMap<String, Vec<Version>>,
    /// The grade of a framework's version for a release.
    grades: Vec<u8>,
    /// What is asked for beside the frameworks.
    pub(crate) roots: Vec<Dependency>,
    /// How many of the two frameworks are asked for.
    frameworks: usize,
    /// Release, Python and framework versions of the old lock.
    held: (usize, usize, Vec<u32>),
    holds: bool,
}

#[derive(Debug, Clone)]
struct Version {
    needs: Vec<Dependency>,
    /// Which of the two interpreters have a wheel.
    pythons: [bool; 2],
    /// The release that it is built for.
    built: Option<usize>,
}

/// A package with the versions that do.
pub(crate) type Dependency = (String, BTreeSet<u32>);

/// Changes, grade, release, framework versions (newest is 0), interpreter.
pub(crate) type Objective = (usize, u8, usize, Vec<u32>, usize);

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_solve_agrees_with_brute_force(universe in universe(), seed in 0_u64..1000) {
        let (question, world) = (asked(&universe), world(&universe));
        let (found, _) = rounds(&question, &world);
        let best = best(&universe);
        prop_assert_eq!(found.as_ref().ok().map(|it| objective(&universe, it)), best);
        if let Ok(solution) = &found {
            prop_assert!(is_closed(&universe, solution), "{}", crate::world::pins(solution));
        }
        let text = format!("{found:?}");
        let (shuffled, _) = rounds(&question, &world.clone().shuffled(seed));
        prop_assert_eq!(&text, &format!("{shuffled:?}"));
        let (lazily, _) = rounds(&question, &world.shuffled(seed).unfetched());
        prop_assert_eq!(&text, &format!("{lazily:?}"));
    }
}

pub(crate) fn universe() -> impl Strategy<Value = Universe> {
    let names = ["m0", "m1", "p0", "p1", "p2", "p3"];
    let dependency = (0..4_usize, prop::collection::btree_set(1..=3_u32, 1..=3))
        .prop_map(|(at, versions)| (format!("p{at}"), versions));
    let version = (
        prop::collection::vec(dependency.clone(), 0..3),
        prop::sample::select(vec![[true, true], [true, false], [false, true], [true, true]]),
        prop::option::of(0..3_usize),
    );
    let version = version.prop_map(|(needs, pythons, built)| Version { needs, pythons, built });
    let packages = prop::collection::vec(prop::collection::vec(version, 1..=3), names.len());
    (
        prop::collection::vec(0..4_u8, 1..=3),
        packages,
        prop::collection::vec(0..4_u8, 18),
        prop::collection::vec(dependency, 0..3),
        0..=2_usize,
        (0..3_usize, 0..2_usize, prop::collection::vec(1..=3_u32, 2)),
        any::<bool>(),
    )
        .prop_map(move |(releases, packages, grades, roots, frameworks, held, holds)| {
            let mut packages: BTreeMap<String, Vec<Version>> =
                names.iter().map(ToString::to_string).zip(packages).collect();
            // Plain packages are for no ROCm in particular.
            for (name, versions) in &mut packages {
                let keep = name.starts_with('m');
                for it in versions {
                    it.built = it.built.filter(|_| keep);
                }
            }
            Universe { releases, packages, grades, roots, frameworks, held, holds }
        })
}

const GRADES: [Grade; 4] = [Grade::Listed, Grade::Built, Grade::Unknown, Grade::Refused];
const PYTHONS: [u16; 2] = [12, 11];

/// Release `at` of the universe; the newest has the place 0.
fn release(at: usize) -> RocmVersion {
    RocmVersion::new(10, 9 - at as u64, 0)
}

fn grade(universe: &Universe, framework: usize, version: u32, at: usize) -> u8 {
    universe.grades[framework * 9 + (version as usize - 1) * 3 + at]
}

fn judgement(grade: u8) -> Judgement {
    Judgement { grade: GRADES[usize::from(grade)], text: String::new(), source: None }
}

pub(crate) fn asked(universe: &Universe) -> Question {
    let roots: Vec<String> = universe.roots.iter().map(text).collect();
    let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
    let mut question = question(&roots);
    question.interpreters = PYTHONS.iter().map(|&minor| Interpreter::series(minor)).collect();
    question.wants.rocm = Some(described("10".parse().unwrap()));
    question.wants.rocm = Some(described(">=10.0".parse().unwrap()));
    for (at, &grade) in universe.releases.iter().enumerate() {
        question.stack.releases.push(Release {
            version: release(at),
            line: "therock".to_owned(),
            preview: false,
            channel: "therock".to_owned(),
            demands: vec![Demand {
                fact: Fact::Driver,
                needs: "another driver".to_owned(),
                judgement: judgement(grade),
            }],
            driver_window: None,
            adrenalin_floor: None,
        });
    }
    for framework in 0..2 {
        let judged = (1..=3).flat_map(|version| {
            (0..3).map(move |at| JudgedVersions {
                release: release(at),
                versions: format!("=={version}").parse().unwrap(),
                judgement: judgement(grade(universe, framework, version, at)),
            })
        });
        let rule = FrameworkRule {
            title: format!("F{framework}"),
            main: format!("m{framework}").parse().unwrap(),
            packages: Vec::new(),
            judged: judged.collect(),
            listed: BTreeMap::new(),
        };
        question.stack.frameworks.insert(format!("f{framework}"), rule);
        let versions = universe.packages[&format!("m{framework}")].iter().zip(1_u32..);
        let known = versions.map(|(version, number)| {
            let built = version.built.map_or(Built::Any, |at| Built::For(release(at).dotted()));
            (number.to_string().parse().unwrap(), built)
        });
        let rule = BuildRule { known: known.collect(), ..BuildRule::default() };
        question.stack.builds.insert(format!("m{framework}").parse().unwrap(), rule);
    }
    for framework in 0..universe.frameworks {
        question.wants.frameworks.push(Framework {
            name: format!("f{framework}"),
            requirement: described("*".parse().unwrap()),
        });
    }
    let (rocm, python, versions) = &universe.held;
    let held = (0..).zip(versions).map(|(at, version)| {
        (format!("m{at}").parse().unwrap(), version.to_string().parse().unwrap())
    });
    question.previous = Previous {
        rocm: Some(release(*rocm)),
        python: Some(PYTHONS[*python]),
        packages: held.collect(),
        moves: if universe.holds { Moves::Nothing } else { Moves::Everything },
    };
    question
}

fn text((name, versions): &Dependency) -> String {
    let others = (1..=3).filter(|version| !versions.contains(version));
    let clauses: Vec<String> = others.map(|version| format!("!={version}")).collect();
    format!("{name}{}", clauses.join(","))
}

pub(crate) fn world(universe: &Universe) -> World {
    let mut world = World::default();
    for (name, versions) in &universe.packages {
        for (version, number) in versions.iter().zip(1..) {
            for (python, _) in PYTHONS.iter().zip(version.pythons).filter(|(_, has)| *has) {
                let file = File {
                    name: format!("{name}-{number}-cp3{python}-none-any.whl"),
                    requires: version.needs.iter().map(text).collect(),
                    ..File::default()
                };
                world.file("python", name, file);
            }
        }
    }
    world
}

/// The best objective of all solutions, by trying everything.
pub(crate) fn best(universe: &Universe) -> Option<Objective> {
    let numbers = |framework: usize| 1..=count(universe, &format!("m{framework}"));
    let mut choices: Vec<Vec<u32>> = vec![Vec::new()];
    for framework in 0..universe.frameworks {
        choices = choices
            .into_iter()
            .flat_map(|chosen| numbers(framework).map(move |it| [&chosen[..], &[it]].concat()))
            .collect();
    }
    let mut best: Option<Objective> = None;
    for at in 0..universe.releases.len() {
        for python in 0..2 {
            for chosen in &choices {
                let Some(objective) = stack(universe, at, python, chosen) else { continue };
                let is_better = best.as_ref().is_none_or(|best| objective < *best);
                if is_better && has_closure(universe, at, python, chosen) {
                    best = Some(objective);
                }
            }
        }
    }
    best
}

/// How many versions a package has; they are numbered from 1.
fn count(universe: &Universe, package: &str) -> u32 {
    u32::try_from(universe.packages[package].len()).unwrap()
}

/// The objective of a stack, if its grades allow it.
fn stack(universe: &Universe, at: usize, python: usize, chosen: &[u32]) -> Option<Objective> {
    let grades = chosen.iter().enumerate().map(|(it, &version)| grade(universe, it, version, at));
    let worst = grades.chain([universe.releases[at]]).max()?;
    let (rocm, held_python, versions) = &universe.held;
    // What the universe does not have any more cannot be held.
    let exists =
        |it: usize, version: u32| version as usize <= universe.packages[&format!("m{it}")].len();
    let moved = chosen
        .iter()
        .enumerate()
        .filter(|(it, version)| **version != versions[*it] && exists(*it, versions[*it]))
        .count();
    let moved_rocm = usize::from(*rocm != at && *rocm < universe.releases.len());
    let changes = moved + moved_rocm + usize::from(*held_python != python);
    let changes = if universe.holds { changes } else { 0 };
    let ranks = chosen.iter().enumerate().map(|(it, &version)| rank(universe, it, version));
    (worst < 3).then(|| (changes, worst, at, ranks.collect(), python))
}

/// A framework's version by preference: what is held, then the newest.
fn rank(universe: &Universe, framework: usize, version: u32) -> u32 {
    let held = universe.held.2[framework];
    if universe.holds && held == version {
        return 0;
    }
    let newest = count(universe, &format!("m{framework}"));
    newest - version + 1
}

/// Whether some choice of versions closes over what a stack needs.
fn has_closure(universe: &Universe, at: usize, python: usize, chosen: &[u32]) -> bool {
    let mut pins: BTreeMap<String, u32> = BTreeMap::new();
    for (framework, &version) in chosen.iter().enumerate() {
        pins.insert(format!("m{framework}"), version);
    }
    let root: Vec<Dependency> = universe.roots.clone();
    closes(universe, at, python, &pins, root)
}

fn closes(
    universe: &Universe,
    at: usize,
    python: usize,
    pins: &BTreeMap<String, u32>,
    mut open: Vec<Dependency>,
) -> bool {
    for (name, number) in pins {
        let version = &universe.packages[name][*number as usize - 1];
        if !version.pythons[python] || version.built.is_some_and(|built| built != at) {
            return false;
        }
        open.extend(version.needs.iter().cloned());
    }
    if open.iter().any(|(name, versions)| pins.get(name).is_some_and(|it| !versions.contains(it))) {
        return false;
    }
    let Some((name, _)) = open.iter().find(|(name, _)| !pins.contains_key(name)) else {
        return true;
    };
    (1..=count(universe, name)).any(|version| {
        let mut pins = pins.clone();
        pins.insert(name.clone(), version);
        closes(universe, at, python, &pins, universe.roots.clone())
    })
}

fn objective(universe: &Universe, solution: &Solution) -> Objective {
    let chosen: Vec<u32> = solution
        .frameworks()
        .map(|framework| (framework.name.clone(), framework.version.to_string().parse().unwrap()))
        .collect::<BTreeMap<_, _>>()
        .into_values()
        .collect();
    let rocm = &solution.rocm.as_ref().unwrap().version;
    let at = (0..3).find(|&at| release(at) == *rocm).unwrap();
    let minor = solution.python.as_ref().unwrap().minor;
    let python = PYTHONS.iter().position(|&it| it == minor).unwrap();
    stack(universe, at, python, &chosen).unwrap()
}

/// Whether a solution has everything that it needs, each for its interpreter and release.
fn is_closed(universe: &Universe, solution: &Solution) -> bool {
    let pins: BTreeMap<String, u32> = solution
        .wheels()
        .iter()
        .map(|wheel| (wheel.name.to_string(), wheel.version.to_string().parse().unwrap()))
        .collect();
    let rocm = &solution.rocm.as_ref().unwrap().version;
    let at = (0..3).find(|&at| release(at) == *rocm).unwrap();
    let minor = solution.python.as_ref().unwrap().minor;
    let python = PYTHONS.iter().position(|&it| it == minor).unwrap();
    let needs = pins
        .iter()
        .flat_map(|(name, version)| universe.packages[name][*version as usize - 1].needs.iter());
    let all: Vec<&Dependency> = needs.chain(&universe.roots).collect();
    all.iter().all(|(name, versions)| pins.get(name).is_some_and(|it| versions.contains(it)))
        && pins.iter().all(|(name, version)| {
            let version = &universe.packages[name][*version as usize - 1];
            version.pythons[python] && version.built.is_none_or(|built| built == at)
        })
}
