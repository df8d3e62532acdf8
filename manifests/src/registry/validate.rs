//! Checks the tables against each other: every name that a row uses has to exist.
//!
//! Run by the build script over the embedded data (a fault fails the build) and by overlays over
//! what they add. It says nothing of whether a fact is true.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::pattern::{Pattern, numbers};
use super::rows::gpus::GpuScope;
use super::rows::sources::SourceKeys;
use super::tables::Tables;

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Fault {
    /// A name that no table has.
    #[error("{table}: `{name}` is not a known {kind}")]
    Unknown {
        /// The table that uses it.
        table: &'static str,
        /// What it should be.
        kind: Kind,
        /// The name.
        name: String,
    },
    /// A name that two rows of a table have.
    #[error("{table}: {kind} `{name}` is there twice")]
    Twice {
        /// The table.
        table: &'static str,
        /// What it is.
        kind: Kind,
        /// The name.
        name: String,
    },
    /// A text that is no day.
    #[error("{table}: `{text}` is not a day (YYYY-MM-DD)")]
    Date {
        /// The table.
        table: &'static str,
        /// The text.
        text: String,
    },
}

/// The kinds of names that rows use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A key of `sources`.
    Source,
    /// A ROCm release.
    Release,
    /// A line of releases.
    Line,
    /// A gfx target.
    Gfx,
    /// A product.
    Product,
    /// A group of products.
    Group,
    /// A channel.
    Channel,
    /// A framework.
    Framework,
    /// A component.
    Component,
    /// A known-bad combination.
    Combination,
    /// A file of an index.
    File,
}

impl Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Source => "source",
            Self::Release => "release",
            Self::Line => "line",
            Self::Gfx => "gfx target",
            Self::Product => "product",
            Self::Group => "product group",
            Self::Channel => "channel",
            Self::Framework => "framework",
            Self::Component => "component",
            Self::Combination => "combination",
            Self::File => "file",
        })
    }
}

/// All faults of `tables`, sorted; empty when each name that is used exists, within `tables` or
/// within `base` (the tables that an overlay extends).
pub fn validate(tables: &Tables, base: Option<&Tables>) -> Vec<Fault> {
    let mut checker = Checker { names: Names::of(tables, base), table: "", faults: Vec::new() };
    checker.names_once(tables);
    checker.sources_and_releases(tables);
    checker.gpus_and_support(tables);
    checker.drivers(tables);
    checker.frameworks_and_builds(tables);
    checker.channels_and_packages(tables);
    checker.faults.sort();
    checker.faults.dedup();
    checker.faults
}

/// Every name that may be used.
#[derive(Default)]
struct Names {
    sources: BTreeSet<String>,
    releases: Vec<Vec<u32>>,
    lines: BTreeSet<String>,
    gfx: BTreeSet<String>,
    products: BTreeSet<String>,
    groups: BTreeSet<String>,
    channels: BTreeSet<String>,
    frameworks: BTreeSet<String>,
    components: BTreeSet<String>,
}

impl Names {
    fn of(tables: &Tables, base: Option<&Tables>) -> Self {
        let mut names = Self::default();
        for tables in base.into_iter().chain([tables]) {
            names.add(tables);
        }
        names
    }

    fn add(&mut self, tables: &Tables) {
        self.sources.extend(tables.sources.source.iter().map(|row| row.key.clone()));
        let releases = tables.releases.release.iter();
        self.releases.extend(releases.filter_map(|row| numbers(&text(&row.version))));
        self.lines.extend(tables.releases.line.iter().map(|row| row.name.clone()));
        self.gfx.extend(tables.gfx.target.iter().map(|row| text(&row.name)));
        let products = tables.products.product.iter();
        self.products.extend(products.flat_map(|row| row.names.iter().cloned()));
        self.groups.extend(tables.product_support.group.iter().map(|row| row.name.clone()));
        self.channels.extend(tables.channels.channel.iter().map(|row| row.name.clone()));
        self.frameworks.extend(tables.frameworks.framework.iter().map(|row| row.name.clone()));
        self.components.extend(tables.components.component.iter().map(|row| row.name.clone()));
    }
}

/// Collects faults of one table after the other.
struct Checker {
    names: Names,
    table: &'static str,
    faults: Vec<Fault>,
}

impl Checker {
    fn names_once(&mut self, tables: &Tables) {
        self.once("sources", Kind::Source, tables.sources.source.iter().map(|row| &row.key));
        let releases = tables.releases.release.iter().map(|row| &row.version);
        self.once("releases", Kind::Release, releases);
        self.once("gfx", Kind::Gfx, tables.gfx.target.iter().map(|row| &row.name));
        let products = tables.products.product.iter().flat_map(|row| &row.names);
        self.once("products", Kind::Product, products);
        let channels = tables.channels.channel.iter().map(|row| &row.name);
        self.once("channels", Kind::Channel, channels);
        let frameworks = tables.frameworks.framework.iter().map(|row| &row.name);
        self.once("frameworks", Kind::Framework, frameworks);
        let components = tables.components.component.iter().map(|row| &row.name);
        self.once("components", Kind::Component, components);
        let combinations = tables.known_bad.combination.iter().map(|row| &row.id);
        self.once("known-bad", Kind::Combination, combinations);
        let files = tables.hashes.file.iter().map(|row| format!("{} {}", row.channel, row.file));
        self.once("hashes", Kind::File, files);
    }

    fn sources_and_releases(&mut self, tables: &Tables) {
        self.table = "sources";
        for row in &tables.sources.source {
            self.date(row.read.as_deref());
        }
        self.table = "releases";
        for row in &tables.releases.line {
            self.sourced(&row.source);
            self.releases(&row.versions);
            self.known(Kind::Line, row.continues_at.as_ref());
        }
        for row in &tables.releases.release {
            self.sourced(&row.source);
            self.date(row.date.as_deref());
            self.known(Kind::Line, [&row.line]);
        }
        self.table = "roadmap";
        for row in &tables.roadmap.entry {
            self.sourced(&row.source);
        }
        self.table = "env-vars";
        for row in &tables.env_vars.variable {
            self.sourced(&row.source);
        }
        self.table = "peaks";
        for row in &tables.peaks.peak {
            self.sourced(&row.source);
            self.known(Kind::Gfx, &row.gfx);
        }
        self.table = "pythons";
        for row in &tables.pythons.build {
            self.sourced(&row.source);
        }
        for row in &tables.pythons.named {
            self.sourced(&row.source);
        }
    }

    fn gpus_and_support(&mut self, tables: &Tables) {
        self.table = "gfx";
        for row in &tables.gfx.target {
            self.sourced(&row.source);
        }
        self.table = "products";
        for row in &tables.products.product {
            self.sourced(&row.source);
            self.known(Kind::Gfx, [&row.gfx]);
        }
        self.table = "product-support";
        for row in &tables.product_support.group {
            self.known(Kind::Product, &row.products);
        }
        for row in &tables.product_support.row {
            self.sourced(&row.source);
            self.release_text(&row.release);
            self.known(Kind::Group, &row.groups);
        }
        for row in &tables.product_support.added {
            self.sourced(&row.source);
            self.release_text(&row.release);
            self.known(Kind::Product, &row.products);
        }
        for release in &tables.product_support.closed {
            self.release_text(release);
        }
        self.table = "gpu-support";
        for row in tables.gpu_support.row.iter().chain(&tables.gpu_support.hip_sdk) {
            self.sourced(&row.source);
            self.releases([&row.release]);
            self.known(Kind::Gfx, &row.gfx);
        }
        for row in &tables.gpu_support.therock {
            self.sourced(&row.source);
            self.date(Some(&row.snapshot));
            self.known(Kind::Gfx, &row.gfx);
        }
        self.table = "os-support";
        for row in &tables.os_support.row {
            self.sourced(&row.source);
            self.releases(&row.releases);
            self.scope(&row.gpus);
        }
        for row in &tables.os_support.rdna35 {
            self.sourced(&row.source);
            self.releases(&row.releases);
            self.known(Kind::Gfx, &row.gfx);
        }
    }

    fn drivers(&mut self, tables: &Tables) {
        self.table = "drivers";
        let drivers = &tables.drivers;
        self.releases(&drivers.closed_rocm);
        for row in &drivers.matrix {
            self.sourced(&row.source);
            self.releases(&row.rocm);
        }
        for row in &drivers.listed {
            self.sourced(&row.source);
            self.releases([&row.rocm]);
            self.scope(&row.gpus);
        }
        for row in &drivers.per_gpu {
            self.sourced(&row.source);
            self.releases([&row.rocm]);
            self.known(Kind::Product, &row.products);
        }
        for row in &drivers.firmware {
            self.sourced(&row.source);
            self.releases([&row.rocm]);
            self.known(Kind::Product, &row.products);
        }
        let pairs = drivers.conflict.iter().map(|row| (&row.rocm, &row.source));
        let pairs = pairs.chain(drivers.avoid.iter().map(|row| (&row.rocm, &row.source)));
        let pairs = pairs.chain(drivers.unknown.iter().map(|row| (&row.rocm, &row.source)));
        let pairs = pairs.chain(drivers.pairing.iter().map(|row| (&row.rocm, &row.source)));
        let pairs = pairs.chain(drivers.number.iter().map(|row| (&row.shipped_with, &row.source)));
        let pairs = pairs.chain(drivers.windows.iter().map(|row| (&row.rocm, &row.source)));
        let pairs = pairs.chain(drivers.wsl_bridge.iter().map(|row| (&row.rocm, &row.source)));
        let pairs = pairs.chain(drivers.sriov_host.iter().map(|row| (&row.rocm, &row.source)));
        for (release, source) in pairs {
            self.sourced(source);
            self.releases([release]);
        }
        for row in &drivers.rule {
            self.sourced(&row.source);
        }
        self.table = "kernels";
        for row in &tables.kernels.driver_kind {
            self.sourced(&row.source);
            self.releases(&row.rocm);
        }
        for row in &tables.kernels.floor {
            self.sourced(&row.source);
            self.releases(&row.rocm);
        }
        for row in &tables.kernels.dkms {
            self.sourced(&row.source);
        }
        self.table = "known-bad";
        for row in &tables.known_bad.combination {
            self.sourced(&row.source);
            self.releases(&row.rocm);
            self.known(Kind::Gfx, &row.gfx);
        }
        for row in &tables.known_bad.r#override {
            self.sourced(&row.source);
            self.known(Kind::Gfx, &row.gfx);
        }
    }

    fn frameworks_and_builds(&mut self, tables: &Tables) {
        self.table = "frameworks";
        for row in &tables.frameworks.framework {
            self.sourced(&row.source);
        }
        for row in &tables.frameworks.closed {
            self.known(Kind::Framework, [&row.framework]);
            for release in &row.rocm {
                self.release_text(release);
            }
        }
        for row in &tables.frameworks.listed {
            self.sourced(&row.source);
            self.known(Kind::Framework, [&row.framework]);
            self.releases(&row.rocm);
            self.scope(&row.gpus);
        }
        for row in &tables.frameworks.pair {
            self.sourced(&row.source);
        }
        for (name, builds) in
            [("builds", &tables.builds), ("builds-general", &tables.builds_general)]
        {
            self.table = name;
            for row in &builds.build {
                self.sourced(&row.source);
                self.known(Kind::Channel, [&row.channel]);
                self.date(row.uploaded.as_deref());
            }
            for row in &builds.coverage {
                self.sourced(&row.source);
                self.known(Kind::Channel, [&row.channel]);
                self.known(Kind::Gfx, &row.gfx);
            }
            for row in &builds.vllm {
                self.sourced(&row.source);
            }
        }
        self.table = "hashes";
        for row in &tables.hashes.file {
            self.sourced(&row.source);
            self.known(Kind::Channel, [&row.channel]);
        }
    }

    fn channels_and_packages(&mut self, tables: &Tables) {
        self.table = "channels";
        for row in &tables.channels.channel {
            self.sourced(&row.source);
            self.releases(&row.rocm);
            self.known(Kind::Line, row.line.as_ref());
            self.known(Kind::Channel, row.continues_at.as_ref());
            for release in row.from.iter().chain(&row.until) {
                self.release_text(release);
            }
        }
        self.table = "components";
        for row in &tables.components.provides {
            self.sourced(&row.source);
            self.known(Kind::Component, [&row.component]);
            self.known(Kind::Channel, [&row.channel]);
        }
        for row in &tables.components.suite_libc {
            self.sourced(&row.source);
        }
        self.table = "bindings";
        let bindings = &tables.bindings;
        for row in &bindings.binding {
            self.sourced(&row.source);
            self.releases(&row.rocm);
            self.known(Kind::Channel, row.alternatives.iter().chain([&row.channel]));
        }
        for row in &bindings.provider {
            self.sourced(&row.source);
            self.known(Kind::Channel, &row.channels);
        }
        for row in &bindings.device {
            self.sourced(&row.source);
            self.releases(&row.rocm);
            self.known(Kind::Gfx, &row.gfx);
        }
        for row in &bindings.family {
            self.sourced(&row.source);
            self.known(Kind::Framework, [&row.name]);
            self.releases(&row.rocm);
        }
        for row in &bindings.runpath {
            self.sourced(&row.source);
            self.releases(&row.rocm);
        }
        let sources = bindings.placeholder.iter().map(|row| &row.source);
        let sources = sources.chain(bindings.other_accelerator.iter().map(|row| &row.source));
        let sources = sources.chain(bindings.meta.iter().map(|row| &row.source));
        for source in sources {
            self.sourced(source);
        }
    }

    fn sourced(&mut self, keys: &SourceKeys) {
        let keys: Vec<String> = keys.keys().map(str::to_owned).collect();
        self.known(Kind::Source, &keys);
    }

    fn known<T: Display>(&mut self, kind: Kind, names: impl IntoIterator<Item = T>) {
        for name in names {
            let name = name.to_string();
            let set = match kind {
                Kind::Source => &self.names.sources,
                Kind::Line => &self.names.lines,
                Kind::Gfx => &self.names.gfx,
                Kind::Product => &self.names.products,
                Kind::Group => &self.names.groups,
                Kind::Channel => &self.names.channels,
                Kind::Framework => &self.names.frameworks,
                Kind::Component => &self.names.components,
                Kind::Release | Kind::Combination | Kind::File => continue,
            };
            if !set.contains(&name) {
                self.faults.push(Fault::Unknown { table: self.table, kind, name });
            }
        }
    }

    fn releases<'a>(&mut self, patterns: impl IntoIterator<Item = &'a Pattern>) {
        for pattern in patterns {
            let is_known = *pattern == Pattern::Any
                || self.names.releases.iter().any(|release| pattern.contains(release));
            if !is_known {
                let name = pattern.to_string();
                self.faults.push(Fault::Unknown { table: self.table, kind: Kind::Release, name });
            }
        }
    }

    fn release_text(&mut self, release: &impl Display) {
        let name = text(release);
        let parts = numbers(&name);
        let is_known = parts.is_some_and(|parts| {
            self.names.releases.iter().any(|known| Pattern::Exact(parts.clone()).contains(known))
        });
        if !is_known {
            self.faults.push(Fault::Unknown { table: self.table, kind: Kind::Release, name });
        }
    }

    fn scope(&mut self, scope: &GpuScope) {
        self.known(Kind::Product, scope.products.iter().chain(&scope.except));
        self.known(Kind::Gfx, scope.gfx.iter().chain(&scope.not_gfx));
    }

    fn date(&mut self, day: Option<&str>) {
        let Some(day) = day else { return };
        let is_day = day.len() == 10
            && day.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !is_day {
            self.faults.push(Fault::Date { table: self.table, text: day.to_owned() });
        }
    }

    fn once<T: Display>(
        &mut self,
        table: &'static str,
        kind: Kind,
        names: impl IntoIterator<Item = T>,
    ) {
        let mut seen = BTreeSet::new();
        for name in names {
            let name = name.to_string();
            if !seen.insert(name.clone()) {
                self.faults.push(Fault::Twice { table, kind, name });
            }
        }
    }
}

fn text(value: &impl Display) -> String {
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Registry;

    fn faults(break_it: impl FnOnce(&mut Tables)) -> Vec<String> {
        let mut tables = Registry::all_embedded();
        break_it(&mut tables);
        validate(&tables, None).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_embedded_tables_are_consistent() {
        assert_eq!(faults(|_| ()), Vec::<String>::new());
    }

    #[test]
    fn a_reference_to_nothing_is_a_fault() {
        let found = faults(|tables| {
            tables.gpu_support.row[0].gfx.push("gfx1999".parse().unwrap());
            tables.drivers.matrix[0].rocm.push("8.0.x".parse().unwrap());
            tables.builds.build[0].channel = "amd-whl-last".to_owned();
            tables.roadmap.entry[0].source = "hearsay".to_owned().try_into().unwrap();
            tables.os_support.row[0].gpus.products.push("AMD Instinct MI9".to_owned());
            tables.frameworks.listed[0].framework = "theano".to_owned();
        });
        assert_eq!(
            found,
            [
                "builds: `amd-whl-last` is not a known channel",
                "drivers: `8.0.x` is not a known release",
                "frameworks: `theano` is not a known framework",
                "gpu-support: `gfx1999` is not a known gfx target",
                "os-support: `AMD Instinct MI9` is not a known product",
                "roadmap: `hearsay` is not a known source",
            ]
        );
    }

    #[test]
    fn a_name_twice_and_a_day_that_is_none_are_faults() {
        let found = faults(|tables| {
            let again = tables.releases.release[0].clone();
            tables.releases.release.push(again);
            tables.releases.release[1].date = Some("August 2026".to_owned());
        });
        assert_eq!(
            found,
            [
                "releases: release `10.1.0` is there twice",
                "releases: `August 2026` is not a day (YYYY-MM-DD)",
            ]
        );
    }
}
