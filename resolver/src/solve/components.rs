//! The parts of ROCm as candidates: one for each way to bring them.

use rocmenv_manifests::python::VersionSpecifiers;
use rocmenv_manifests::version::RocmVersion;

use super::debs;
use super::exclusion::Exclusion;
use super::stack::{ComponentPackages, ComponentWay};
use super::thing::{Name, Need, Needs, Set, Thing};
use super::universe::Universe;
use super::wheels::concerns_rocm;

/// The ways to bring a component, best first.
pub(super) fn candidates(
    universe: &Universe<'_>,
    component: &str,
) -> Vec<(Thing, Option<Exclusion>)> {
    let ways = universe.question.stack.components.get(component).into_iter().flatten();
    ways.map(|way| (Thing::Small(text(way)), excluded(universe, way))).collect()
}

/// A way of another release than was asked for. Without this its packages would be looked up,
/// although nothing of that release can be chosen.
fn excluded(universe: &Universe<'_>, way: &ComponentWay) -> Option<Exclusion> {
    let release = way.release.as_ref().filter(|_| concerns_rocm(universe))?;
    let mut asked_for = universe.asked_for.iter().map(|&at| universe.releases[at as usize]);
    let is_asked_for = asked_for.any(|asked| asked.version == *release);
    (!is_asked_for).then(|| Exclusion::BuiltForOther(release.dotted()))
}

/// What a way needs: its packages, and the release that it brings.
pub(super) fn needs(universe: &Universe<'_>, component: &str, way: u32) -> Needs {
    let ways = universe.question.stack.components.get(component);
    let Some(way) = ways.and_then(|ways| ways.get(way as usize)) else { return Needs::default() };
    let mut needs = Needs::default();
    if let Some(release) = &way.release {
        let releases = (0..).zip(&universe.releases);
        let same = releases.filter(|(_, other)| other.version == *release);
        let set = Set::of(same.map(|(at, _)| at), release.to_string());
        if matches!(way.packages, ComponentPackages::Archive) {
            // the release itself is what brings it
            needs.requires.push(Need::new(Name::Rocm, set.clone()));
        }
        needs.constrains.push((Name::Rocm, set));
    }
    match &way.packages {
        ComponentPackages::Host | ComponentPackages::Archive => {}
        ComponentPackages::Debs { repository, names } => {
            needs.requires.extend(names.iter().map(|name| debs::named(repository, name)));
        }
        ComponentPackages::Wheels(names) => {
            let set = way.release.as_ref().map_or(Set::Any, exactly);
            let wheels = names.iter().map(|name| Need::new(Name::Wheel(name.clone()), set.clone()));
            needs.requires.extend(wheels);
        }
    }
    needs
}

/// The wheels of a component carry the version of their release.
fn exactly(release: &RocmVersion) -> Set {
    let specifiers: Option<VersionSpecifiers> = format!("=={release}").parse().ok();
    specifiers.map_or(Set::Any, |specifiers| Set::spec(&specifiers))
}

fn text(way: &ComponentWay) -> String {
    match &way.packages {
        ComponentPackages::Host => "of the host".to_owned(),
        ComponentPackages::Archive => "in the archive of the release".to_owned(),
        ComponentPackages::Debs { names, .. } => names.join(", "),
        ComponentPackages::Wheels(names) => {
            names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        }
    }
}
