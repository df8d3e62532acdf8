//! Versions of frameworks with every release, on each platform and for each Python.

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::python::Version;
use rocmenv_manifests::registry::rows::frameworks::FrameworkRow;
use rocmenv_manifests::registry::rows::gpus::GpuScope;
use rocmenv_manifests::registry::rows::support::Platform;
use rocmenv_manifests::registry::{FrameworkQuestion, KnownGpu, Registry};
use rocmenv_manifests::version::RocmVersion;

use super::gpus::word;
use super::{Maker, NamedFramework, Row, pythons};

/// A framework with its versions, newest first.
pub(super) type Versions<'r> = Vec<(&'r FrameworkRow, Vec<Version>)>;

/// The versions that some list names or some build has.
pub(super) fn versions(registry: &Registry) -> Versions<'_> {
    let of = |row: &FrameworkRow| {
        let listed = registry.frameworks().listed.iter().filter(|one| one.framework == row.name);
        let listed = listed.flat_map(|one| &one.versions).filter_map(|text| text.parse().ok());
        let mut all: BTreeSet<Version> = listed.collect();
        for release in &registry.releases().release {
            let builds = registry.builds_for(row, &release.version);
            all.extend(builds.iter().filter_map(|build| build.public_version()));
        }
        all.into_iter().rev().collect()
    };
    let rows = registry.frameworks().framework.iter().map(|row| (row, of(row)));
    rows.filter(|(_, versions): &(_, Vec<Version>)| !versions.is_empty()).collect()
}

/// As they are shown.
pub(super) fn named(versions: &Versions<'_>) -> Vec<NamedFramework> {
    let one = |(row, versions): &(&FrameworkRow, Vec<Version>)| NamedFramework {
        title: row.title.clone(),
        versions: versions.iter().map(ToString::to_string).collect(),
    };
    versions.iter().map(one).collect()
}

impl Maker<'_> {
    /// Every version for a GPU, as far as a list is for some GPUs. Products that every such list
    /// treats alike are asked of once.
    pub(super) fn framework_cells_of(
        &mut self,
        versions: &Versions<'_>,
        gpu: &KnownGpu,
    ) -> BTreeMap<String, Row> {
        let names = self
            .registry
            .frameworks()
            .listed
            .iter()
            .flat_map(|row| row.gpus.products.iter().chain(&row.gpus.except));
        let is_named =
            gpu.product.as_ref().filter(|product| names.into_iter().any(|one| one == *product));
        let key = (gpu.gfx, gpu.class, is_named.cloned());
        if let Some(known) = self.frameworks_of_alike.get(&key) {
            return known.clone();
        }
        let cells = self.framework_cells(versions, Some(gpu));
        self.frameworks_of_alike.insert(key, cells.clone());
        cells
    }

    /// Every version; with a GPU only where a list is for some GPUs.
    pub(super) fn framework_cells(
        &mut self,
        versions: &Versions<'_>,
        gpu: Option<&KnownGpu>,
    ) -> BTreeMap<String, Row> {
        let mut cells: BTreeMap<String, Row> = BTreeMap::new();
        let series = pythons(self.registry);
        for (place, (framework, versions)) in versions.iter().enumerate() {
            for at in 0..self.releases.len() {
                let rocm = self.releases[at].clone();
                if !self.says_something(framework, &rocm, gpu) {
                    continue;
                }
                for version in versions {
                    for platform in PLATFORMS {
                        let asked = FrameworkQuestion {
                            framework: &framework.name,
                            version,
                            rocm: &rocm,
                            platform: Some(platform),
                            python: None,
                            gpu,
                        };
                        self.judge(&mut cells, (place, at), asked, &series);
                    }
                }
            }
        }
        cells
    }

    /// One version on one platform: any Python, then those that change the answer.
    fn judge(
        &mut self,
        cells: &mut BTreeMap<String, Row>,
        (framework, at): (usize, usize),
        asked: FrameworkQuestion<'_>,
        series: &[String],
    ) {
        let platform = asked.platform.map_or("", word);
        let key = |python: &str| format!("{framework}|{}|{platform}|{python}", asked.version);
        let any = self.ledger.place(self.registry.framework_with_rocm(&asked));
        if any.is_none() {
            return;
        }
        cells.entry(key("")).or_default().push((at, any));
        // what no Python may use, a named one may not
        let is_refused = any.is_some_and(|place| self.ledger.verdict(place).refuses());
        for python in series {
            let asked = FrameworkQuestion { python: Some(python), ..asked };
            let found = if is_refused {
                any
            } else {
                self.ledger.place(self.registry.framework_with_rocm(&asked))
            };
            // with a GPU every Python is said: what differs is found by comparing
            if found != any || asked.gpu.is_some() {
                cells.entry(key(python)).or_default().push((at, found));
            }
        }
    }

    /// Whether any list or build is there to judge by.
    fn says_something(
        &self,
        framework: &FrameworkRow,
        rocm: &RocmVersion,
        gpu: Option<&KnownGpu>,
    ) -> bool {
        let rows = self.registry.listed_for(&framework.name, rocm, None);
        if gpu.is_some() {
            return rows.iter().any(|row| row.gpus != GpuScope::default());
        }
        !rows.is_empty()
            || self.registry.is_closed(&framework.name, rocm)
            || !self.registry.builds_for(framework, rocm).is_empty()
    }
}

const PLATFORMS: [Platform; 3] = [Platform::Linux, Platform::Windows, Platform::Wsl];
