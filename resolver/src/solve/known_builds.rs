//! The builds for ROCm that the registry knows of a wish that was refused. What the indexes show
//! is often only that another accelerator's build lies there, or nothing for the release; for
//! which ROCm and which Pythons there are builds is what a person needs then, in the words of
//! `check`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::name::PackageName;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::builds::Build;
use rocmenv_manifests::registry::rows::releases::ReleaseKind;
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_manifests::version::{Requirement, RocmVersion};
use serde::Serialize;

use super::cause::Cause;
use super::exclusion::Exclusion;
use super::from_registry::platform_of;
use super::member::Member;
use super::question::Question;
use super::releases;
use super::stack::FrameworkRule;

/// The builds of something for one series of ROCm.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct KnownBuild {
    /// The series (`10.0`).
    pub rocm: String,
    /// The Python tags that were seen (`cp312`); empty where none was.
    pub tags: Vec<String>,
}

/// What is known of the builds of every wish that the causes cannot use for want of one.
pub(super) fn causes(
    question: &Question,
    registry: &Registry,
    core: &BTreeSet<Member>,
    told: &[Cause],
) -> Vec<Cause> {
    // the releases that were asked for are no part of a core that has no answer for any other
    let is_rocm_untold =
        asked(question.wants.rocm.as_ref()).is_some() && !core.contains(&Member::Rocm);
    let wants = &question.wants;
    let is_wish = |name: &str| {
        let is_main = |rule: &FrameworkRule| rule.main.as_ref() == name;
        let mut frameworks = wants.frameworks.iter();
        let rule = |name: &str| question.stack.frameworks.get(name);
        frameworks.any(|own| own.name == name || rule(&own.name).is_some_and(is_main))
            || wants.packages.iter().any(|want| want.name.as_ref() == name)
    };
    let names: BTreeSet<&str> = told
        .iter()
        .filter_map(|cause| match cause {
            Cause::NotFound { what, best: None, .. } => Some(what.as_str()),
            Cause::Unusable { what, whys, .. } => match whys.first()? {
                Exclusion::Accelerator(_) => Some(what.as_str()),
                Exclusion::PythonTags(_) if is_rocm_untold => Some(what.as_str()),
                _ => None,
            },
            _ => None,
        })
        .filter(|name| is_wish(name))
        .collect();
    names.into_iter().filter_map(|name| cause(question, registry, name)).collect()
}

/// Whether the registry knows a build of a package for some ROCm.
pub(super) fn is_built(registry: &Registry, package: &PackageName) -> bool {
    registry.builds_of(package.as_ref()).iter().any(|build| build.rocm.series().is_some())
}

fn cause(question: &Question, registry: &Registry, name: &str) -> Option<Cause> {
    let package = registry.framework_named(name).map_or(name, |row| row.package.as_str());
    let platform = platform_of(&question.target);
    let mut builds = registry.builds_of(package);
    builds.retain(|build| build.runs_on(platform));
    let wish = asked(question.wants.rocm.as_ref());
    let of_wish = |rocm: &&RocmVersion| wish.is_none_or(|wish| wish.matches(&rocm.dotted()));
    let own = releases::sorted(question).into_iter();
    let own = own.filter(|release| question.preview || !release.preview);
    let own = own.map(|release| &release.version);
    let mut shown = by_series(&builds, own.filter(of_wish));
    let is_for_wish = !shown.is_empty();
    if !is_for_wish {
        let others = registry.releases().release.iter();
        let others = others.filter(|row| question.preview || row.kind != ReleaseKind::Preview);
        shown = by_series(&builds, others.map(|row| &row.version));
    }
    let first = shown.values().next()?.first()?;
    let evidence = registry.evidence(&first.source, "", &None);
    let python = python(question);
    let serves = |build: &&Build| python.as_ref().is_some_and(|python| may_serve(build, python));
    let is_for_python = shown.values().flatten().any(serves);
    let rocm_of = |wish: &Requirement| format!("ROCm {wish}");
    let not_for = [
        wish.filter(|_| !is_for_wish).map(rocm_of),
        python.filter(|_| !is_for_python).map(|python| format!("Python {python}")),
    ];
    let build = |(series, builds): (&Reverse<(u64, u64)>, &Vec<&Build>)| KnownBuild {
        rocm: format!("{}.{}", series.0.0, series.0.1),
        tags: tags(builds),
    };
    Some(Cause::KnownBuilds {
        what: name.to_owned(),
        builds: shown.iter().map(build).collect(),
        not_for: not_for.into_iter().flatten().collect(),
        source: evidence.first().map(ToString::to_string),
    })
}

/// The builds for these releases by series, the newest first.
fn by_series<'b, 'r>(
    builds: &[&'b Build],
    releases: impl Iterator<Item = &'r RocmVersion>,
) -> BTreeMap<Reverse<(u64, u64)>, Vec<&'b Build>> {
    let mut found = BTreeMap::new();
    for rocm in releases {
        let series = rocm.series();
        let own = builds.iter().copied().filter(|build| build.is_built_for(rocm));
        let own: Vec<&Build> = own.collect();
        if !own.is_empty() {
            found.insert(Reverse((series.major, series.minor)), own);
        }
    }
    found
}

/// A wish that somebody made.
fn asked(wish: Option<&Sourced<Requirement>>) -> Option<&Requirement> {
    wish.filter(|wish| wish.origin != Origin::Default).map(|wish| &wish.value)
}

/// The series of Python that was asked for, where it is one.
fn python(question: &Question) -> Option<String> {
    asked(question.wants.python.as_ref())?;
    match question.interpreters.as_slice() {
        [only] => Some(only.dotted().to_string()),
        _ => None,
    }
}

/// Whether a file of a build for a Python was seen, or none was seen for any.
fn may_serve(build: &Build, python: &str) -> bool {
    match build.serves_python(python) {
        Some(serves) => serves,
        None => build.pythons.is_empty(),
    }
}

fn tags(builds: &[&Build]) -> Vec<String> {
    let mut tags: Vec<String> = builds.iter().flat_map(|build| build.pythons.clone()).collect();
    // `cp39` is older than `cp312`
    tags.sort_by_key(|tag| (tag.get(2..).and_then(|it| it.parse::<u32>().ok()), tag.clone()));
    tags.dedup();
    tags
}
