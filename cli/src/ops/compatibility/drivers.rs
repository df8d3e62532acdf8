//! Drivers with every release: AMD's on Linux, Adrenalin on Windows and under WSL2.
//!
//! The kernel's own driver has no row: AMD's windows say nothing of it.

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::registry::rows::drivers::DriverList;
use rocmenv_manifests::registry::rows::gpus::GpuScope;
use rocmenv_manifests::registry::{DriverPattern, KnownGpu, Registry};
use rocmenv_manifests::version::{DriverVersion, RocmVersion};

use super::{Maker, NamedDriver, Row};

/// A driver as a question.
pub(super) struct Driver {
    version: DriverVersion,
    platform: &'static str,
}

/// The drivers that some table names, newest first: exact releases, and series that no exact
/// release is known of.
pub(super) fn drivers(registry: &Registry) -> Vec<(Driver, NamedDriver)> {
    let table = registry.drivers();
    let numbers = table.number.iter().filter_map(|row| row.release.as_ref());
    let listed = table.listed.iter().flat_map(|row| &row.drivers);
    let per_gpu = table.per_gpu.iter().flat_map(|row| &row.drivers);
    let matrix = table.matrix.iter().map(|row| &row.driver);
    let conflict = table.conflict.iter().map(|row| &row.driver);
    let patterns: Vec<&DriverPattern> =
        numbers.chain(listed).chain(per_gpu).chain(matrix).chain(conflict).collect();
    let mut exact: BTreeSet<Vec<u32>> =
        table.pairing.iter().map(|row| row.driver.parts().to_vec()).collect();
    for pattern in &patterns {
        match pattern {
            DriverPattern::Exact(parts) => {
                exact.insert(parts.clone());
            }
            DriverPattern::Range(low, high) => {
                exact.insert(low.clone());
                exact.insert(high.clone());
            }
            DriverPattern::Any | DriverPattern::Series(_) => {}
        }
    }
    let mut all: Vec<(Vec<u32>, String)> =
        exact.iter().map(|parts| (parts.clone(), joined(parts))).collect();
    let is_series = |pattern: &&&DriverPattern| matches!(pattern, DriverPattern::Series(_));
    let series: BTreeSet<&&DriverPattern> = patterns.iter().filter(is_series).collect();
    let unnamed = series.into_iter().filter(|one| !exact.iter().any(|own| one.contains(own)));
    all.extend(unnamed.map(|one| (one.lowest().to_vec(), one.to_string())));
    all.sort_by(|a, b| b.cmp(a));
    let linux = all.into_iter().filter_map(|(parts, name)| {
        let version = joined(&parts).parse().ok()?;
        Some((Driver { version, platform: "linux" }, NamedDriver { name, platform: "linux" }))
    });
    linux.chain(windows(registry)).collect()
}

fn windows(registry: &Registry) -> Vec<(Driver, NamedDriver)> {
    let mut rows: Vec<(&'static str, &DriverVersion)> = registry
        .drivers()
        .windows
        .iter()
        .map(|row| (if row.scope == "wsl" { "wsl" } else { "windows" }, &row.driver))
        .collect();
    rows.sort_by(|a, b| (a.0, b.1.parts()).cmp(&(b.0, a.1.parts())));
    rows.dedup();
    let one = |(platform, version): (&'static str, &DriverVersion)| {
        let name = format!("Adrenalin {version}");
        (Driver { version: version.clone(), platform }, NamedDriver { name, platform })
    };
    rows.into_iter().map(one).collect()
}

impl Maker<'_> {
    /// Every driver; with a GPU only where a list is for some GPUs or a driver is to be avoided.
    pub(super) fn driver_cells(
        &mut self,
        drivers: &[Driver],
        gpu: Option<&KnownGpu>,
    ) -> BTreeMap<usize, Row> {
        let mut cells = BTreeMap::new();
        for (place, driver) in drivers.iter().enumerate() {
            let is_amd = driver.platform == "linux";
            if gpu.is_some() && !is_amd {
                continue;
            }
            let mut row = Row::new();
            for (at, rocm) in self.releases.iter().enumerate() {
                if gpu.is_some() && !self.is_scoped_driver(driver, rocm) {
                    continue;
                }
                let judged = if is_amd {
                    self.registry.driver_with_rocm(&driver.version, rocm, gpu)
                } else {
                    let wsl = driver.platform == "wsl";
                    self.registry.windows_driver_with_rocm(&driver.version, rocm, wsl)
                };
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

    /// Whether some GPU changes what is said of a driver with a release.
    fn is_scoped_driver(&self, driver: &Driver, rocm: &RocmVersion) -> bool {
        let table = self.registry.drivers();
        let parts = driver.version.parts();
        let release = rocm.dotted();
        let release = release.parts();
        let scoped = |row: &DriverList| row.gpus != GpuScope::default();
        table.avoid.iter().any(|row| row.driver.contains(parts) && row.rocm.contains(release))
            || table.per_gpu.iter().any(|row| row.rocm.contains(release))
            || table.listed.iter().any(|row| scoped(row) && row.rocm.contains(release))
    }
}

fn joined(parts: &[u32]) -> String {
    let parts: Vec<String> = parts.iter().map(u32::to_string).collect();
    parts.join(".")
}
