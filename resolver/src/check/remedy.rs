//! The smallest changes that make a refused stack go together. Each is proved by asking again
//! with that change; nothing is guessed.

use rocmenv_manifests::registry::{Registry, System};
use rocmenv_manifests::version::Requirement;

use super::evaluate::{Asked, Evaluation, SERIES, best};
use super::native::{all_listed, is_native, wsl_systems};
use super::pairs::name;
use super::refusal::{Change, Remedy};
use crate::target::TargetDriver;

/// Remedies of one change, or where there is none, of more.
pub(super) fn remedies(registry: &Registry, asked: &Asked) -> Vec<Remedy> {
    let frees: Vec<Free> = std::iter::once(Free::Rocm)
        .filter(|_| !asked.rocm.is_any())
        .chain(
            (0..asked.frameworks.len())
                .filter(|at| !asked.frameworks[*at].1.is_any())
                .map(Free::Framework),
        )
        .collect();
    let mut found: Vec<Remedy> =
        frees.iter().filter_map(|free| proved(registry, asked, &[*free], Vec::new())).collect();
    found.extend(host_changes(registry, asked));
    if found.is_empty() {
        let pairs = frees
            .iter()
            .enumerate()
            .flat_map(|(at, one)| frees[at + 1..].iter().map(move |other| [*one, *other]));
        found.extend(pairs.filter_map(|free| proved(registry, asked, &free, Vec::new())));
    }
    if found.is_empty() && frees.len() > 2 {
        found.extend(proved(registry, asked, &frees, Vec::new()));
    }
    found.dedup_by(|a, b| a.changes == b.changes);
    found.sort_by_key(|remedy| remedy.changes.iter().map(cost).sum::<u32>());
    found.truncate(MOST);
    found
}

/// How much a change costs its user, compared with others; the host costs most.
fn cost(change: &Change) -> u32 {
    match change {
        Change::Framework { .. } => 3,
        Change::Rocm(_) => 4,
        Change::Python(_) => 5,
        Change::Driver(_) => 9,
        Change::DropGpu(_) => 11,
        Change::Wsl(_) => 12,
    }
}

/// A requirement that is let go.
#[derive(Clone, Copy)]
enum Free {
    Rocm,
    Framework(usize),
}

fn proved(
    registry: &Registry,
    asked: &Asked,
    frees: &[Free],
    mut changes: Vec<Change>,
) -> Option<Remedy> {
    let mut relaxed = asked.clone();
    for free in frees {
        match free {
            Free::Rocm => relaxed.rocm = Requirement::any(),
            Free::Framework(at) => relaxed.frameworks[*at].1 = Requirement::any(),
        }
    }
    let found = best(registry, &relaxed)?;
    // a remedy leads to a build that is known; where ROCm itself is let go, for all frameworks
    let rocm_is_free = frees.iter().any(|free| matches!(free, Free::Rocm));
    let is_free = |at| frees.iter().any(|free| matches!(free, Free::Framework(own) if *own == at));
    let located = found
        .frameworks
        .iter()
        .enumerate()
        .all(|(at, framework)| framework.build.is_some() || !(rocm_is_free || is_free(at)));
    if !found.refusals.is_empty() || !located {
        return None;
    }
    for free in frees {
        changes.push(match free {
            Free::Rocm => Change::Rocm(found.release.clone()),
            Free::Framework(at) => {
                let framework = &found.frameworks[*at];
                let version = framework.build.as_ref()?.build.version.clone();
                let public = version.split('+').next().unwrap_or_default().to_owned();
                Change::Framework { name: framework.name.clone(), version: public }
            }
        });
    }
    Some(remedy(found, changes))
}

/// Changes of the host: driver, Python, GPUs.
fn host_changes(registry: &Registry, asked: &Asked) -> Vec<Remedy> {
    let mut found = Vec::new();
    let ask = |changed: &Asked, change: Change| {
        let evaluation = best(registry, changed)?;
        evaluation.refusals.is_empty().then(|| remedy(evaluation, vec![change]))
    };
    if let Some(TargetDriver::Amd(_) | TargetDriver::UnknownRelease { .. }) = &asked.host.driver {
        let releases = registry.releases_matching(&asked.rocm, asked.preview);
        let mut drivers: Vec<Vec<u32>> = releases
            .iter()
            .flat_map(|release| registry.drivers_for(&release.version))
            .map(|driver| driver.lowest().to_vec())
            .collect();
        drivers.sort();
        drivers.dedup();
        let first = drivers.into_iter().find_map(|driver| {
            let text = driver.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
            let mut changed = asked.clone();
            changed.host.driver = Some(TargetDriver::Amd(text.parse().ok()?));
            ask(&changed, Change::Driver(text))
        });
        found.extend(first);
    }
    if let Some(python) = &asked.host.python {
        let others = SERIES.into_iter().filter(|series| series != python);
        let remedies = others.filter_map(|series| {
            let mut changed = asked.clone();
            changed.host.python = Some(series.to_owned());
            let remedy = ask(&changed, Change::Python(series.to_owned()))?;
            Some((distance(series, python), remedy))
        });
        let best = remedies.min_by_key(|(distance, remedy)| (remedy.verdict, *distance));
        found.extend(best.map(|(_, remedy)| remedy));
    }
    if asked.host.gpus.len() > 1 {
        for at in 0..asked.host.gpus.len() {
            let mut changed = asked.clone();
            let dropped = changed.host.gpus.remove(at);
            found.extend(ask(&changed, Change::DropGpu(name(&dropped))));
        }
    }
    found.extend(under_wsl(registry, asked));
    found
}

/// The newest distribution under WSL2 that AMD lists for every GPU of a native Windows, where a
/// build of every framework is known for it.
fn under_wsl(registry: &Registry, asked: &Asked) -> Option<Remedy> {
    if !is_native(&asked.host) || asked.host.gpus.is_empty() {
        return None;
    }
    wsl_systems(registry).into_iter().find_map(|os| {
        let mut changed = asked.clone();
        changed.host.system = Some(System { os: os.clone(), wsl: true });
        changed.host.kernel = None;
        let found = best(registry, &changed)?;
        let is_built = found.frameworks.iter().all(|framework| framework.build.is_some());
        (found.refusals.is_empty() && all_listed(&found.pairs) && is_built)
            .then(|| remedy(found, vec![Change::Wsl(os)]))
    })
}

/// How many series lie between two Pythons.
fn distance(one: &str, other: &str) -> u32 {
    let minor = |series: &str| series.split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok());
    minor(one).zip(minor(other)).map_or(u32::MAX, |(one, other)| one.abs_diff(other))
}

fn remedy(found: Evaluation, changes: Vec<Change>) -> Remedy {
    let builds = found.frameworks.iter().filter_map(|framework| {
        let chosen = framework.build.as_ref()?;
        let build = &chosen.build;
        let extras = chosen.extras.join(",");
        let extras = if extras.is_empty() { extras } else { format!("[{extras}]") };
        Some(format!("{}{extras} {}", build.package, build.version))
    });
    Remedy { changes, builds: builds.collect(), release: found.release, verdict: found.verdict }
}

/// More would be a list, not an answer.
const MOST: usize = 5;
