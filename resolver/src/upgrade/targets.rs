//! Which releases are wanted, and which of them a GPU of the host keeps the user from.
//!
//! Without a wish of one's own the newest patch of the X.Y in use comes first, then anything newer.
//! A GPU that was listed once and is not by the wanted release is a reason to stay, which the user
//! may set aside.

use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::registry::rows::changes::ChangeKind;
use rocmenv_manifests::registry::{
    Evidence, Judgement, KnownGpu, NameKind, Registry, Situation, System, Verdict,
};
use rocmenv_manifests::upgrade::{NoPathReason, StayReason};
use rocmenv_manifests::version::RocmVersion;

use super::goal::{Goal, UpgradeHost, UpgradePolicy};
use super::judge::name;
use super::standing::{production, release_ref};

/// The releases that the end may have, oldest first.
///
/// # Errors
/// No known release is what was asked for.
pub(super) fn wanted(
    registry: &Registry,
    host: &UpgradeHost,
    goal: &Goal,
    policy: &UpgradePolicy,
) -> Result<Vec<RocmVersion>, NoPathReason> {
    let current = host.state.rocm.as_ref();
    let Some(asked) = &goal.rocm else {
        if goal.driver.is_some() {
            return Ok(current.cloned().into_iter().collect());
        }
        return Ok(unasked(registry, current, policy));
    };
    let mut found: Vec<RocmVersion> = registry
        .releases_matching(asked, policy.preview)
        .into_iter()
        .map(|row| row.version.clone())
        .collect();
    // what is there counts too, also where the registry has never heard of it
    found.extend(current.filter(|own| asked.matches(&own.dotted())).cloned());
    found.sort();
    found.dedup();
    if found.is_empty() {
        let text = asked.to_string();
        return Err(NoPathReason::NoRelease {
            nearest: registry
                .nearest(NameKind::Release, text.trim_start_matches(['=', '~', '^', '>', '<'])),
            needs_preview: !registry.releases_matching(asked, true).is_empty(),
            wanted: text,
        });
    }
    let forward: Vec<RocmVersion> =
        found.iter().filter(|own| current.is_none_or(|current| *own >= current)).cloned().collect();
    Ok(newest_of_series(if forward.is_empty() { found } else { forward }, current))
}

/// Without a wish: the newest patch, else whatever is newer; what is there counts too.
fn unasked(
    registry: &Registry,
    current: Option<&RocmVersion>,
    policy: &UpgradePolicy,
) -> Vec<RocmVersion> {
    let mut newer: Vec<RocmVersion> = production(registry)
        .map(|row| row.version.clone())
        .filter(|version| current.is_none_or(|current| version > current))
        .collect();
    newer.sort();
    let of_series = |version: &&RocmVersion| {
        current.is_some_and(|current| version.series() == current.series())
    };
    if let Some(patch) = newer.iter().rev().find(of_series).filter(|_| policy.patch_first) {
        return vec![patch.clone()];
    }
    let mut found = newest_of_series(newer, None);
    found.extend(current.cloned());
    found.sort();
    found
}

fn newest_of_series(all: Vec<RocmVersion>, current: Option<&RocmVersion>) -> Vec<RocmVersion> {
    let is_newest = |version: &RocmVersion| {
        !all.iter().any(|other| other.series() == version.series() && other > version)
    };
    let keep: Vec<bool> = all.iter().map(|own| is_newest(own) || Some(own) == current).collect();
    all.into_iter().zip(keep).filter_map(|(version, keep)| keep.then_some(version)).collect()
}

/// The GPUs that a path must hold for: those that some release lists, or all where there is none
/// such. A small GPU in the processor beside a card keeps nobody from anything.
pub(super) fn counted(registry: &Registry, host: &UpgradeHost) -> Vec<KnownGpu> {
    let systems = systems(registry, host);
    let is_listed = |gpu: &&KnownGpu| last_listed(registry, gpu, &systems, None).is_some();
    let listed: Vec<KnownGpu> = host.gpus.iter().filter(is_listed).cloned().collect();
    let mut counted = if listed.is_empty() { host.gpus.clone() } else { listed };
    let mut seen: Vec<KnownGpu> = Vec::new();
    counted.retain(|gpu| {
        let is_new = !seen.contains(gpu);
        seen.push(gpu.clone());
        is_new
    });
    counted
}

/// Why a release is not for a host whose GPU was listed once and is not there any more.
pub(super) fn dropped(
    registry: &Registry,
    host: &UpgradeHost,
    gpus: &[KnownGpu],
    release: &RocmVersion,
) -> Option<StayReason> {
    let systems = systems(registry, host);
    gpus.iter().find_map(|gpu| {
        let judged = best(registry, gpu, &systems, release)?;
        let is_open = matches!(judged.verdict, Verdict::Listed | Verdict::NotKnown);
        let (last, listing) = last_listed(registry, gpu, &systems, Some(release))?;
        if is_open {
            return None;
        }
        let mut evidence = judged.evidence;
        evidence.extend(listing);
        evidence.extend(end_of_support(registry, gpu));
        let is_built = |version: &&RocmVersion| {
            let judged = best(registry, gpu, &systems, version);
            judged.is_some_and(|judged| judged.verdict == Verdict::BuiltNotListed)
        };
        let mut built: Vec<RocmVersion> =
            production(registry).map(|row| &row.version).filter(is_built).cloned().collect();
        built.sort_by(|a, b| b.cmp(a));
        Some(StayReason::GpuDropped {
            gpu: name(gpu),
            wanted: release.clone(),
            verdict: judged.verdict,
            reason: judged.reason,
            last: release_ref(registry, &last),
            evidence,
            built,
        })
    })
}

/// The newest release that lists a GPU on any of the systems, below a release where one is given.
pub(super) fn last_listed(
    registry: &Registry,
    gpu: &KnownGpu,
    systems: &[System],
    below: Option<&RocmVersion>,
) -> Option<(RocmVersion, Vec<Evidence>)> {
    let mut releases: Vec<&RocmVersion> = production(registry)
        .map(|row| &row.version)
        .filter(|version| below.is_none_or(|below| *version < below))
        .collect();
    releases.sort();
    releases.into_iter().rev().find_map(|release| {
        let judged = best(registry, gpu, systems, release)?;
        (judged.verdict == Verdict::Listed).then(|| (release.clone(), judged.evidence))
    })
}

/// What a release says of a GPU: the best of the systems, unless it is known to fail on all.
fn best(
    registry: &Registry,
    gpu: &KnownGpu,
    systems: &[System],
    rocm: &RocmVersion,
) -> Option<Judgement> {
    let situation = Situation { gfx: &[gpu.gfx], rocm: Some(rocm), ..Situation::default() };
    let bad = registry.known_bad_in(&situation).into_iter().map(|(_, judged)| judged);
    let judged = systems.iter().map(|system| registry.gpu_on_system(gpu, system, rocm));
    let best = judged.min_by_key(|judged| judged.verdict)?;
    let worse = bad.filter(|judged| judged.verdict.refuses()).max_by_key(|judged| judged.verdict);
    Some(worse.unwrap_or(best))
}

/// The host's system and all that follow it.
pub(super) fn systems(registry: &Registry, host: &UpgradeHost) -> Vec<System> {
    let mut found: Vec<OsRelease> = host.state.os.clone().into_iter().collect();
    let mut at = 0;
    while at < found.len() && !host.wsl {
        let after = registry.systems_after(&found[at]);
        let new: Vec<OsRelease> = after.into_iter().filter(|os| !found.contains(os)).collect();
        found.extend(new);
        at += 1;
    }
    found.into_iter().map(|os| System { os, wsl: host.wsl }).collect()
}

fn end_of_support(registry: &Registry, gpu: &KnownGpu) -> Vec<Evidence> {
    let rows = registry.changes().change.iter().filter(|row| row.gfx.contains(&gpu.gfx));
    rows.filter(|row| row.kind == ChangeKind::EndOfSupport)
        .flat_map(|row| {
            let said = [row.when.as_deref().unwrap_or_default(), &row.notes];
            let said: Vec<&str> = said.into_iter().filter(|text| !text.is_empty()).collect();
            registry.evidence(&row.source, &said.join("; "), &row.confidence)
        })
        .collect()
}
