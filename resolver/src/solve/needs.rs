//! What each candidate needs and rules out.
//!
//! Markers are evaluated for each interpreter of the question, at the floor of its series and
//! beyond its end: where the two differ within a series, the requirement is taken along, so that
//! what was locked fits every patch release of it.

use std::collections::BTreeMap;
use std::rc::Rc;

use rocmenv_manifests::catalog::Query;
use rocmenv_manifests::name::{ExtraName, IndexName, PackageName};
use rocmenv_manifests::python::{
    BuiltFor, CoreMetadata, Marker, MarkerVariable, PyRequirement, Version, VersionSpecifiers,
};
use rocmenv_manifests::version::Dotted;

use super::components;
use super::debs;
use super::exclusion::Exclusion;
use super::frameworks;
use super::metas;
use super::question::Want;
use super::releases::{self, at_worst, is_built_for};
use super::stack::{Built, Grade};
use super::thing::{Candidate, Members, Name, Need, Needs, NeedsAnswer, Set, Thing};
use super::universe::{Asked, Universe};
use super::wheel_page::WheelVersion;
use super::wheels::{built, concerns_rocm, folder_of};

/// What a candidate of `name` needs.
pub(super) fn of(universe: &Universe<'_>, name: &Name, candidate: &Candidate) -> NeedsAnswer {
    match (&candidate.thing, name) {
        (Thing::Small(_), Name::Rocm) => {
            let release = universe.releases.get(candidate.ordinal as usize);
            let needs = release.map(|release| releases::needs(release));
            NeedsAnswer::Known(needs.unwrap_or_default())
        }
        (Thing::Framework { release, version }, Name::Framework(framework)) => {
            NeedsAnswer::Known(frameworks::needs(universe, framework, *release, version.as_ref()))
        }
        (Thing::Small(_), Name::Python) => {
            let python = universe.question.interpreters.get(candidate.ordinal as usize);
            let debs = &universe.question.stack.interpreter_debs;
            let debs = python.into_iter().filter_map(|python| debs.get(&python.minor)).flatten();
            let need = |deb: &String| debs::named(&IndexName::distribution(), deb);
            NeedsAnswer::Known(Needs { requires: debs.map(need).collect(), ..Needs::default() })
        }
        (Thing::Small(_), Name::Component(component)) => {
            NeedsAnswer::Known(components::needs(universe, component, candidate.ordinal))
        }
        (Thing::Deb(deb), Name::Deb(repository, _)) => {
            NeedsAnswer::Known(debs::needs(universe, repository, deb))
        }
        (Thing::Wheel(wheel), Name::Extra(_, extra)) => {
            wheel_needs(universe, wheel, candidate.ordinal, Some(extra))
        }
        (Thing::Wheel(wheel), _) => wheel_needs(universe, wheel, candidate.ordinal, None),
        (Thing::Unfetched, Name::Extra(package, _)) => {
            let base = Need::new(Name::Wheel(package.clone()), Set::Any);
            NeedsAnswer::Known(Needs { requires: vec![base], constrains: Vec::new() })
        }
        _ => NeedsAnswer::Known(Needs::default()),
    }
}

/// What the user asks for, as needs of the whole.
pub(super) fn root(universe: &Universe<'_>) -> Vec<Need> {
    let question = universe.question;
    let mut needs = vec![Need::new(Name::Grade, accepted(universe))];
    needs.extend(releases::driver_want(question));
    if concerns_rocm(universe) {
        let text = question.wants.rocm.as_ref().map(|rocm| rocm.value.to_string());
        let releases = universe.asked_for.iter().copied();
        needs.push(Need::new(Name::Rocm, Set::of(releases, text.unwrap_or_default())));
    }
    if !question.interpreters.is_empty() {
        needs.push(Need::new(Name::Python, interpreters_asked_for(universe)));
    }
    for framework in &question.wants.frameworks {
        needs.push(frameworks::root(universe, framework));
    }
    for component in &question.wants.components {
        needs.push(Need::new(Name::Component(component.value.to_string()), Set::Any));
    }
    for want in &question.wants.packages {
        needs.extend(want_needs(universe, want));
    }
    needs
}

fn accepted(universe: &Universe<'_>) -> Set {
    use rocmenv_manifests::project::Accept;
    let count = match universe.question.accept {
        Accept::Listed => 1,
        Accept::Built => 2,
        Accept::Unknown => 3,
    };
    Set::of(0..count, "")
}

fn interpreters_asked_for(universe: &Universe<'_>) -> Set {
    let Some(requirement) = &universe.question.wants.python else { return Set::Any };
    let specifiers: Option<VersionSpecifiers> = requirement.value.to_pep440().parse().ok();
    // A request may name a patch release; it is met by the series that holds it.
    let fits = |at: usize| {
        let python = &universe.question.interpreters[at];
        let end = universe.environments[at][1].version(MarkerVariable::PythonFullVersion);
        let named = requirement.value.clauses().iter().filter_map(|clause| {
            let version: Version = clause.version.parse().ok()?;
            version.release().starts_with(&[3, u64::from(python.minor)]).then_some(version)
        });
        let tried = end.cloned().into_iter().chain([python.floor.clone()]).chain(named);
        let specifiers = specifiers.as_ref();
        specifiers.is_some_and(|specifiers| tried.into_iter().any(|it| specifiers.contains(&it)))
    };
    let ordinals = (0..universe.question.interpreters.len()).filter(|&at| fits(at));
    Set::of(ordinals.filter_map(|at| u32::try_from(at).ok()), requirement.value.to_string())
}

fn want_needs(universe: &Universe<'_>, want: &Want) -> Vec<Need> {
    let requirement = PyRequirement {
        name: want.name.clone(),
        extras: want.extras.clone(),
        specifiers: want.specifiers.clone(),
        url: None,
        marker: want.marker.clone(),
    };
    let mut collected = Collected::default();
    collected.add(universe, &requirement, None);
    collected.into_needs(universe)
}

fn wheel_needs(
    universe: &Universe<'_>,
    wheel: &Rc<WheelVersion>,
    ordinal: u32,
    extra: Option<&ExtraName>,
) -> NeedsAnswer {
    let mut needs = Needs::default();
    if extra.is_some() {
        let same = Set::of([ordinal], format!("=={}", wheel.version));
        needs.requires.push(Need::new(Name::Wheel(wheel.package.clone()), same));
    }
    if wheel.is_source() {
        metas::add_needs(universe, wheel, extra, &mut needs);
        return NeedsAnswer::Known(needs);
    }
    let Some(file) = wheel.interpreters().next().and_then(|python| wheel.file(python)) else {
        return NeedsAnswer::Excluded(Exclusion::SourceOnly);
    };
    let query = Query::PythonMetadata {
        index: wheel.index.clone(),
        package: wheel.package.clone(),
        file: file.name.clone(),
    };
    let answer = universe.catalog.python_metadata(&wheel.index, &wheel.package, file);
    let metadata = match universe.ask(query, answer) {
        Asked::Ready(metadata) => Some(metadata),
        Asked::Missing => None,
        Asked::Absent => {
            return NeedsAnswer::Excluded(Exclusion::Metadata("there is none".to_owned()));
        }
    };
    let metadata = metadata.as_deref();
    if let Err(exclusion) = constrain_python(universe, wheel, metadata, &mut needs) {
        return NeedsAnswer::Excluded(exclusion);
    }
    if extra.is_none() {
        if let Err(exclusion) = constrain_rocm(universe, wheel, metadata, &mut needs) {
            return NeedsAnswer::Excluded(exclusion);
        }
        needs.requires.extend(provided_modules(universe, &wheel.package));
    }
    let Some(metadata) = metadata else { return NeedsAnswer::Known(needs) };
    let mut collected = Collected::default();
    for requirement in &metadata.requires_dist {
        // The base brings what does not depend on extras.
        if extra.is_some() && !requirement.marker.mentions_extra() {
            continue;
        }
        collected.add(universe, requirement, extra);
    }
    if let Some(address) = collected.address.take() {
        return NeedsAnswer::Excluded(Exclusion::Address(address));
    }
    needs.requires.extend(collected.into_needs(universe));
    NeedsAnswer::Known(needs)
}

/// Limits the interpreter to those that have a wheel and that the metadata takes.
fn constrain_python(
    universe: &Universe<'_>,
    wheel: &WheelVersion,
    metadata: Option<&CoreMetadata>,
    needs: &mut Needs,
) -> Result<(), Exclusion> {
    let interpreters = &universe.question.interpreters;
    let requires = metadata.and_then(|metadata| metadata.requires_python.as_ref());
    let fits = |at: &usize| {
        requires.is_none_or(|specifiers| specifiers.contains(&interpreters[*at].floor))
    };
    let taken: Vec<usize> = wheel.interpreters().filter(fits).collect();
    if taken.is_empty() {
        let text = requires.map(ToString::to_string).unwrap_or_default();
        return Err(Exclusion::RequiresPython(text));
    }
    if taken.len() < interpreters.len() {
        let names: Vec<String> =
            taken.iter().map(|&at| interpreters[at].dotted().to_string()).collect();
        let ordinals = taken.iter().filter_map(|&at| u32::try_from(at).ok());
        needs.constrains.push((Name::Python, Set::of(ordinals, names.join(", "))));
    }
    Ok(())
}

/// Limits ROCm to what the wheel was built for.
fn constrain_rocm(
    universe: &Universe<'_>,
    wheel: &WheelVersion,
    metadata: Option<&CoreMetadata>,
    needs: &mut Needs,
) -> Result<(), Exclusion> {
    let question = universe.question;
    if let Some(folder) = folder_of(universe, wheel) {
        let releases = (0..).zip(&universe.releases);
        let own = releases.filter(|(_, release)| release.version == *folder);
        let set = Set::of(own.map(|(at, _)| at), folder.to_string());
        needs.constrains.push((Name::Rocm, set));
        return Ok(());
    }
    let built = built(universe, wheel).or_else(|| metadata.map(built_of_summary));
    match built {
        Some(Built::For(rocm)) => {
            if concerns_rocm(universe) && !universe.has_release_for(&rocm) {
                return Err(Exclusion::BuiltForOther(rocm));
            }
            let releases = (0..).zip(&universe.releases);
            let fitting = releases.filter(|(_, release)| is_built_for(release, &rocm));
            let set = Set::of(fitting.map(|(at, _)| at), rocm.to_string());
            needs.constrains.push((Name::Rocm, set));
        }
        Some(Built::Unknown) if concerns_rocm(universe) && !question.unproven => {
            return Err(Exclusion::Unproven);
        }
        Some(Built::Unknown) => needs.constrains.push((Name::Grade, at_worst(Grade::Unknown))),
        Some(Built::Any | Built::Other(_)) | None => {}
    }
    Ok(())
}

/// What a wheel's own summary says; to say nothing proves nothing.
pub(super) fn built_of_summary(metadata: &CoreMetadata) -> Built {
    match metadata.built_for() {
        BuiltFor::Release(release) => Dotted::leading(&release).map_or(Built::Unknown, Built::For),
        BuiltFor::Unknown | BuiltFor::Silent => Built::Unknown,
    }
}

/// The modules that a package provides and that no other package may provide beside it.
fn provided_modules(universe: &Universe<'_>, package: &PackageName) -> Vec<Need> {
    let modules = universe.question.stack.modules.iter();
    let need = |(module, providers): (&String, &Vec<PackageName>)| {
        let at = providers.iter().position(|provider| provider == package)?;
        let only = Set::of(u32::try_from(at).ok(), package.to_string());
        Some(Need::new(Name::Module(module.clone()), only))
    };
    modules.filter_map(need).collect()
}

/// The requirements of one candidate, merged and in the order of names.
#[derive(Default)]
struct Collected {
    requirements: BTreeMap<(PackageName, Option<ExtraName>, VersionSpecifiers), Vec<bool>>,
    address: Option<String>,
}

impl Collected {
    fn add(&mut self, universe: &Universe<'_>, stated: &PyRequirement, extra: Option<&ExtraName>) {
        let extras = extra.map(std::slice::from_ref).unwrap_or_default();
        let mut on = applies(universe, &stated.marker, extras);
        if !on.contains(&true) {
            return;
        }
        let replaced = universe.question.overrides.get(&stated.name);
        if let Some(want) = replaced {
            let also = applies(universe, &want.marker, &[]);
            on.iter_mut().zip(also).for_each(|(on, also)| *on &= also);
        } else if let Some(address) = &stated.url {
            self.address.get_or_insert_with(|| address.clone());
        }
        let specifiers = replaced.map_or(&stated.specifiers, |want| &want.specifiers);
        let names = std::iter::once(None).chain(stated.extras.iter().cloned().map(Some));
        for extra in names {
            let key = (stated.name.clone(), extra, specifiers.clone());
            let slot = self.requirements.entry(key).or_insert_with(|| vec![false; on.len()]);
            slot.iter_mut().zip(&on).for_each(|(slot, on)| *slot |= on);
        }
    }

    fn into_needs(self, universe: &Universe<'_>) -> Vec<Need> {
        let need = |((package, extra, specifiers), on): (_, Vec<bool>)| {
            let name = match extra {
                None => Name::Wheel(package),
                Some(extra) => Name::Extra(package, extra),
            };
            let mut need = Need::new(name, Set::spec(&specifiers));
            need.on = (on.contains(&false)).then(|| interpreters_on(universe, &on));
            need
        };
        self.requirements.into_iter().filter(|(_, on)| on.contains(&true)).map(need).collect()
    }
}

fn interpreters_on(universe: &Universe<'_>, on: &[bool]) -> Rc<Members> {
    let chosen = (0_u32..).zip(on).zip(&universe.question.interpreters).filter(|((_, on), _)| **on);
    let (ordinals, names): (Vec<u32>, Vec<String>) =
        chosen.map(|((at, _), python)| (at, python.dotted().to_string())).unzip();
    Rc::new(Members { ordinals, text: names.join(", ") })
}

/// For each interpreter, whether a marker applies somewhere in its series.
fn applies(universe: &Universe<'_>, marker: &Marker, extras: &[ExtraName]) -> Vec<bool> {
    if marker.is_always() {
        return vec![true; universe.environments.len()];
    }
    let in_series = |ends: &[_; 2]| ends.iter().any(|env| marker.evaluate(env, extras));
    universe.environments.iter().map(in_series).collect()
}
