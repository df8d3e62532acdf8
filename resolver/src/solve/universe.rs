//! The candidates of every name, found when they are first asked for.
//!
//! Holds the question, the catalog and what was read of it. A page or a metadata file that was
//! not fetched yet is noted as missing and stands in as a candidate that fits everything, so that
//! one round finds as many missing things as it can; whoever solves throws the round away.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::rc::Rc;

use resolvo::utils::Pool;
use resolvo::{NameId, SolvableId, StringId};
use rocmenv_manifests::catalog::{Answer, Catalog, Query};
use rocmenv_manifests::name::PackageName;
use rocmenv_manifests::python::{MarkerEnv, MarkerVariable, Version};
use rocmenv_manifests::version::{Dotted, RocmVersion};

use super::components;
use super::debs;
use super::exclusion::Exclusion;
use super::frameworks;
use super::needs;
use super::question::{Interpreter, Question};
use super::releases;
use super::stack::{Grade, Release};
use super::thing::{Candidate, Name, NeedsAnswer, Set, Thing};
use super::wheel_page::{PageReader, WheelVersion};
use super::wheels;

/// One question over one catalog, with everything that was read so far.
pub(super) struct Universe<'a> {
    pub(super) question: &'a Question,
    pub(super) catalog: &'a dyn Catalog,
    pub(super) pool: Pool<Set, Name>,
    pub(super) reader: PageReader,
    /// Marker values of each interpreter: at the floor of its series and beyond its end.
    pub(super) environments: Vec<[MarkerEnv; 2]>,
    /// All releases, newest first: their places are the ordinals of [`Name::Rocm`].
    pub(super) releases: Vec<&'a Release>,
    /// Those that the request for ROCm lets in.
    pub(super) asked_for: Vec<u32>,
    tables: RefCell<HashMap<NameId, Noted<Table>>>,
    needs: RefCell<HashMap<SolvableId, Noted<NeedsAnswer>>>,
    exclusions: RefCell<HashMap<StringId, Exclusion>>,
    /// The id of [`Reason::NoWheel`].
    no_wheel: StringId,
    missing: RefCell<BTreeSet<Query>>,
    failed: RefCell<BTreeMap<Query, String>>,
}

/// Something found, with what was missing for it.
type Noted<T> = (Rc<T>, BTreeSet<Query>);

/// The candidates of one name, best first, and those that cannot be used.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) candidates: Vec<SolvableId>,
    pub(super) excluded: Vec<(SolvableId, StringId)>,
}

impl<'a> Universe<'a> {
    pub(super) fn new(question: &'a Question, catalog: &'a dyn Catalog) -> Self {
        let environments = question.interpreters.iter().map(|python| series_ends(question, python));
        let pool = Pool::new();
        Self {
            question,
            catalog,
            no_wheel: pool.intern_string("no wheel".to_owned()),
            pool,
            reader: PageReader::new(question),
            environments: environments.collect(),
            asked_for: releases::asked_for(question),
            releases: releases::sorted(question),
            tables: RefCell::default(),
            needs: RefCell::default(),
            exclusions: RefCell::default(),
            missing: RefCell::default(),
            failed: RefCell::default(),
        }
    }

    /// The candidates of a name.
    pub(super) fn table(&self, id: NameId) -> Rc<Table> {
        let find = || self.intern(id, self.candidates(self.pool.resolve_package_name(id)));
        self.remember(&self.tables, id, find)
    }

    /// What a candidate needs.
    pub(super) fn needs(&self, id: SolvableId) -> Rc<NeedsAnswer> {
        let find = || needs::of(self, self.name(id), self.candidate(id));
        self.remember(&self.needs, id, find)
    }

    /// Finds something once. What was missing for it is noted again each time it is asked for, so
    /// that a run of the solver knows whether it saw stand-ins, whoever saw them first.
    fn remember<K: Hash + Eq + Copy, T>(
        &self,
        memory: &RefCell<HashMap<K, Noted<T>>>,
        key: K,
        find: impl FnOnce() -> T,
    ) -> Rc<T> {
        if let Some((value, missing)) = memory.borrow().get(&key) {
            self.missing.borrow_mut().extend(missing.iter().cloned());
            return Rc::clone(value);
        }
        let before = self.take_missing();
        let value = Rc::new(find());
        let missing = std::mem::replace(&mut *self.missing.borrow_mut(), before);
        self.missing.borrow_mut().extend(missing.iter().cloned());
        memory.borrow_mut().insert(key, (Rc::clone(&value), missing));
        value
    }

    pub(super) fn candidate(&self, id: SolvableId) -> &Candidate {
        &self.pool.resolve_solvable(id).record
    }

    pub(super) fn name(&self, id: SolvableId) -> &Name {
        self.pool.resolve_package_name(self.pool.resolve_solvable(id).name)
    }

    /// The id under which the solver carries a reason.
    pub(super) fn intern_exclusion(&self, exclusion: &Exclusion) -> StringId {
        let id = self.pool.intern_string(exclusion.to_string());
        self.exclusions.borrow_mut().entry(id).or_insert_with(|| exclusion.clone());
        id
    }

    /// Why a candidate cannot be used, behind the id that the solver carried.
    pub(super) fn exclusion(&self, of: SolvableId, id: StringId) -> Option<Exclusion> {
        match (self.reason(id)?, &self.candidate(of).thing) {
            (Reason::Said(exclusion), _) => Some(exclusion),
            (Reason::NoWheel, Thing::Wheel(wheel)) => Some(self.reader.fault(wheel)),
            (Reason::NoWheel, _) => None,
        }
    }

    fn reason(&self, id: StringId) -> Option<Reason> {
        if id == self.no_wheel {
            return Some(Reason::NoWheel);
        }
        self.exclusions.borrow().get(&id).cloned().map(Reason::Said)
    }

    fn intern_reason(&self, reason: &Reason) -> StringId {
        match reason {
            Reason::Said(exclusion) => self.intern_exclusion(exclusion),
            Reason::NoWheel => self.no_wheel,
        }
    }

    /// Takes an answer of the catalog: what is missing or failed is noted.
    pub(super) fn ask<T>(&self, query: Query, answer: Answer<T>) -> Asked<T> {
        match answer {
            Answer::Ready(value) => Asked::Ready(value),
            Answer::Absent => Asked::Absent,
            Answer::Failed(text) => {
                self.failed.borrow_mut().insert(query, text);
                Asked::Absent
            }
            Answer::NotFetched => {
                self.missing.borrow_mut().insert(query);
                Asked::Missing
            }
        }
    }

    /// What was missing since the last call.
    pub(super) fn take_missing(&self) -> BTreeSet<Query> {
        std::mem::take(&mut *self.missing.borrow_mut())
    }

    /// What could not be had so far.
    pub(super) fn failed(&self) -> BTreeMap<Query, String> {
        self.failed.borrow().clone()
    }

    /// Whether a release that was asked for is what a build was made for.
    pub(super) fn has_release_for(&self, built: &Dotted) -> bool {
        let fits = |&at: &u32| releases::is_built_for(self.releases[at as usize], built);
        self.asked_for.iter().any(fits)
    }

    /// Whether exactly this release is asked for.
    pub(super) fn asks_for(&self, release: &RocmVersion) -> bool {
        self.asked_for.iter().any(|&at| self.releases[at as usize].version == *release)
    }

    /// The wheels of a package on all its indexes, best first; `None` where a page is missing.
    pub(super) fn wheel_versions(&self, package: &PackageName) -> Option<Vec<Rc<WheelVersion>>> {
        let table = self.table(self.pool.intern_package_name(Name::Wheel(package.clone())));
        let wheel = |&id: &SolvableId| match &self.candidate(id).thing {
            Thing::Wheel(wheel) => Some(Rc::clone(wheel)),
            _ => None,
        };
        table.candidates.iter().map(wheel).collect()
    }

    fn candidates(&self, name: &Name) -> Vec<(Thing, Option<Reason>)> {
        let usable = |text: String| (Thing::Small(text), None);
        match name {
            Name::Grade => GRADES.iter().map(|grade| usable(grade.to_string())).collect(),
            Name::Host(fact) => vec![usable(releases::host_value(&self.question.target, *fact))],
            Name::Rocm => said(releases::candidates(self.question)),
            Name::Python => {
                let series = |python: &Interpreter| usable(python.dotted().to_string());
                self.question.interpreters.iter().map(series).collect()
            }
            Name::Framework(framework) => said(frameworks::candidates(self, framework)),
            Name::Wheel(package) => wheels::candidates(self, package),
            Name::Extra(package, _) => {
                let base = self.table(self.pool.intern_package_name(Name::Wheel(package.clone())));
                let excluded: HashMap<_, _> = base.excluded.iter().copied().collect();
                let extra = |&id: &SolvableId| {
                    let reason = excluded.get(&id).and_then(|&reason| self.reason(reason));
                    (self.candidate(id).thing.clone(), reason)
                };
                base.candidates.iter().map(extra).collect()
            }
            Name::Module(module) => {
                let providers = self.question.stack.modules.get(module);
                providers.into_iter().flatten().map(|package| usable(package.to_string())).collect()
            }
            Name::Component(component) => said(components::candidates(self, component)),
            Name::Deb(repository, name) => said(debs::candidates(self, repository, name)),
        }
    }

    fn intern(&self, id: NameId, candidates: Vec<(Thing, Option<Reason>)>) -> Table {
        let mut table = Table::default();
        for (ordinal, (thing, reason)) in (0..).zip(candidates) {
            let solvable = self.pool.intern_solvable(id, Candidate { ordinal, thing });
            table.candidates.push(solvable);
            if let Some(reason) = reason {
                table.excluded.push((solvable, self.intern_reason(&reason)));
            }
        }
        table
    }
}

/// Why a candidate is excluded.
#[derive(Debug, Clone)]
pub(super) enum Reason {
    /// This.
    Said(Exclusion),
    /// No interpreter has a wheel of it; what exactly is wrong is found when somebody asks.
    NoWheel,
}

fn said(candidates: Vec<(Thing, Option<Exclusion>)>) -> Vec<(Thing, Option<Reason>)> {
    candidates.into_iter().map(|(thing, why)| (thing, why.map(Reason::Said))).collect()
}

/// The marker values at the floor of an interpreter's series and beyond its end.
fn series_ends(question: &Question, python: &Interpreter) -> [MarkerEnv; 2] {
    let (family, arch) = (question.target.family, question.target.arch.value);
    let beyond = Version::new([3, u64::from(python.minor), PAST_ANY_PATCH]);
    [&python.floor, &beyond].map(|version| {
        let env = MarkerEnv::cpython(version, family, arch);
        match &question.target.kernel {
            Some(kernel) => env.with(MarkerVariable::PlatformRelease, kernel.value.to_string()),
            None => env,
        }
    })
}

/// An answer of the catalog after what is missing was noted.
pub(super) enum Asked<T> {
    Ready(T),
    Absent,
    Missing,
}

/// The grades that may be chosen, best first.
pub(super) const GRADES: [Grade; 3] = [Grade::Listed, Grade::Built, Grade::Unknown];

/// A patch release beyond any that a series will have.
const PAST_ANY_PATCH: u64 = 999;
