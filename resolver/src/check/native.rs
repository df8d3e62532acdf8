//! What documents say of native Windows and of WSL2, for those who refuse and for those who say
//! what would do instead.

use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::registry::pattern::numbers;
use rocmenv_manifests::registry::rows::frameworks::FrameworkRow;
use rocmenv_manifests::registry::rows::support::Platform;
use rocmenv_manifests::registry::{KnownGpu, Registry, System, Verdict};
use rocmenv_manifests::version::RocmVersion;

use super::answer::{Item, Pair};
use super::evaluate::Asked;
use super::framework::choose;
use super::pairs::host_pairs;
use super::question::CheckHost;
use super::refusal::Refusal;

/// What is said of something on native Windows, in a sentence, and by which document; by none
/// where nothing is known.
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) source: Option<String>,
}

/// Why a framework cannot be had on native Windows with a release, in the words of `check`. `None`
/// where AMD lists it there, and where a build of it is known.
pub(crate) fn on_native_windows(
    registry: &Registry,
    framework: &FrameworkRow,
    system: &System,
    rocm: &RocmVersion,
) -> Option<Said> {
    let asked = Asked::any_of(CheckHost { system: Some(system.clone()), ..CheckHost::default() });
    let found = choose(registry, &asked, framework, &asked.rocm, rocm);
    let refusing = found.pairs.into_iter().find(|pair| pair.judgement.verdict.refuses());
    let refusal = found.refusal.or(refusing.map(Refusal::Pair))?;
    let source = match &refusal {
        Refusal::Pair(Pair { judgement, .. }) => {
            judgement.evidence.first().map(ToString::to_string)
        }
        Refusal::ListedElsewhere { .. } => {
            let rows = registry.listed_for(&framework.name, rocm, None);
            rows.first().and_then(|row| first(registry, &row.source))
        }
        Refusal::OtherPlatform { .. } => {
            let builds = registry.builds_for(framework, rocm);
            builds.first().and_then(|build| first(registry, &build.source))
        }
        _ => None,
    };
    let text = match refusal {
        Refusal::NoBuild { .. } => format!(
            "whether {} goes with ROCm {rocm} on native Windows is not known: no document that was \
             read says it, and no build of it is known",
            framework.name
        ),
        said => said.to_string(),
    };
    Some(Said { text, source })
}

fn first(
    registry: &Registry,
    keys: &rocmenv_manifests::registry::rows::sources::SourceKeys,
) -> Option<String> {
    registry.evidence(keys, "", &None).first().map(ToString::to_string)
}

/// The distributions that AMD has rows for under WSL2, the newest first.
pub(crate) fn wsl_systems(registry: &Registry) -> Vec<OsRelease> {
    let rows = registry.product_support().row.iter().map(|row| &row.os);
    let mut names: Vec<_> = rows.filter(|name| name.is_wsl()).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.version().and_then(numbers)));
    names.dedup();
    let release = |name: &rocmenv_manifests::registry::rows::support::SystemName| {
        format!("{}-{}", name.distribution(), name.version()?).parse().ok()
    };
    names.into_iter().filter_map(release).collect()
}

/// Whether AMD lists each of these GPUs, and the distribution, under WSL2 with a release.
pub(crate) fn is_listed_under_wsl(
    registry: &Registry,
    gpus: &[KnownGpu],
    os: &OsRelease,
    rocm: &RocmVersion,
) -> bool {
    let system = System { os: os.clone(), wsl: true };
    let host = CheckHost { gpus: gpus.to_vec(), system: Some(system), ..CheckHost::default() };
    !gpus.is_empty() && all_listed(&host_pairs(registry, &host, rocm))
}

/// Whether every GPU and system among pairs is listed.
pub(super) fn all_listed(pairs: &[Pair]) -> bool {
    let of_machine = |pair: &&Pair| matches!(pair.left, Item::Gpu(_) | Item::System(_));
    pairs.iter().filter(of_machine).all(|pair| pair.judgement.verdict == Verdict::Listed)
}

/// The platform that this file speaks of.
pub(super) fn is_native(host: &CheckHost) -> bool {
    host.platform() == Some(Platform::Windows)
}
