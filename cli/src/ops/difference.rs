//! What changes between two locked sets, in the field's words: the release and its GPUs, the
//! channel, where packages come from, the frameworks. The packages themselves are the plan.

use std::collections::BTreeMap;

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::lock::{ArtifactKind, Contract, Lock, LockedTarget, Predicate};
use rocmenv_manifests::name::{EnvName, GroupName, TargetName};
use rocmenv_manifests::plan::{self, Artifact, Plan};
use rocmenv_manifests::platform::OsFamily;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::support::{Platform, SupportStatus};
use rocmenv_manifests::version::RocmVersion;
use serde::Serialize;

/// One side of a comparison: what was decided, and what it is made of.
#[derive(Debug, Clone, Default)]
pub struct Side {
    /// Its part of a lock; `None` where the lock has none.
    pub locked: Option<LockedTarget>,
    /// What it is made of.
    pub artifacts: Vec<Artifact>,
}

impl Side {
    /// What a lock holds for one environment on one target.
    pub fn of_lock(lock: &Lock, target: &TargetName, env: &EnvName, groups: &[GroupName]) -> Self {
        let is_it = |one: &&LockedTarget| one.name == *target && one.env == *env;
        Self {
            locked: lock.targets.iter().find(is_it).cloned(),
            artifacts: plan::artifacts(lock, target, env, groups),
        }
    }
}

/// Everything that changes.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Difference {
    /// ROCm's release.
    pub rocm: Option<Changed>,
    /// The channel that ROCm comes from.
    pub channel: Option<Changed>,
    /// The series of Python.
    pub python: Option<Changed>,
    /// The driver that is needed.
    pub driver: Option<Changed>,
    /// GPUs that it was for, or that AMD listed, and no more.
    pub gfx_lost: Vec<GfxTarget>,
    /// GPUs that are new.
    pub gfx_gained: Vec<GfxTarget>,
    /// Packages that come from elsewhere.
    pub index_moves: Vec<IndexMove>,
    /// Frameworks in another version, come or gone.
    pub frameworks: Vec<FrameworkChange>,
    /// The packages.
    pub plan: Plan,
}

/// Before and after; `None` is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// Before.
    pub from: Option<String>,
    /// After.
    pub to: Option<String>,
}

/// Packages that one index served and another serves now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IndexMove {
    /// The index before.
    pub from: String,
    /// The index after.
    pub to: String,
    /// The packages, sorted.
    pub packages: Vec<String>,
}

/// A framework in another version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FrameworkChange {
    /// Its package (`torch`).
    pub package: String,
    /// The versions.
    #[serde(flatten)]
    pub version: Changed,
}

impl Difference {
    /// Compares.
    pub fn between(before: &Side, after: &Side, registry: &Registry) -> Self {
        let plan = Plan::between(&before.artifacts, &after.artifacts);
        let (old, new) = (before.locked.as_ref(), after.locked.as_ref());
        let release = |one: Option<&LockedTarget>| one.and_then(|one| one.rocm.clone());
        let text = |one: Option<RocmVersion>| one.map(|rocm| rocm.to_string());
        let python = |one: Option<&LockedTarget>| Some(one?.python.as_ref()?.series.to_string());
        let channel = |one: Option<&LockedTarget>| one?.channel.clone();
        let (lost, gained) = gpus(old, new, registry);
        Self {
            rocm: changed(text(release(old)), text(release(new))),
            channel: changed(channel(old), channel(new)),
            python: changed(python(old), python(new)),
            driver: changed(driver(old), driver(new)),
            gfx_lost: lost,
            gfx_gained: gained,
            index_moves: index_moves(&plan),
            frameworks: frameworks(&plan, registry),
            plan,
        }
    }
}

fn changed(from: Option<String>, to: Option<String>) -> Option<Changed> {
    (from != to).then_some(Changed { from, to })
}

fn driver(locked: Option<&LockedTarget>) -> Option<String> {
    let mut items = locked?.contract.items.iter().map(|item| &item.predicate);
    items.find(|one| matches!(one, Predicate::DriverWithin { .. })).map(ToString::to_string)
}

/// The GPUs that come and go: those of the contracts, and of those the ones that AMD lists for
/// one release and not for the other.
fn gpus(
    old: Option<&LockedTarget>,
    new: Option<&LockedTarget>,
    registry: &Registry,
) -> (Vec<GfxTarget>, Vec<GfxTarget>) {
    let (Some(old), Some(new)) = (old, new) else { return Default::default() };
    let (before, after) = (of_contract(&old.contract), of_contract(&new.contract));
    let missing = |from: &[GfxTarget], to: &[GfxTarget]| -> Vec<GfxTarget> {
        from.iter().filter(|gfx| !to.contains(gfx)).copied().collect()
    };
    let (mut lost, mut gained) = match (&before, &after) {
        (Some(before), Some(after)) => (missing(before, after), missing(after, before)),
        _ => Default::default(),
    };
    if let (Some(from), Some(to)) = (&old.rocm, &new.rocm) {
        let platform = platform(&new.contract);
        let (was, is) = (listed(registry, from, platform), listed(registry, to, platform));
        let concerns = |gfx: &GfxTarget| match (&before, &after) {
            (None, None) => true,
            (before, after) => before.iter().chain(after).any(|targets| targets.contains(gfx)),
        };
        // an empty list is nothing read, never nothing supported
        if !was.is_empty() && !is.is_empty() {
            lost.extend(missing(&was, &is).into_iter().filter(concerns));
            gained.extend(missing(&is, &was).into_iter().filter(concerns));
        }
    }
    for list in [&mut lost, &mut gained] {
        list.sort_unstable();
        list.dedup();
    }
    (lost, gained)
}

fn of_contract(contract: &Contract) -> Option<Vec<GfxTarget>> {
    contract.items.iter().find_map(|item| match &item.predicate {
        Predicate::GfxWithin(targets) => Some(targets.clone()),
        _ => None,
    })
}

fn platform(contract: &Contract) -> Platform {
    let windows = Predicate::OsFamily(OsFamily::Windows);
    let is_windows = contract.items.iter().any(|item| item.predicate == windows);
    if is_windows { Platform::Windows } else { Platform::Linux }
}

/// The gfx targets that AMD lists for a release.
fn listed(registry: &Registry, rocm: &RocmVersion, platform: Platform) -> Vec<GfxTarget> {
    let release = rocm.dotted();
    let is_listed = |status: SupportStatus| {
        matches!(
            status,
            SupportStatus::Supported | SupportStatus::Preview | SupportStatus::Deprecated
        )
    };
    let rows = registry.gpu_support().row.iter();
    let rows = rows.filter(|row| {
        row.os == platform && is_listed(row.status) && row.release.contains(release.parts())
    });
    let mut targets: Vec<GfxTarget> = rows.flat_map(|row| row.gfx.iter().copied()).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

fn index_moves(plan: &Plan) -> Vec<IndexMove> {
    let mut moves: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (old, new) in plan.change.iter().filter(|(old, new)| old.index != new.index) {
        let key = (old.index.to_string(), new.index.to_string());
        moves.entry(key).or_default().push(new.name.clone());
    }
    let one = |((from, to), packages)| IndexMove { from, to, packages };
    moves.into_iter().map(one).collect()
}

/// The changes of packages that are a framework of the registry.
fn frameworks(plan: &Plan, registry: &Registry) -> Vec<FrameworkChange> {
    let rows = &registry.frameworks().framework;
    let is_framework = |artifact: &Artifact| {
        artifact.kind == ArtifactKind::Wheel && rows.iter().any(|row| row.package == artifact.name)
    };
    let change = |old: Option<&Artifact>, new: Option<&Artifact>| {
        let one = new.or(old).filter(|one| is_framework(one))?;
        let version = |one: Option<&Artifact>| one.map(|one| one.version.clone());
        let version = changed(version(old), version(new))?;
        Some(FrameworkChange { package: one.name.clone(), version })
    };
    let mut found: Vec<FrameworkChange> = Vec::new();
    found.extend(plan.change.iter().filter_map(|(old, new)| change(Some(old), Some(new))));
    found.extend(plan.add.iter().filter_map(|new| change(None, Some(new))));
    found.extend(plan.remove.iter().filter_map(|old| change(Some(old), None)));
    found.sort_by(|a, b| a.package.cmp(&b.package));
    found
}
