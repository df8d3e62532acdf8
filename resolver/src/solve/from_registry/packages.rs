//! Where packages come from and what their builds are for, out of the registry's tables.

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::name::{IndexName, PackageName};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::pattern::{BuiltFor, Pattern};
use rocmenv_manifests::registry::rows::bindings::RunPath;
use rocmenv_manifests::registry::rows::builds::Build;
use rocmenv_manifests::registry::rows::channels::Behaviour;
use rocmenv_manifests::version::{Dotted, RocmVersion};

use super::StackRequest;
use crate::solve::stack::{Binding, BuildRule, Built, MetaRule, Otherwise, Release, Together};

/// What is known of the builds of packages on the general index.
pub(super) fn builds(request: &StackRequest<'_>) -> BTreeMap<PackageName, BuildRule> {
    let registry = request.registry;
    let mut rules: BTreeMap<PackageName, BuildRule> = BTreeMap::new();
    let all = registry.builds().build.iter().chain(&registry.builds_general().build);
    let general = all.filter(|build| build.channel == GENERAL);
    for build in general {
        let (Ok(package), Ok(version)) = (build.package.parse(), build.version.parse()) else {
            continue;
        };
        let rule: &mut BuildRule = rules.entry(package).or_default();
        rule.known.insert(version, built(registry, build));
    }
    for row in &registry.bindings().other_accelerator {
        let Ok(package) = row.package.parse::<PackageName>() else { continue };
        let built = Built::Other(row.accelerator.to_uppercase());
        rules.insert(
            package,
            BuildRule { known: BTreeMap::new(), otherwise: Otherwise::Always(built) },
        );
    }
    rules
}

fn built(registry: &Registry, build: &Build) -> Built {
    let by_path = registry.runpath(&build.package, &build.version).filter(|row| is_proof(row));
    if let Some(series) = by_path.and_then(|row| series(row.rocm.first()?)) {
        return Built::For(series);
    }
    match &build.rocm {
        BuiltFor::Unknown => Built::Unknown,
        BuiltFor::Release(parts) => dotted(parts).map_or(Built::Unknown, Built::For),
    }
}

/// A row of one version, or one that names no folder, says what the wheel works with; a row of
/// all versions with folders only says where they look.
fn is_proof(row: &RunPath) -> bool {
    row.version.is_some() || row.paths.is_empty()
}

fn series(pattern: &Pattern) -> Option<Dotted> {
    match pattern {
        Pattern::Series(parts) | Pattern::Exact(parts) => dotted(parts),
        Pattern::Any | Pattern::Range(..) => None,
    }
}

pub(super) fn dotted(parts: &[u32]) -> Option<Dotted> {
    let parts: Vec<String> = parts.iter().map(u32::to_string).collect();
    parts.join(".").parse().ok()
}

/// The indexes of every bound package, for the releases of the question.
pub(super) fn bindings(request: &StackRequest<'_>, releases: &[Release]) -> Vec<Binding> {
    let rows = &request.registry.bindings().binding;
    // The more exact name wins, so it has to be met first.
    let mut names: Vec<&str> = rows.iter().map(|row| row.package.as_str()).collect();
    names.sort_by_key(|name| (name.ends_with('*'), std::cmp::Reverse(name.len()), *name));
    names.dedup();
    let folders = release_folders(request.registry);
    let mut bindings = Vec::new();
    for name in names {
        let mut seen = BTreeSet::new();
        for release in releases {
            for index in indexes(request, name, &release.version) {
                let rocm = release.version.dotted();
                if seen.insert((index.clone(), rocm.part(0), rocm.part(1))) {
                    let rocm = (index != IndexName::python())
                        .then(|| Dotted::new(rocm.part(0), rocm.part(1)));
                    let folder_of = folders.contains(&index).then(|| release.version.clone());
                    let package = name.to_owned();
                    bindings.push(Binding { package, index, rocm, folder_of });
                }
            }
        }
    }
    bindings
}

/// The indexes that are the folder of one release each.
fn release_folders(registry: &Registry) -> BTreeSet<IndexName> {
    let channels = registry.channels().channel.iter();
    let channels = channels.filter(|channel| channel.behaves(Behaviour::ReleaseFolders));
    let indexes = channels.flat_map(|channel| registry.indexes_of_channel(channel));
    indexes.map(|index| index.name).collect()
}

/// The indexes that a package comes from with a release, as the lock names them.
fn indexes(request: &StackRequest<'_>, name: &str, rocm: &RocmVersion) -> Vec<IndexName> {
    let registry = request.registry;
    let release = rocm.dotted();
    let rows = registry.bindings().binding.iter().filter(|row| row.package == name);
    let row = rows.into_iter().find(|row| row.rocm.iter().any(|own| own.contains(release.parts())));
    let channels =
        row.into_iter().flat_map(|row| std::iter::once(&row.channel).chain(&row.alternatives));
    let named = channels.filter_map(|channel| index_name(request, channel, rocm));
    named.collect()
}

/// The index of a channel for a release: `{series}` is the longest text that the channel has.
pub(super) fn index_name(
    request: &StackRequest<'_>,
    channel: &str,
    rocm: &RocmVersion,
) -> Option<IndexName> {
    let registry = request.registry;
    let row = registry.channel(channel)?;
    if row.line.as_deref() == Some("windows") || !serves_platform(request, &row.platforms) {
        return None;
    }
    // a folder of 7.2 serves 7.2.0 and not every 7.2.x
    let is_folder = row.behaves(Behaviour::ReleaseFolders);
    if is_folder && !row.rocm.iter().any(|own| own.contains(rocm.dotted().parts())) {
        return None;
    }
    let (full, short) = (rocm.to_string(), rocm.series().to_string());
    let series = [&full, &short].into_iter().find(|text| row.series.contains(text));
    let series = series.map_or(short.as_str(), String::as_str);
    if !row.series.is_empty() && !row.series.iter().any(|own| own == series) {
        return None;
    }
    let values = [("series", series), ("version", full.as_str())];
    Some(registry.index(channel, &values)?.name)
}

fn serves_platform(request: &StackRequest<'_>, platforms: &[String]) -> bool {
    use rocmenv_manifests::platform::OsFamily;
    let own = match request.target.family {
        OsFamily::Linux => "linux",
        OsFamily::Windows => "windows",
    };
    platforms.is_empty() || platforms.iter().any(|platform| platform == own)
}

/// The packages that bring others from their own index.
pub(super) fn together(registry: &Registry) -> Vec<Together> {
    let rows = registry.bindings().together.iter();
    let row = rows.filter_map(|row| {
        Some(Together {
            package: row.package.parse().ok()?,
            index: registry.index(&row.channel, &[])?.name,
            brings: row.brings.iter().filter_map(|name| name.parse().ok()).collect(),
        })
    });
    row.collect()
}

/// Names that must never come from the general index where ROCm is asked for: what is served
/// elsewhere, and what is only a placeholder there.
pub(super) fn reserved(registry: &Registry) -> Vec<String> {
    let table = registry.bindings();
    let bound = table.binding.iter().filter(|row| row.channel != GENERAL);
    let names = bound.map(|row| &row.package).chain(table.placeholder.iter().map(|it| &it.package));
    names.collect::<BTreeSet<_>>().into_iter().cloned().collect()
}

/// The rules of source archives that are never built.
pub(super) fn metas(registry: &Registry) -> BTreeMap<PackageName, Vec<MetaRule>> {
    let mut metas: BTreeMap<PackageName, Vec<MetaRule>> = BTreeMap::new();
    for row in &registry.bindings().meta {
        let Ok(package) = row.package.parse() else { continue };
        let channel = row.channel.as_deref().and_then(|name| registry.channel(name));
        let indexes = channel.into_iter().flat_map(|channel| registry.indexes_of_channel(channel));
        let rule = MetaRule {
            extra: row.extra.clone(),
            requires: row.requires.clone(),
            indexes: indexes.map(|index| index.name).collect(),
        };
        metas.entry(package).or_default().push(rule);
    }
    metas
}

/// The modules that several packages provide.
pub(super) fn modules(registry: &Registry) -> BTreeMap<String, Vec<PackageName>> {
    let mut modules: BTreeMap<String, Vec<PackageName>> = BTreeMap::new();
    for row in &registry.bindings().provider {
        let Ok(package) = row.package.parse() else { continue };
        modules.entry(row.module.clone()).or_default().push(package);
    }
    modules
}

/// The channel of the general index.
const GENERAL: &str = "python";
