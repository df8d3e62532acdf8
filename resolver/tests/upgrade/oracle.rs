//! Random registries against an exhaustive search that knows nothing of graphs and reads nothing
//! of the registry: the same cost, or no way in both, and no state on the way that is forbidden.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rocmenv_manifests::project::Accept;
use rocmenv_manifests::registry::KnownGpu;
use rocmenv_manifests::registry::rows::gpus::GpuClass;
use rocmenv_manifests::upgrade::{Answer, Driver, FrameworkVersion, State, UpgradePlan};
use rocmenv_resolver::upgrade::{Goal, UpgradeHost, UpgradePolicy, plan};

use super::tables;
use super::world::{KERNELS, PYTHONS, Place, Said, World, world};

/// Environments set aside, gaps, reboots, stages, stages of unknown size, bytes.
type Cost = (u32, u32, u32, u32, u32, u64);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    Listed,
    Built,
    NotKnown,
    Refused,
}

/// The firmware that releases name; 0 is none that anybody described.
const NAMED: u32 = 2;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_costs_what_the_cheapest_way_costs(world in world()) {
        let plan = planned(&world);
        let cheapest = world.search();
        match (&plan.answer, cheapest) {
            (Answer::Path | Answer::NothingToDo, Some(cost)) => {
                let total = plan.cost;
                let own = (
                    total.driver_only, total.unknown, total.reboots, total.stages,
                    total.unsized_stages, total.download,
                );
                prop_assert_eq!(own, cost);
                prop_assert_eq!(world.walk(&plan)?, cost);
            }
            (Answer::NoPath { .. }, None) => {}
            (answer, cost) => prop_assert!(false, "{answer:?} where the search has {cost:?}"),
        }
    }
}

fn planned(world: &World) -> UpgradePlan {
    let registry = tables::registry(world);
    let host = UpgradeHost {
        gpus: vec![KnownGpu {
            gfx: "gfx942".parse().unwrap(),
            product: Some("AMD Instinct MI300X".to_owned()),
            class: Some(GpuClass::Instinct),
        }],
        wsl: false,
        state: world.state(),
    };
    let builds = world.builds.iter().enumerate();
    let sizes = builds.filter_map(|(at, (_, _, bytes))| Some((tables::build(at), (*bytes)?)));
    let goal = Goal {
        rocm: Some(tables::release(world.goal.0).to_string().parse().unwrap()),
        driver: world.goal.1.map(|at| Driver::Amd(tables::driver(at))),
        frameworks: vec!["pytorch".parse().unwrap()],
        accept_losses: true,
        sizes: sizes.collect(),
        ..Goal::default()
    };
    let accept = [Accept::Listed, Accept::Built, Accept::Unknown, Accept::Unknown];
    let accept = accept[usize::from(world.accept)];
    let policy = UpgradePolicy { accept, ..UpgradePolicy::default() };
    plan(&registry, &host, &goal, &policy).unwrap()
}

impl World {
    fn state(&self) -> State {
        let start = self.start;
        State {
            os: Some(tables::system(start.system).parse().unwrap()),
            kernel: start.kernel.map(|at| KERNELS[at].to_owned()),
            driver: Some(start.driver.map_or(Driver::InTree, |at| Driver::Amd(tables::driver(at)))),
            firmware: (start.firmware > 0).then(|| format!("FW {}", start.firmware)),
            rocm: start.environment.map(|(release, _)| tables::release(release)),
            python: Some(PYTHONS[start.environment.map_or(0, |(_, python)| python)].to_owned()),
            frameworks: vec![FrameworkVersion {
                name: "pytorch".to_owned(),
                version: "1.0".to_owned(),
                build: None,
                index: None,
            }],
        }
    }

    /// The cheapest cost of an end, by relaxing every change of every state until nothing changes.
    fn search(&self) -> Option<Cost> {
        let start = (self.start, false);
        let mut costs: BTreeMap<(Place, bool), Cost> = BTreeMap::from([(start, Cost::default())]);
        loop {
            let mut changed = false;
            let known: Vec<_> = costs.iter().map(|(at, cost)| (*at, *cost)).collect();
            for ((from, waits), so_far) in known {
                for to in self.changes(from) {
                    let Some(step) = self.step(from, to, waits) else { continue };
                    let total = add(so_far, step);
                    let key = (to, waits_for_boot(from, to));
                    let is_less = costs.get(&key).is_none_or(|known| total < *known);
                    if is_less && to != self.start {
                        costs.insert(key, total);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let ends = costs.iter().filter(|((place, _), _)| self.is_end(*place));
        let usable = ends.filter(|((place, _), _)| {
            *place != self.start || self.host_grade(self.start) != Grade::Refused
        });
        usable.map(|(_, cost)| *cost).min()
    }

    /// The cost of a plan's own stages, each of which must be a change that is allowed.
    fn walk(&self, plan: &UpgradePlan) -> Result<Cost, TestCaseError> {
        let mut at = self.start;
        let mut waits = false;
        let mut total = Cost::default();
        for stage in &plan.stages {
            let to = self.place(&stage.to);
            prop_assert!(self.changes(at).contains(&to), "{at:?} -> {to:?} is no single change");
            let step = self.step(at, to, waits);
            prop_assert!(step.is_some(), "{to:?} is forbidden");
            let step = step.unwrap_or_default();
            prop_assert_eq!(stage.cost.reboots, step.2, "{:?} -> {:?}", at, to);
            total = add(total, step);
            waits = waits_for_boot(at, to);
            at = to;
        }
        prop_assert!(self.is_end(at), "{at:?} is not what was asked for");
        Ok(total)
    }

    fn place(&self, state: &State) -> Place {
        let index = |found: Option<usize>| found.unwrap();
        let kernel = state.kernel.as_deref().map(|text| {
            let number = text.split('-').next().unwrap();
            index(KERNELS.iter().position(|kernel| *kernel == number))
        });
        let os = state.os.as_ref().unwrap().to_string();
        Place {
            system: index((0..self.systems.len()).find(|at| tables::system(*at) == os)),
            kernel,
            driver: match state.driver.as_ref().unwrap() {
                Driver::Amd(own) => {
                    Some(index((0..self.drivers.len()).find(|at| tables::driver(*at) == *own)))
                }
                _ => None,
            },
            firmware: state.firmware.as_deref().map_or(0, |text| text[3..].parse().unwrap()),
            environment: state.rocm.as_ref().map(|rocm| {
                let release = (0..self.releases.len()).find(|at| tables::release(*at) == *rocm);
                let python = state.python.as_deref().unwrap();
                (index(release), index(PYTHONS.iter().position(|own| *own == python)))
            }),
        }
    }

    /// Every single change from a place, allowed or not.
    fn changes(&self, from: Place) -> BTreeSet<Place> {
        let mut found = BTreeSet::new();
        let next = (from.system + 1..self.systems.len()).find(|system| self.is_named(*system));
        if let Some(system) = next {
            let kernel = self.kernels(system).first().copied();
            let has_kernel = self.start.kernel.is_some();
            found.insert(Place { system, kernel: kernel.filter(|_| has_kernel), ..from });
        }
        let mut kernels = self.kernels(from.system);
        if from.system == self.start.system {
            kernels.extend(self.start.kernel);
        }
        found.extend(kernels.into_iter().map(|kernel| Place { kernel: Some(kernel), ..from }));
        let newer = (0..self.drivers.len()).filter(|at| {
            self.start.driver.is_some_and(|own| *at > own) || self.goal.1 == Some(*at)
        });
        found.extend(newer.map(|at| Place { driver: Some(at), ..from }));
        found.insert(Place { driver: self.start.driver, ..from });
        let named = self.way().any(|release| self.releases[release].0);
        if named && self.start.firmware < NAMED {
            found.insert(Place { firmware: NAMED, ..from });
        }
        found.insert(Place { firmware: self.start.firmware, ..from });
        match from.environment {
            None => {
                let all = self.way().flat_map(|release| [(release, 0), (release, 1)]);
                found.extend(all.map(|own| Place { environment: Some(own), ..from }));
            }
            Some((release, python)) => {
                found.insert(Place { environment: None, ..from });
                for other in self.way() {
                    let shared = (0..2).any(|own| self.has(release, own) && self.has(other, own));
                    for series in 0..2 {
                        let is_single = other == release || series == python || !shared;
                        if is_single {
                            let environment = Some((other, series));
                            found.insert(Place { environment, ..from });
                        }
                    }
                }
            }
        }
        found.remove(&from);
        found
    }

    /// What a change costs, where `waits` says that a boot is due already; `None` where it is
    /// forbidden.
    fn step(&self, from: Place, to: Place, waits: bool) -> Option<Cost> {
        let set = match to.environment {
            Some((release, python)) => self.set_grade(release, python)?,
            None => Grade::Listed,
        };
        let grade = self.host_grade(to).max(set);
        let limit = [Grade::Listed, Grade::Built, Grade::NotKnown, Grade::NotKnown];
        let between = Place { kernel: from.kernel, ..to };
        let is_new_system = from.system != to.system;
        let may_not_pass = is_new_system && self.is_bad(between) && !self.is_bad(from);
        if grade > limit[usize::from(self.accept)] || may_not_pass {
            return None;
        }
        let is_environment = from.environment != to.environment;
        let bytes = match to.environment {
            Some(own) if is_environment => self.bytes(own),
            _ => Some(0),
        };
        Some((
            u32::from(is_environment && to.environment.is_none()),
            u32::from(grade == Grade::NotKnown),
            u32::from(!is_environment && (!waits || is_new_system)),
            1,
            u32::from(bytes.is_none()),
            bytes.unwrap_or(0),
        ))
    }

    /// What the tables say of the host and its release.
    fn host_grade(&self, place: Place) -> Grade {
        let mut grade = if self.is_bad(place) { Grade::Refused } else { Grade::Listed };
        let said = |said: Said| match said {
            Said::Yes => Grade::Listed,
            Said::No => Grade::Refused,
            Said::Nothing => Grade::NotKnown,
        };
        if let Some(driver) = place.driver {
            let with = self.drivers[driver].1;
            let is_listed =
                with.is_some_and(|with| self.systems[place.system][with].0 == Said::Yes);
            grade = grade.max(if is_listed { Grade::Listed } else { Grade::NotKnown });
        }
        let Some((release, _)) = place.environment else { return grade };
        let (system, kernels) = self.systems[place.system][release];
        if let Some(driver) = place.driver {
            let serves = self.drivers[driver].0[release];
            grade = grade.max(if serves { Grade::Listed } else { Grade::Refused });
        }
        grade = grade.max(said(system)).max(said(self.releases[release].1));
        if let (Said::Yes, Some(kernel)) = (system, place.kernel) {
            let named: Vec<usize> =
                (0..2).filter(|at| kernels[*at]).map(|at| place.system + at).collect();
            if !named.is_empty() && !named.contains(&kernel) {
                grade = grade.max(Grade::NotKnown);
            }
        }
        if self.releases[release].0 && place.firmware < NAMED {
            grade = grade.max(Grade::NotKnown);
        }
        grade
    }

    fn is_bad(&self, place: Place) -> bool {
        self.bad.is_some_and(|(driver, kernel, system)| {
            place.driver == Some(driver)
                && place.kernel.is_some_and(|own| own >= kernel)
                && system.is_none_or(|system| system == place.system)
        })
    }

    fn set_grade(&self, release: usize, python: usize) -> Option<Grade> {
        if self.start.environment == Some((release, python)) {
            return Some(Grade::Listed);
        }
        let (built, listed, _) = self.builds[release];
        built[python].then_some(if listed { Grade::Listed } else { Grade::Built })
    }

    fn has(&self, release: usize, python: usize) -> bool {
        self.set_grade(release, python).is_some()
    }

    fn bytes(&self, (release, python): (usize, usize)) -> Option<u64> {
        // what is there already is not fetched again
        let is_start = self.start.environment == Some((release, python));
        if is_start { Some(0) } else { self.builds[release].2 }
    }

    fn is_end(&self, place: Place) -> bool {
        let (release, driver) = self.goal;
        let has_driver = driver.is_none() || place.driver == driver;
        let has_set =
            place.environment.is_some_and(|(own, python)| own == release && self.has(own, python));
        has_driver && has_set
    }

    /// The releases between the start and the goal.
    fn way(&self) -> impl Iterator<Item = usize> {
        let start = self.start.environment.map_or(self.goal.0, |(release, _)| release);
        start.min(self.goal.0)..=start.max(self.goal.0)
    }

    /// The kernels that any release of the way names for a system, its own first.
    fn kernels(&self, system: usize) -> Vec<usize> {
        if self.start.kernel.is_none() {
            return Vec::new();
        }
        let named = |at: usize| {
            self.way().any(|release| {
                let (said, kernels) = self.systems[system][release];
                said == Said::Yes && kernels[at]
            })
        };
        (0..2).filter(|at| named(*at)).map(|at| system + at).collect()
    }

    /// Whether any row of the tables names a system at all.
    fn is_named(&self, system: usize) -> bool {
        self.systems[system].iter().any(|(said, _)| *said != Said::Nothing)
    }
}

/// Whether a boot is due after a change that another change of the host can wait for: a new system
/// is booted at once, an environment is used at once. All systems here are Ubuntu's.
fn waits_for_boot(from: Place, to: Place) -> bool {
    from.system == to.system && from.environment == to.environment
}

fn add(a: Cost, b: Cost) -> Cost {
    (a.0 + b.0, a.1 + b.1, a.2 + b.2, a.3 + b.3, a.4 + b.4, a.5 + b.5)
}
