//! The parts of ROCm out of the registry: which packages bring them from which channel.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rocmenv_manifests::name::{IndexName, PackageName};
use rocmenv_manifests::project::ChannelChoice;
use rocmenv_manifests::registry::rows::channels::ChannelKind;
use rocmenv_manifests::registry::rows::components::Provides;
use rocmenv_manifests::version::RocmVersion;

use super::StackRequest;
use super::packages::index_name;
use crate::solve::stack::{ComponentPackages, ComponentWay, Release};
use crate::target::Target;

/// The ways to bring each component, best first.
pub(super) fn of(
    request: &StackRequest<'_>,
    releases: &[Release],
) -> BTreeMap<String, Vec<ComponentWay>> {
    let names = request.registry.components().component.iter();
    names.map(|row| (row.name.clone(), ways(request, &row.name, releases))).collect()
}

fn ways(request: &StackRequest<'_>, component: &str, releases: &[Release]) -> Vec<ComponentWay> {
    let mut ways = Vec::new();
    let mut releases: Vec<&Release> = releases.iter().collect();
    releases.sort_by_key(|release| Reverse(&release.version));
    for release in releases.iter().filter(|release| release.channel == "host") {
        let release = Some(release.version.clone());
        ways.push(ComponentWay { release, packages: ComponentPackages::Host });
    }
    if is_of_archives(request) {
        let whole = |release: &&Release| ComponentWay {
            release: Some(release.version.clone()),
            packages: ComponentPackages::Archive,
        };
        ways.extend(releases.iter().map(whole));
        return ways;
    }
    let rows = request.registry.components().provides.iter();
    for row in rows.filter(|row| row.component == component) {
        if row.channel == DISTRIBUTION {
            if !is_of_suite(row, request.target) {
                continue;
            }
            ways.extend(distribution(row, &releases));
            continue;
        }
        for release in
            releases.iter().filter(|it| it.channel != "host" && it.channel != DISTRIBUTION)
        {
            ways.extend(of_channel(request, row, &release.version));
        }
    }
    ways
}

/// Whether the channel that was asked for serves each release as one archive.
fn is_of_archives(request: &StackRequest<'_>) -> bool {
    let ChannelChoice::Named(name) = request.channel else { return false };
    let channel = request.registry.channel(name.as_str());
    channel.is_some_and(|channel| channel.kind == ChannelKind::Tarball)
}

/// The distribution's own packages, which go with whatever release they are of. Their parts are
/// of several releases, so only the runtime says which ROCm it is.
fn distribution(row: &Provides, releases: &[&Release]) -> Option<ComponentWay> {
    releases.iter().find(|release| release.channel == DISTRIBUTION)?;
    let release = row.rocm.as_deref().filter(|_| row.component == "runtime");
    Some(ComponentWay {
        release: release.and_then(|rocm| rocm.parse().ok()),
        packages: ComponentPackages::Debs {
            repository: IndexName::distribution(),
            names: row.packages.clone(),
        },
    })
}

/// Whether a row of the distribution holds for a target. A suite has its own versions under the
/// same package names, so a row of another suite would call them by another release. Where the
/// target's suite is not known, every row may hold.
pub(super) fn is_of_suite(row: &Provides, target: &Target) -> bool {
    let release = target.os.as_ref().map(|os| os.value.to_string());
    let known = SUITES.iter().find(|(name, _)| release.as_deref() == Some(*name));
    let holds = |suite: &str| row.suites.is_empty() || row.suites.iter().any(|own| own == suite);
    known.is_none_or(|(_, suite)| holds(suite))
}

/// Debian's releases and their code names (Debian's release notes).
const SUITES: [(&str, &str); 2] = [("debian-12", "bookworm"), ("debian-13", "trixie")];

fn of_channel(
    request: &StackRequest<'_>,
    row: &Provides,
    rocm: &RocmVersion,
) -> Option<ComponentWay> {
    let channel = request.registry.channel(&row.channel)?;
    let is_served = channel.rocm.iter().any(|own| own.contains(rocm.dotted().parts()));
    if !is_served {
        return None;
    }
    let series = rocm.series().to_string();
    let fill = |name: &String| name.replace("{series}", &series);
    let per_gfx = row.per_gfx.iter().flat_map(|name| {
        let targets = request.target.gfx_targets();
        targets.into_iter().map(move |gfx| name.replace("{gfx}", &gfx.to_string()))
    });
    let names: Vec<String> =
        row.packages.iter().cloned().chain(per_gfx).map(|name| fill(&name)).collect();
    let packages = match channel.kind {
        ChannelKind::Wheel => {
            let names: Vec<PackageName> =
                names.iter().filter_map(|name| name.parse().ok()).collect();
            ComponentPackages::Wheels(names)
        }
        ChannelKind::Deb => {
            ComponentPackages::Debs { repository: index_name(request, &row.channel, rocm)?, names }
        }
        _ => return None,
    };
    Some(ComponentWay { release: Some(rocm.clone()), packages })
}

const DISTRIBUTION: &str = "distribution";
