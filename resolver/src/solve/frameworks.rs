//! Frameworks as candidates: one for each of its versions and each release of ROCm.
//!
//! A framework is a rule of the registry, not code: which packages it brings for which release,
//! under which names, and how their versions follow its own.

use std::collections::BTreeSet;
use std::rc::Rc;

use rocmenv_manifests::name::{ExtraName, PackageName};
use rocmenv_manifests::project::Framework;
use rocmenv_manifests::python::version::{is_prerelease, public};
use rocmenv_manifests::python::{Version, VersionSpecifiers};
use rocmenv_manifests::version::{Dotted, RocmVersion};

use super::exclusion::Exclusion;
use super::releases::at_worst;
use super::stack::{Coupling, FrameworkRule, Grade, Judgement, PackageRule, Release};
use super::thing::{Candidate, Name, Need, Needs, Set, Thing};
use super::universe::Universe;
use super::wheel_page::WheelVersion;
use super::wheels::folder_of;

/// The candidates of a framework, newest version first, then newest release. Where the page of
/// its main package is missing, one for each release stands for all versions.
pub(super) fn candidates(
    universe: &Universe<'_>,
    framework: &str,
) -> Vec<(Thing, Option<Exclusion>)> {
    let Some(rule) = universe.question.stack.frameworks.get(framework) else { return Vec::new() };
    let releases = universe.asked_for.iter().copied();
    let Some(wheels) = universe.wheel_versions(&rule.main) else {
        let any = |release| (Thing::Framework { release, version: None }, None);
        return releases.map(any).collect();
    };
    let held = universe.question.previous.held(&rule.main).map(public);
    let versions: BTreeSet<(bool, Version)> = wheels
        .iter()
        .map(|wheel| public(&wheel.version))
        .map(|version| (Some(&version) == held.as_ref(), version))
        .collect();
    let newest_first = versions.into_iter().map(|(_, version)| version).rev();
    let pair = |version: Version| {
        releases.clone().map(move |release| {
            (Thing::Framework { release, version: Some(version.clone()) }, None)
        })
    };
    newest_first.flat_map(pair).collect()
}

/// What the user asks of a framework.
pub(super) fn root(universe: &Universe<'_>, framework: &Framework) -> Need {
    let name = Name::Framework(framework.name.clone());
    let text = framework.requirement.value.to_string();
    let specifiers: Option<VersionSpecifiers> =
        framework.requirement.value.to_pep440().parse().ok();
    let table = universe.table(universe.pool.intern_package_name(name.clone()));
    let main = universe.question.stack.frameworks.get(&framework.name).map(|rule| &rule.main);
    let in_folder =
        |version: &Version| main.is_some_and(|main| is_in_folder(universe, main, version));
    let is_asked_for = |candidate: &&Candidate| match &candidate.thing {
        Thing::Framework { version: Some(version), .. } => {
            specifiers.as_ref().is_some_and(|specifiers| {
                takes(specifiers, version) || specifiers.contains(version) && in_folder(version)
            })
        }
        _ => true,
    };
    let asked = table.candidates.iter().map(|&id| universe.candidate(id)).filter(is_asked_for);
    Need::new(name, Set::of(asked.map(|candidate| candidate.ordinal), text))
}

/// Whether a request takes a version; a pre-release only where it names one.
fn takes(specifiers: &VersionSpecifiers, version: &Version) -> bool {
    specifiers.contains(version) && (!is_prerelease(version) || specifiers.names_prerelease())
}

/// Whether a pre-release lies in the folder of a release, which is AMD's word for it.
fn is_in_folder(universe: &Universe<'_>, main: &PackageName, version: &Version) -> bool {
    if !is_prerelease(version) {
        return false;
    }
    let own = |wheel: &Rc<WheelVersion>| public(&wheel.version) == *version;
    let wheels = universe.wheel_versions(main).unwrap_or_default();
    wheels.iter().any(|wheel| own(wheel) && folder_of(universe, wheel).is_some())
}

/// What a framework needs in one version for one release.
pub(super) fn needs(
    universe: &Universe<'_>,
    framework: &str,
    release: u32,
    version: Option<&Version>,
) -> Needs {
    let rule = universe.question.stack.frameworks.get(framework);
    let (Some(rule), Some(rocm)) = (rule, universe.releases.get(release as usize)) else {
        return Needs::default();
    };
    let mut requires = vec![Need::new(Name::Rocm, Set::of([release], rocm.version.to_string()))];
    let exact = version.map(|version| VersionSpecifiers::exactly(version.clone()));
    let main = exact.map_or(Set::Any, |specifiers| Set::spec(&specifiers));
    requires.push(Need::new(Name::Wheel(rule.main.clone()), main));
    // what lies beside a pre-release in a release's folder belongs to it, whatever its number
    let coupled = version.filter(|version| !is_in_folder(universe, &rule.main, version));
    for package in rule.packages.iter().filter(|package| is_there(package, rocm)) {
        requires.extend(package_needs(package, coupled));
    }
    let grade = version.map_or(Grade::Listed, |version| judge(rule, &rocm.version, version).grade);
    let mut constrains = Vec::new();
    if grade == Grade::Refused {
        constrains.push((Name::Grade, Set::of([], grade.to_string())));
    } else {
        constrains.push((Name::Grade, at_worst(grade)));
    }
    Needs { requires, constrains }
}

/// What is known of a version with a release.
pub(super) fn judge(rule: &FrameworkRule, release: &RocmVersion, version: &Version) -> Judgement {
    let judged = rule
        .judged
        .iter()
        .filter(|judged| judged.release == *release && judged.versions.contains(version))
        .min_by_key(|judged| judged.judgement.grade);
    judged.map_or_else(|| not_listed(rule, release, version), |judged| judged.judgement.clone())
}

/// A version that no row speaks of. Its wheels have to prove their ROCm to be chosen at all.
fn not_listed(rule: &FrameworkRule, release: &RocmVersion, version: &Version) -> Judgement {
    let title = &rule.title;
    let Some(listed) = rule.listed.get(release).filter(|it| !it.versions.is_empty()) else {
        let text = format!("no table that was read lists {title} for ROCm {release}");
        return Judgement { grade: Grade::Built, text, source: None };
    };
    let newest = &listed.versions[0];
    let is_newer = newest.parse::<Version>().is_ok_and(|newest| *version > newest);
    let text = if is_newer {
        format!("AMD's table for ROCm {release} ends at {title} {newest}")
    } else {
        format!("AMD's table for ROCm {release} lists {title} {}", listed.versions.join(", "))
    };
    Judgement { grade: Grade::Built, text, source: listed.source.clone() }
}

fn is_there(package: &PackageRule, release: &Release) -> bool {
    package.releases.is_empty() || package.releases.contains(&release.version)
}

fn package_needs(rule: &PackageRule, version: Option<&Version>) -> Vec<Need> {
    let specifiers = version.and_then(|version| coupled(&rule.coupling, version));
    let set = specifiers.map_or(Set::Any, |specifiers| Set::spec(&specifiers));
    let extra = |extra: &ExtraName| Name::Extra(rule.name.clone(), extra.clone());
    let names =
        std::iter::once(Name::Wheel(rule.name.clone())).chain(rule.extras.iter().map(extra));
    names.map(|name| Need::new(name, set.clone())).collect()
}

/// The versions of a package that go with a version of the framework.
fn coupled(coupling: &Coupling, version: &Version) -> Option<VersionSpecifiers> {
    match coupling {
        Coupling::Same if version.any_prerelease() => {
            Some(VersionSpecifiers::exactly(version.clone()))
        }
        Coupling::Same => format!("=={}.*", release_text(version)).parse().ok(),
        Coupling::Paired(pairs) => {
            let series = release_text(version).parse::<Dotted>().ok()?;
            let series = format!("{}.{}", series.part(0), series.part(1));
            format!("=={}.*", pairs.get(&series)?).parse().ok()
        }
        Coupling::Free => None,
    }
}

fn release_text(version: &Version) -> String {
    let parts: Vec<String> = version.release().iter().map(u64::to_string).collect();
    parts.join(".")
}
