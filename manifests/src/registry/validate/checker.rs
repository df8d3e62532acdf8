//! The names that exist, and the single questions that each row is asked.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::super::pattern::{Pattern, numbers};
use super::super::rows::gpus::GpuScope;
use super::super::rows::sources::SourceKeys;
use super::super::tables::Tables;
use super::{Fault, Kind};

/// Collects faults of one table after the other.
pub(super) struct Checker {
    names: Names,
    /// The table whose rows are being asked.
    pub(super) table: &'static str,
    faults: Vec<Fault>,
}

impl Checker {
    pub(super) fn new(tables: &Tables, base: Option<&Tables>) -> Self {
        Self { names: Names::of(tables, base), table: "", faults: Vec::new() }
    }

    pub(super) fn into_faults(mut self) -> Vec<Fault> {
        self.faults.sort();
        self.faults.dedup();
        self.faults
    }

    pub(super) fn sourced(&mut self, keys: &SourceKeys) {
        let keys: Vec<String> = keys.keys().map(str::to_owned).collect();
        self.known(Kind::Source, &keys);
    }

    pub(super) fn known<T: Display>(&mut self, kind: Kind, names: impl IntoIterator<Item = T>) {
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

    pub(super) fn releases<'a>(&mut self, patterns: impl IntoIterator<Item = &'a Pattern>) {
        for pattern in patterns {
            let is_known = *pattern == Pattern::Any
                || self.names.releases.iter().any(|release| pattern.contains(release));
            if !is_known {
                let name = pattern.to_string();
                self.faults.push(Fault::Unknown { table: self.table, kind: Kind::Release, name });
            }
        }
    }

    pub(super) fn release_text(&mut self, release: &impl Display) {
        let name = text(release);
        let parts = numbers(&name);
        let is_known = parts.is_some_and(|parts| {
            self.names.releases.iter().any(|known| Pattern::Exact(parts.clone()).contains(known))
        });
        if !is_known {
            self.faults.push(Fault::Unknown { table: self.table, kind: Kind::Release, name });
        }
    }

    pub(super) fn scope(&mut self, scope: &GpuScope) {
        self.known(Kind::Product, scope.products.iter().chain(&scope.except));
        self.known(Kind::Gfx, scope.gfx.iter().chain(&scope.not_gfx));
    }

    pub(super) fn date(&mut self, day: Option<&str>) {
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

    pub(super) fn once<T: Display>(
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

fn text(value: &impl Display) -> String {
    value.to_string()
}
