//! Products on systems, and systems alone, with every release.

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::registry::rows::support::{OsSupport, Platform, SystemName};
use rocmenv_manifests::registry::{KnownGpu, Registry, System};
use rocmenv_manifests::version::RocmVersion;

use super::{Maker, NamedSystem, Row};

/// The systems that some table names, as questions and as they are shown; Linux first.
pub(super) fn systems(registry: &Registry) -> Vec<(System, NamedSystem)> {
    let products = registry.product_support().row.iter().map(|row| &row.os);
    let names: BTreeSet<&SystemName> =
        registry.os_support().row.iter().map(|row| &row.os).chain(products).collect();
    let mut all: Vec<(System, NamedSystem)> = names
        .into_iter()
        .filter_map(|name| {
            let wsl = name.is_wsl();
            let os = name.0.strip_prefix("wsl-").unwrap_or(&name.0).parse().ok()?;
            let system = System { os, wsl };
            let platform = word(system.platform());
            Some((system, NamedSystem { name: name.0.clone(), platform }))
        })
        .collect();
    all.sort_by_key(|(system, named)| (rank(system.platform()), named.name.clone()));
    all
}

/// Every product, and every target that no product is known of.
pub(super) fn gpus(registry: &Registry) -> Vec<KnownGpu> {
    let products = registry.products().product.iter();
    let mut all: Vec<KnownGpu> = products
        .flat_map(|row| {
            row.names.iter().map(|name| KnownGpu {
                gfx: row.gfx,
                product: Some(name.clone()),
                class: Some(row.class),
            })
        })
        .collect();
    let known: BTreeSet<_> = all.iter().map(|gpu| gpu.gfx).collect();
    let alone = registry.gfx().target.iter().filter(|row| !known.contains(&row.name));
    all.extend(alone.map(|row| registry.gpu_of_target(row.name)));
    all
}

impl Maker<'_> {
    /// A GPU on every system. Where a release has no table of products, systems of a platform
    /// are judged alike, so that one of them is asked for all.
    pub(super) fn gpu_cells(&mut self, gpu: &KnownGpu) -> BTreeMap<usize, Row> {
        let mut cells: BTreeMap<usize, Row> = BTreeMap::new();
        for at in 0..self.releases.len() {
            let rocm = &self.releases[at];
            let is_per_product =
                self.registry.product_support().row.iter().any(|row| row.release == *rocm);
            let mut asked: BTreeMap<u8, Option<usize>> = BTreeMap::new();
            for (place, system) in self.systems.iter().enumerate() {
                let judge = || self.registry.gpu_on_system(gpu, system, rocm);
                let found = if is_per_product {
                    self.ledger.place(judge())
                } else {
                    let ledger = &mut self.ledger;
                    *asked.entry(rank(system.platform())).or_insert_with(|| ledger.place(judge()))
                };
                if found.is_some() {
                    cells.entry(place).or_default().push((at, found));
                }
            }
        }
        cells
    }

    /// Every system for a GPU. Products that every row treats alike are asked of once.
    pub(super) fn system_cells_of(&mut self, gpu: &KnownGpu) -> BTreeMap<usize, Row> {
        let names = |row: &&OsSupport| {
            let scope = &row.gpus;
            gpu.product.as_ref().is_some_and(|product| {
                scope.products.contains(product) || scope.except.contains(product)
            })
        };
        let is_named = self.scoped.iter().any(names);
        let key = (gpu.gfx, gpu.class, gpu.product.clone().filter(|_| is_named));
        if let Some(known) = self.systems_of_alike.get(&key) {
            return known.clone();
        }
        let cells = self.system_cells(Some(gpu));
        self.systems_of_alike.insert(key, cells.clone());
        cells
    }

    /// Every system; with a GPU only where a row is for some GPUs, as the others say the same.
    pub(super) fn system_cells(&mut self, gpu: Option<&KnownGpu>) -> BTreeMap<usize, Row> {
        let mut cells = BTreeMap::new();
        for (place, system) in self.systems.iter().enumerate() {
            let mut row = Row::new();
            for (at, rocm) in self.releases.iter().enumerate() {
                if gpu.is_some() && !self.is_scoped(system, rocm) {
                    continue;
                }
                let judged = self.registry.system_with_rocm(system, rocm, gpu);
                let found = self.ledger.place(judged);
                if found.is_some() || gpu.is_some() {
                    row.push((at, found));
                }
            }
            if !row.is_empty() {
                cells.insert(place, row);
            }
        }
        cells
    }

    /// Whether a row for some GPUs may speak of a system with a release.
    fn is_scoped(&self, system: &System, rocm: &RocmVersion) -> bool {
        let release = rocm.dotted();
        self.scoped.iter().any(|row| {
            row.os.distribution() == system.os.distribution
                && row.os.is_wsl() == system.wsl
                && row.releases.iter().any(|own| own.contains(release.parts()))
        })
    }
}

/// The word of a platform.
pub(super) fn word(platform: Platform) -> &'static str {
    match platform {
        Platform::Linux => "linux",
        Platform::Windows => "windows",
        Platform::Wsl => "wsl",
    }
}

fn rank(platform: Platform) -> u8 {
    match platform {
        Platform::Linux => 0,
        Platform::Wsl => 1,
        Platform::Windows => 2,
    }
}

/// The releases that some pattern holds.
pub(super) fn holds(
    patterns: &[rocmenv_manifests::registry::ReleasePattern],
    releases: &[RocmVersion],
) -> Vec<String> {
    let named = |rocm: &&RocmVersion| {
        let parts = rocm.dotted();
        patterns.iter().any(|own| own.contains(parts.parts()))
    };
    releases.iter().filter(named).map(ToString::to_string).collect()
}
