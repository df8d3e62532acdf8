//! Debian packages: candidates, alternatives, provided names, and what stays the host's.
//!
//! Some packages are always the host's (the C library, the package manager); a library that the
//! host has in a sufficient version is not unpacked again. What is not known of the host is
//! unpacked. Recommends are not followed; maintainer scripts have no part in this.

use std::cmp::Reverse;
use std::rc::Rc;
use std::sync::Arc;

use rocmenv_manifests::catalog::Query;
use rocmenv_manifests::debian::{DebIndex, DebPackage, DebVersion, Dependency, Relation};
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::platform::Libc;

use super::exclusion::Exclusion;
use super::stack::Fact;
use super::thing::{Name, Need, Needs, Set, Thing};
use super::universe::{Asked, Universe};

/// A need of any version of a package.
pub(super) fn named(repository: &IndexName, name: &str) -> Need {
    Need::new(Name::Deb(repository.clone(), name.to_owned()), Set::Any)
}

/// The versions of a package, newest first.
pub(super) fn candidates(
    universe: &Universe<'_>,
    repository: &IndexName,
    name: &str,
) -> Vec<(Thing, Option<Exclusion>)> {
    let index = match index(universe, repository) {
        Asked::Ready(index) => index,
        Asked::Absent => return Vec::new(),
        Asked::Missing => return vec![(Thing::Unfetched, None)],
    };
    let mut debs: Vec<DebPackage> = index.named(name).filter_map(Result::ok).collect();
    debs.sort_by(|a, b| Reverse(&a.version).cmp(&Reverse(&b.version)));
    debs.dedup_by(|a, b| a.version == b.version);
    debs.into_iter().map(|deb| (Thing::Deb(Rc::new(deb)), None)).collect()
}

/// What a package needs of others and of the host, and what it breaks.
pub(super) fn needs(universe: &Universe<'_>, repository: &IndexName, deb: &DebPackage) -> Needs {
    let Asked::Ready(index) = index(universe, repository) else { return Needs::default() };
    let asked = deb.pre_depends.iter().chain(&deb.depends);
    let requires =
        asked.filter_map(|dependency| dependency_need(universe, repository, &index, dependency));
    let against = deb.conflicts.iter().chain(&deb.breaks);
    let constrains = against.filter(|relation| relation.name != deb.name).map(|relation| {
        let name = Name::Deb(repository.clone(), relation.name.clone());
        (name, Set::NotDeb(Rc::new(relation.clone())))
    });
    Needs { requires: requires.collect(), constrains: constrains.collect() }
}

fn index(universe: &Universe<'_>, repository: &IndexName) -> Asked<Arc<DebIndex>> {
    let query = Query::Debs { repository: repository.clone() };
    universe.ask(query, universe.catalog.debs(repository))
}

/// One dependency with its alternatives; `None` where the host meets it.
fn dependency_need(
    universe: &Universe<'_>,
    repository: &IndexName,
    index: &DebIndex,
    dependency: &Dependency,
) -> Option<Need> {
    let arch = universe.question.target.arch.value.debian();
    let relations: Vec<&Relation> =
        dependency.alternatives.iter().filter(|relation| relation.is_for(arch)).collect();
    let meetings: Vec<Meeting> =
        relations.iter().map(|relation| host_meets(universe, relation)).collect();
    if relations.is_empty() || meetings.contains(&Meeting::Met) {
        return None;
    }
    let of_host = relations.iter().zip(&meetings).find(|(_, met)| **met == Meeting::Unmet);
    let mut ways: Vec<(Name, Set)> = relations
        .iter()
        .zip(&meetings)
        .filter(|(_, met)| **met == Meeting::Open)
        .flat_map(|(relation, _)| ways(repository, index, relation))
        .collect();
    if ways.is_empty() {
        if let Some((relation, _)) = of_host {
            // Only the host could, and what it has does not do.
            return Some(Need::new(Name::Host(Fact::Libc), Set::of([], phrase(relation))));
        }
        let relation = relations[0];
        let name = Name::Deb(repository.clone(), relation.name.clone());
        return Some(Need::new(name, Set::Deb(Rc::new(relation.clone()))));
    }
    let (name, set) = ways.remove(0);
    Some(Need { name, set, alternatives: ways, on: None })
}

/// The packages that a relation names, and those that provide the name.
fn ways(repository: &IndexName, index: &DebIndex, relation: &Relation) -> Vec<(Name, Set)> {
    let name = |name: &str| Name::Deb(repository.clone(), name.to_owned());
    let mut ways = Vec::new();
    if index.has(&relation.name) {
        ways.push((name(&relation.name), Set::Deb(Rc::new(relation.clone()))));
    }
    let mut providers: Vec<DebPackage> = index
        .providers(&relation.name)
        .filter_map(Result::ok)
        .filter(|deb| deb.name != relation.name)
        .filter(|deb| deb.provides.iter().any(|it| relation.is_satisfied_by_provided(it)))
        .collect();
    providers.sort_by(|a, b| a.name.cmp(&b.name));
    providers.dedup_by(|a, b| a.name == b.name);
    ways.extend(providers.iter().map(|deb| (name(&deb.name), Set::Any)));
    ways
}

/// Whether the host meets a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meeting {
    /// It has the package in a version that does.
    Met,
    /// The package is always the host's, and its version does not do.
    Unmet,
    /// A package would have to be unpacked.
    Open,
}

fn host_meets(universe: &Universe<'_>, relation: &Relation) -> Meeting {
    let is_hosts = universe.question.stack.host_only.contains(&relation.name);
    let Some(version) = host_version(universe, &relation.name) else {
        // Not described, so not checked.
        return if is_hosts { Meeting::Met } else { Meeting::Open };
    };
    match (relation.takes(&version), is_hosts) {
        (true, _) => Meeting::Met,
        (false, true) => Meeting::Unmet,
        (false, false) => Meeting::Open,
    }
}

/// The version of a package that the host has; its C library is known without a package list.
fn host_version(universe: &Universe<'_>, name: &str) -> Option<DebVersion> {
    let question = universe.question;
    if let Some(version) = question.host_packages.get(name) {
        return version.parse().ok();
    }
    match &question.target.libc.as_ref().filter(|_| name == LIBC)?.value {
        Libc::Glibc(version) => version.to_string().parse().ok(),
        Libc::Musl(_) => None,
    }
}

fn phrase(relation: &Relation) -> String {
    match &relation.version {
        Some((operator, version)) => format!("{} {operator} {version}", relation.name),
        None => relation.name.clone(),
    }
}

/// The package of the C library, whose upstream version is the library's own.
const LIBC: &str = "libc6";
