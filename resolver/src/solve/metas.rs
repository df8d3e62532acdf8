//! Source archives that are never built and whose requirements a rule of the registry states.
//!
//! TheRock's `rocm` is one: what it requires depends on the machine that builds it, so nothing
//! of it is run. The rule is expanded for the GPUs of the target.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::name::ExtraName;
use rocmenv_manifests::python::PyRequirement;

use super::releases::is_built_for;
use super::stack::MetaRule;
use super::thing::{Name, Need, Needs, Set};
use super::universe::Universe;
use super::wheel_page::WheelVersion;
use super::wheels::rocm_of_index;

/// Adds what an archive needs, by itself or with an extra.
pub(super) fn add_needs(
    universe: &Universe<'_>,
    wheel: &WheelVersion,
    extra: Option<&ExtraName>,
    needs: &mut Needs,
) {
    let Some(rules) = universe.question.stack.metas.get(&wheel.package) else { return };
    let gfx = universe.question.target.gfx_targets();
    let is_own = |rule: &&MetaRule| rule.indexes.contains(&wheel.index);
    for rule in rules {
        let is_replaced = rules.iter().filter(is_own).any(|own| own.extra == rule.extra);
        if !is_own(&rule) && (is_replaced || !rule.indexes.is_empty()) {
            continue;
        }
        let Some(targets) = asked_for(rule, extra, &gfx) else { continue };
        let lines = rule.requires.iter().flat_map(|line| expand(line, wheel, &targets));
        needs.requires.extend(lines.filter_map(|line| need(&line)));
    }
    if let (None, Some(rocm)) = (extra, rocm_of_index(universe, wheel)) {
        let releases = (0..).zip(&universe.releases);
        let fitting = releases.filter(|(_, release)| is_built_for(release, &rocm));
        let set = Set::of(fitting.map(|(at, _)| at), rocm.to_string());
        needs.constrains.push((Name::Rocm, set));
    }
}

/// The targets that a rule is expanded for; `None` where the extra is not the rule's.
fn asked_for(
    rule: &MetaRule,
    extra: Option<&ExtraName>,
    own: &[GfxTarget],
) -> Option<Vec<GfxTarget>> {
    match (&rule.extra, extra) {
        (None, None) => Some(own.to_vec()),
        (Some(name), Some(extra)) if name == extra.as_ref() => Some(own.to_vec()),
        (Some(name), Some(extra)) => {
            let start = name.strip_suffix("{gfx}")?;
            Some(vec![extra.as_ref().strip_prefix(start)?.parse().ok()?])
        }
        _ => None,
    }
}

fn expand(line: &str, wheel: &WheelVersion, targets: &[GfxTarget]) -> Vec<String> {
    let line = line.replace("{version}", &wheel.version.to_string()).replace("*=", "{gfx}=");
    if !line.contains("{gfx}") {
        return vec![line];
    }
    targets.iter().map(|gfx| line.replace("{gfx}", &gfx.to_string())).collect()
}

fn need(line: &str) -> Option<Need> {
    let requirement: PyRequirement = line.parse().ok()?;
    Some(Need::new(Name::Wheel(requirement.name), Set::spec(&requirement.specifiers)))
}
