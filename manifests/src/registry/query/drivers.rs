//! AMD's Linux driver and ROCm, in both directions, and the driver's three numbers.
//!
//! Closed: AMD's matrix, for the driver and ROCm series that it names. Open: everything else,
//! such as a preview driver or a release newer than the matrix.

use crate::version::{Dotted, DriverVersion, RocmVersion};

use super::super::loader::Registry;
use super::super::pattern::DriverPattern;
use super::super::rows::drivers::DriverNumber;
use super::super::verdict::{Evidence, Judgement, Reason, Verdict};
use super::gpus::{Covers, KnownGpu};

/// AMD's release of a driver that is known by its module version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleRelease<'r> {
    /// The release, exact (`30.20.1`) or a group (`6.4.x`).
    pub release: &'r DriverPattern,
    /// The row.
    pub row: &'r DriverNumber,
}

impl Registry {
    /// AMD's driver of a release with a ROCm release. A GPU narrows lists that are per product.
    pub fn driver_with_rocm(
        &self,
        driver: &DriverVersion,
        rocm: &RocmVersion,
        gpu: Option<&KnownGpu>,
    ) -> Judgement {
        let release = rocm.dotted();
        let (driver, rocm_parts) = (driver.parts(), release.parts());
        let table = self.drivers();
        let in_matrix: Vec<Evidence> = table
            .matrix
            .iter()
            .filter(|row| row.driver.contains(driver))
            .filter(|row| row.rocm.iter().any(|rocm| rocm.contains(rocm_parts)))
            .flat_map(|row| self.evidence(&row.source, "", &None))
            .collect();
        let by_release: Vec<Evidence> = table
            .listed
            .iter()
            .filter(|row| row.rocm.contains(rocm_parts))
            .filter(|row| row.drivers.iter().any(|own| own.contains(driver)))
            .filter(|row| gpu.is_none_or(|gpu| self.covers(&row.gpus, gpu) != Covers::No))
            .flat_map(|row| self.evidence(&row.source, "", &None))
            .collect();
        let products = self.products_with_driver(driver, rocm_parts);
        let per_product: Vec<Evidence> = match gpu.and_then(|gpu| gpu.product.as_ref()) {
            Some(product) => {
                products.iter().filter(|(own, _)| own == product).map(|(_, e)| e.clone()).collect()
            }
            None => Vec::new(),
        };
        let absent_from = self.matrix_without(driver, rocm_parts).filter(|_| in_matrix.is_empty());
        let listed: Vec<Evidence> = [in_matrix, by_release, per_product].concat();
        if !listed.is_empty() {
            let against = absent_from.map_or_else(Vec::new, |(evidence, _)| evidence);
            let more = self.driver_caution(driver, rocm_parts, gpu);
            return Judgement::new(Verdict::Listed, Reason::Listed(more), unique(listed))
                .contradicted_by(against);
        }
        let disagreement: Vec<Evidence> = table
            .conflict
            .iter()
            .filter(|row| row.driver.contains(driver) && row.rocm.contains(rocm_parts))
            .filter(|row| row.status == "conflict")
            .flat_map(|row| self.evidence(&row.source, &row.notes, &None))
            .collect();
        let names_product = gpu.is_some_and(|gpu| gpu.product.is_some());
        let some_say_yes = !products.is_empty() || !disagreement.is_empty();
        if some_say_yes && !names_product {
            if products.is_empty() {
                let what = format!("driver {} with ROCm {rocm}", join(driver));
                let reason = Reason::Disputed(what);
                return Judgement::new(Verdict::NotKnown, reason, disagreement.clone())
                    .contradicted_by(disagreement);
            }
            let mut names: Vec<String> = products.iter().map(|(name, _)| name.clone()).collect();
            names.dedup();
            let evidence = unique(products.into_iter().map(|(_, evidence)| evidence).collect());
            let against = absent_from.map_or(disagreement, |(evidence, _)| evidence);
            let reason = Reason::OnlyFor(names);
            return Judgement::new(Verdict::NotKnown, reason, evidence).contradicted_by(against);
        }
        if let Some((evidence, instead)) = absent_from {
            let list = "AMD's matrix of driver and ROCm".to_owned();
            return Judgement::new(
                Verdict::StatedNo,
                Reason::NotInList { list, instead },
                evidence,
            );
        }
        let unknown = table
            .unknown
            .iter()
            .filter(|row| row.driver.contains(driver) && row.rocm.contains(rocm_parts))
            .flat_map(|row| self.evidence(&row.source, &row.notes, &None));
        let what = format!("driver {} with ROCm {rocm}", join(driver));
        Judgement::new(Verdict::NotKnown, Reason::NothingRead(what), unknown.collect())
    }

    /// The drivers that AMD's matrix lists for a release, oldest first.
    pub fn drivers_for(&self, rocm: &RocmVersion) -> Vec<&DriverPattern> {
        let release = rocm.dotted();
        let rows = self.drivers().matrix.iter();
        let mut found: Vec<_> = rows
            .filter(|row| row.rocm.iter().any(|own| own.contains(release.parts())))
            .map(|row| &row.driver)
            .collect();
        found.sort_by_key(|pattern| pattern.lowest().to_vec());
        found.dedup();
        found
    }

    /// The newest release of the same line, this one or an earlier one, that AMD's table of drivers
    /// speaks of. A release without a row of its own needs at least what that one does, because
    /// the windows only ever move forward.
    pub fn release_with_drivers(&self, rocm: &RocmVersion) -> Option<&RocmVersion> {
        let line = self.line_of(rocm)?;
        let is_told = |other: &&RocmVersion| {
            *other <= rocm
                && self.line_of(other).is_some_and(|other| other.name == line.name)
                && !self.drivers_for(other).is_empty()
        };
        self.releases().release.iter().map(|release| &release.version).filter(is_told).max()
    }

    /// AMD's release of the driver with this module version and, where known, dkms build id.
    pub fn release_of_module(
        &self,
        module: &Dotted,
        dkms_build: Option<&str>,
    ) -> Option<ModuleRelease<'_>> {
        let rows = || self.drivers().number.iter().filter(|row| row.module == *module);
        let by_build =
            rows().find(|row| dkms_build.is_some() && row.dkms_build.as_deref() == dkms_build);
        let row = by_build.or_else(|| rows().next())?;
        row.release.as_ref().map(|release| ModuleRelease { release, row })
    }

    /// A driver that is known by its module version with a ROCm release. A module version that
    /// no row maps is not known, and never compared with anything.
    pub fn module_with_rocm(
        &self,
        module: &Dotted,
        dkms_build: Option<&str>,
        rocm: &RocmVersion,
        gpu: Option<&KnownGpu>,
    ) -> Judgement {
        let Some(known) = self.release_of_module(module, dkms_build) else {
            let what = format!("the AMD release of driver module {module}");
            return Judgement::new(Verdict::NotKnown, Reason::NothingRead(what), Vec::new());
        };
        let Ok(release) = join(known.release.lowest()).parse::<DriverVersion>() else {
            let what = format!("the AMD release of driver module {module}");
            return Judgement::new(Verdict::NotKnown, Reason::NothingRead(what), Vec::new());
        };
        let mut judgement = self.driver_with_rocm(&release, rocm, gpu);
        let said = format!("module {module} is driver {}", known.release);
        judgement.evidence.extend(self.evidence(&known.row.source, &said, &known.row.confidence));
        judgement
    }

    /// Products for which release notes list the driver.
    fn products_with_driver(&self, driver: &[u32], rocm: &[u32]) -> Vec<(String, Evidence)> {
        let rows = self.drivers().per_gpu.iter();
        rows.filter(|row| row.rocm.contains(rocm))
            .filter(|row| row.drivers.iter().any(|own| own.contains(driver)))
            .flat_map(|row| {
                let evidence = self.evidence(&row.source, "per-GPU list", &None);
                row.products.iter().flat_map(move |product| {
                    evidence.clone().into_iter().map(|one| (product.clone(), one))
                })
            })
            .collect()
    }

    /// The matrix, where it is complete for both sides: who says so, and what it has for the
    /// driver.
    fn matrix_without(&self, driver: &[u32], rocm: &[u32]) -> Option<(Vec<Evidence>, Vec<String>)> {
        let table = self.drivers();
        let is_closed = table.closed_rocm.iter().any(|own| own.contains(rocm));
        let rows: Vec<_> = table.matrix.iter().filter(|row| row.driver.contains(driver)).collect();
        if !is_closed || rows.is_empty() {
            return None;
        }
        let evidence = rows.iter().flat_map(|row| self.evidence(&row.source, "", &None));
        let releases = rows.iter().flat_map(|row| &row.rocm);
        let instead = releases.map(|release| format!("ROCm {release}")).collect();
        Some((unique(evidence.collect()), instead))
    }

    fn driver_caution(&self, driver: &[u32], rocm: &[u32], gpu: Option<&KnownGpu>) -> String {
        let product = gpu.and_then(|gpu| gpu.product.as_deref()).unwrap_or_default();
        let concerns = |scope: &str| {
            product
                .rsplit(' ')
                .next()
                .is_some_and(|model| !model.is_empty() && scope.contains(model))
        };
        let row = self.drivers().avoid.iter().find(|row| {
            row.driver.contains(driver) && row.rocm.contains(rocm) && concerns(&row.scope)
        });
        row.map_or_else(String::new, |row| format!("listed, to be avoided in {}", row.scope))
    }
}

fn unique(mut evidence: Vec<Evidence>) -> Vec<Evidence> {
    let mut seen = std::collections::HashSet::new();
    evidence.retain(|one| seen.insert(one.clone()));
    evidence
}

fn join(parts: &[u32]) -> String {
    let parts: Vec<_> = parts.iter().map(u32::to_string).collect();
    parts.join(".")
}
