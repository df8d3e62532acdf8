//! The versions of one Python package as candidates: their order, and which are excluded why.
//!
//! The order is our own. Local labels never order builds (`+rocm10.0` sorts below `+rocm7.0` in
//! PEP 440): two builds of one public version are ordered by the ROCm that they name, as numbers.

use std::cmp::Reverse;
use std::rc::Rc;

use rocmenv_manifests::catalog::{Answer, Query};
use rocmenv_manifests::name::{IndexName, PackageName};
use rocmenv_manifests::project::{Accelerator, Framework};
use rocmenv_manifests::python::specifier::Clause;
use rocmenv_manifests::python::version::{is_prerelease, public};
use rocmenv_manifests::python::{BuildLabel, Version, VersionSpecifiers};
use rocmenv_manifests::version::{Dotted, RocmVersion};

use super::exclusion::Exclusion;
use super::needs::built_of_summary;
use super::question::Want;
use super::stack::{Binding, Built, Otherwise};
use super::thing::Thing;
use super::universe::{Asked, Reason, Universe};
use super::wheel_page::WheelVersion;

/// The candidates of a package, best first. A missing page leaves one that stands for all.
pub(super) fn candidates(
    universe: &Universe<'_>,
    package: &PackageName,
) -> Vec<(Thing, Option<Reason>)> {
    let mut wheels: Vec<(usize, WheelVersion)> = Vec::new();
    let mut is_missing = false;
    for (place, binding) in bindings(universe, package).iter().enumerate() {
        let index = &binding.index;
        let query = Query::PythonPage { index: index.clone(), package: package.clone() };
        match universe.ask(query, universe.catalog.python_page(index, package)) {
            Asked::Ready(page) => {
                let versions = universe.reader.read(package, index, &page);
                wheels.extend(versions.into_iter().map(|wheel| (place, wheel)));
            }
            Asked::Absent => {}
            Asked::Missing => is_missing = true,
        }
    }
    if is_missing {
        return vec![(Thing::Unfetched, None)];
    }
    let held = universe.question.previous.held(package);
    wheels.sort_by_cached_key(|(place, wheel)| {
        let is_held = Some(&wheel.version) == held;
        let label = rocm_of_label(&wheel.version);
        // only builds of one public version need their text to be told apart
        let text = wheel.version.is_local().then(|| wheel.version.to_string());
        (Reverse(is_held), Reverse(public(&wheel.version)), *place, Reverse(label), Reverse(text))
    });
    let prereleases = Prereleases::of(universe, package, wheels.iter().map(|(_, wheel)| wheel));
    let candidate = |(_, wheel): (usize, WheelVersion)| {
        let reason = reason(universe, &wheel).or_else(|| {
            let exclusion = prereleases.exclusion(&wheel)?;
            folder_of(universe, &wheel).is_none().then_some(Reason::Said(exclusion))
        });
        (Thing::Wheel(Rc::new(wheel)), reason)
    };
    wheels.into_iter().map(candidate).collect()
}

/// The indexes that a package may come from, in order of preference.
fn bindings(universe: &Universe<'_>, package: &PackageName) -> Vec<Binding> {
    let binding =
        |index| Binding { package: package.to_string(), index, rocm: None, folder_of: None };
    if let Some(index) = wants_of(universe, package).find_map(|want| want.index.clone()) {
        return vec![binding(index)];
    }
    if let Some(index) = brought_from(universe, package) {
        return vec![binding(index)];
    }
    let bound = universe.question.stack.bindings.iter().filter(|it| it.is_of(package));
    let mut bound = bound.peekable();
    if bound.peek().is_none() {
        if concerns_rocm(universe) && universe.question.stack.reserves(package) {
            return Vec::new();
        }
        return vec![binding(IndexName::python())];
    }
    let serves = |binding: &&Binding| {
        binding.rocm.as_ref().is_none_or(|rocm| universe.has_release_for(rocm))
            && binding.folder_of.as_ref().is_none_or(|release| universe.asks_for(release))
    };
    let mut found: Vec<Binding> = Vec::new();
    for binding in bound.filter(serves) {
        // An index that serves several releases is read once.
        if found.iter().all(|other| other.index != binding.index) {
            found.push(binding.clone());
        }
    }
    found
}

/// The index of a package that is asked for, comes from there, and brings this one along.
fn brought_from(universe: &Universe<'_>, package: &PackageName) -> Option<IndexName> {
    let stack = &universe.question.stack;
    let wants = &universe.question.wants;
    let is_asked_for = |name: &PackageName| {
        let main = |wish: &Framework| stack.frameworks.get(&wish.name).map(|rule| &rule.main);
        wants.frameworks.iter().any(|wish| main(wish) == Some(name))
            || wants.packages.iter().any(|want| want.name == *name && want.index.is_none())
    };
    let serves = |binding: &&Binding| {
        binding.rocm.as_ref().is_none_or(|rocm| universe.has_release_for(rocm))
    };
    let bringing = stack.together.iter().find(|row| {
        let mut own = stack.bindings.iter().filter(|it| it.is_of(&row.package)).filter(serves);
        row.brings.contains(package)
            && is_asked_for(&row.package)
            && own.any(|binding| binding.index == row.index)
    });
    bringing.map(|row| row.index.clone())
}

/// The ROCm that an index says of a wheel: the only one that it serves, or of several the one
/// that the wheel's version begins with (`rocm-sdk-core 10.1.0`).
pub(super) fn rocm_of_index(universe: &Universe<'_>, wheel: &WheelVersion) -> Option<Dotted> {
    let bound = universe.question.stack.bindings.iter();
    let bound = bound.filter(|it| it.index == wheel.index && it.is_of(&wheel.package));
    let served: Vec<&Dotted> = bound.filter_map(|binding| binding.rocm.as_ref()).collect();
    match served[..] {
        [] => None,
        [only] => Some(only.clone()),
        _ => {
            let own = Dotted::leading(&wheel.version.to_string())?;
            served.into_iter().find(|rocm| own.starts_with(rocm)).cloned()
        }
    }
}

/// The release whose folder a wheel lies in, where the registry says that the folder is one
/// release's.
pub(super) fn folder_of<'u>(
    universe: &'u Universe<'_>,
    wheel: &WheelVersion,
) -> Option<&'u RocmVersion> {
    let mut bound = universe.question.stack.bindings.iter();
    let bound = bound.find(|it| it.index == wheel.index && it.is_of(&wheel.package))?;
    bound.folder_of.as_ref()
}

fn wants_of<'u>(
    universe: &'u Universe<'_>,
    package: &'u PackageName,
) -> impl Iterator<Item = &'u Want> {
    let wants = universe.question.wants.packages.iter();
    wants.chain(universe.question.overrides.values()).filter(move |want| want.name == *package)
}

fn reason(universe: &Universe<'_>, wheel: &WheelVersion) -> Option<Reason> {
    if wheel.is_unusable() {
        return Some(Reason::NoWheel);
    }
    exclusion(universe, wheel).map(Reason::Said)
}

fn exclusion(universe: &Universe<'_>, wheel: &WheelVersion) -> Option<Exclusion> {
    if let Some(reason) = &wheel.yanked {
        let is_pinned = wants_of(universe, &wheel.package)
            .any(|want| pins(&want.specifiers, &wheel.version))
            || universe.question.previous.held(&wheel.package) == Some(&wheel.version);
        if !is_pinned {
            return Some(Exclusion::Yanked(reason.clone()));
        }
    }
    match built(universe, wheel)? {
        Built::Any => None,
        Built::Other(accelerator) => {
            let is_asked_for = universe.question.target.accelerator == Accelerator::Cpu;
            (!is_asked_for).then_some(Exclusion::Accelerator(accelerator))
        }
        Built::Unknown => {
            (concerns_rocm(universe) && !universe.question.unproven).then_some(Exclusion::Unproven)
        }
        Built::For(rocm) => {
            let is_excluded = concerns_rocm(universe) && !universe.has_release_for(&rocm);
            is_excluded.then_some(Exclusion::BuiltForOther(rocm))
        }
    }
}

/// Whether ROCm is part of the question at all.
pub(super) fn concerns_rocm(universe: &Universe<'_>) -> bool {
    let wants = &universe.question.wants;
    wants.rocm.is_some() || !wants.frameworks.is_empty()
}

/// What a wheel is built for, as far as label, registry and index say; `None` where only its own
/// metadata can tell.
pub(super) fn built(universe: &Universe<'_>, wheel: &WheelVersion) -> Option<Built> {
    if let Some(release) = folder_of(universe, wheel) {
        return Some(Built::For(release.dotted()));
    }
    match BuildLabel::of(&wheel.version) {
        BuildLabel::Rocm(release) => {
            return Some(Dotted::leading(&release).map_or(Built::Unknown, Built::For));
        }
        // `rocm700` names no release by itself; an index that serves one only says which it is
        BuildLabel::RocmUnstated(_) => {
            return Some(rocm_of_index(universe, wheel).map_or(Built::Unknown, Built::For));
        }
        BuildLabel::Cuda(_) => return Some(Built::Other("CUDA".to_owned())),
        BuildLabel::Cpu => return Some(Built::Other("the processor alone".to_owned())),
        BuildLabel::Other(_) | BuildLabel::None => {}
    }
    let Some(rule) = universe.question.stack.builds.get(&wheel.package) else {
        return Some(rocm_of_index(universe, wheel).map_or(Built::Any, Built::For));
    };
    if wheel.index != IndexName::python() {
        return Some(rocm_of_index(universe, wheel).map_or(Built::Any, Built::For));
    }
    match (rule.known.get(&wheel.version), &rule.otherwise) {
        (Some(built), _) | (None, Otherwise::Always(built)) => Some(built.clone()),
        (None, Otherwise::AskMetadata) => None,
    }
}

/// What a chosen wheel is built for, its own summary included.
pub(super) fn built_in_full(universe: &Universe<'_>, wheel: &WheelVersion) -> Option<Built> {
    built(universe, wheel).or_else(|| {
        let file = wheel.file(wheel.interpreters().next()?)?;
        match universe.catalog.python_metadata(&wheel.index, &wheel.package, file) {
            Answer::Ready(metadata) => Some(built_of_summary(&metadata)),
            _ => None,
        }
    })
}

/// Whether a request names exactly this version (`==1.2.3`), which lets in what was taken back.
fn pins(specifiers: &VersionSpecifiers, version: &Version) -> bool {
    specifiers.clauses().iter().any(|clause| match clause {
        Clause::Version(clause) => {
            clause.operator() == &pep440_rs::Operator::Equal && clause.version() == version
        }
        Clause::Text(_) => false,
    })
}

/// Whether pre-releases of a package may be chosen.
enum Prereleases {
    Allowed,
    Excluded,
}

impl Prereleases {
    /// They may where a request of the user names one, or where nothing else exists.
    fn of<'w>(
        universe: &Universe<'_>,
        package: &PackageName,
        wheels: impl Iterator<Item = &'w WheelVersion>,
    ) -> Self {
        let is_named = wants_of(universe, package).any(|want| want.specifiers.names_prerelease());
        let held = universe.question.previous.held(package);
        let is_held = held.is_some_and(is_prerelease);
        let mut wheels = wheels;
        if is_named || is_held || wheels.all(|wheel| is_prerelease(&wheel.version)) {
            Self::Allowed
        } else {
            Self::Excluded
        }
    }

    fn exclusion(&self, wheel: &WheelVersion) -> Option<Exclusion> {
        match self {
            Self::Allowed => None,
            Self::Excluded => is_prerelease(&wheel.version).then_some(Exclusion::Prerelease),
        }
    }
}

/// The ROCm that a local label names, as numbers.
fn rocm_of_label(version: &Version) -> Option<Dotted> {
    match BuildLabel::of(version) {
        BuildLabel::Rocm(release) => Dotted::leading(&release),
        _ => None,
    }
}
