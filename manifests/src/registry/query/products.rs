//! GPU x operating system x release.
//!
//! Closed: product x system for the releases that `product-support.toml` says. A product that
//! its table does not have at all is not AMD's to refuse: there TheRock's builds count. Open: gfx
//! x system of other releases.

use crate::version::RocmVersion;

use super::super::loader::Registry;
use super::super::rows::gpus::GpuClass;
use super::super::rows::support::{Platform, ProductSupport, SupportStatus, SystemName};
use super::super::verdict::{Evidence, Judgement, Reason, Verdict};
use super::gpus::KnownGpu;
use super::system::System;

impl Registry {
    /// A GPU on a system with a release.
    pub fn gpu_on_system(&self, gpu: &KnownGpu, system: &System, rocm: &RocmVersion) -> Judgement {
        let has_products = self.product_support().row.iter().any(|row| row.release == *rocm);
        let judgement = match (&gpu.product, has_products) {
            (Some(product), true) => self
                .product_on_system(product, system, rocm)
                .or_else(|| self.product_outside_table(gpu, system, rocm)),
            (None, true) => self.target_on_system(gpu, system, rocm),
            (_, false) => self.target_by_platform(gpu, system, rocm),
        };
        let judgement = judgement.unwrap_or_else(|| self.built_by_the_rock(gpu, system, rocm));
        let against = self.disputed_target(gpu);
        if against.is_empty() { judgement } else { judgement.contradicted_by(against) }
    }

    /// The systems for which a release lists a product.
    pub fn systems_of_product(&self, product: &str, rocm: &RocmVersion) -> Vec<&SystemName> {
        let rows = self.product_rows(product, rocm);
        rows.into_iter().map(|row| &row.os).collect()
    }

    fn product_on_system(
        &self,
        product: &str,
        system: &System,
        rocm: &RocmVersion,
    ) -> Option<Judgement> {
        let rows = self.product_rows(product, rocm);
        let (here, elsewhere): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| system.is(&row.os));
        if !here.is_empty() {
            return Some(self.listed_on(&here));
        }
        let added = self
            .product_support()
            .added
            .iter()
            .find(|row| row.release == *rocm && row.products.iter().any(|own| own == product));
        if let Some(row) = added {
            let evidence = self.evidence(&row.source, &row.notes, &None);
            let what = format!("the systems of {product} with ROCm {rocm}");
            return Some(Judgement::new(Verdict::NotKnown, Reason::NothingRead(what), evidence));
        }
        let row = elsewhere.first()?;
        let evidence = self.evidence(&row.source, &row.notes, &row.confidence);
        let instead = elsewhere.iter().map(|row| row.os.0.clone()).collect();
        let list = format!("AMD's table of products and systems for {rocm}");
        let closed = self.product_support().closed.contains(rocm);
        let verdict = if closed { Verdict::StatedNo } else { Verdict::NotKnown };
        Some(Judgement::new(verdict, Reason::NotInList { list, instead }, evidence))
    }

    /// A product that the table of products does not have: what the gfx table says no to is a
    /// no; what it says yes to it says of other products.
    fn product_outside_table(
        &self,
        gpu: &KnownGpu,
        system: &System,
        rocm: &RocmVersion,
    ) -> Option<Judgement> {
        let judged = self.target_by_platform(gpu, system, rocm)?;
        if judged.verdict.refuses() {
            return Some(judged);
        }
        let names = self.products_of(gpu.gfx).flat_map(|row| &row.names);
        let listed = names.filter(|name| !self.product_rows(name, rocm).is_empty()).cloned();
        let reason = Reason::OtherProductOfTarget(listed.collect());
        Some(Judgement::new(Verdict::BuiltNotListed, reason, judged.evidence))
    }

    /// The documents that give a product another target.
    fn disputed_target(&self, gpu: &KnownGpu) -> Vec<Evidence> {
        let rows = self.products_of(gpu.gfx).filter(|row| {
            let is_it = gpu.product.as_ref().is_some_and(|name| row.names.contains(name));
            is_it && row.notes.starts_with("CONFLICT")
        });
        rows.flat_map(|row| self.evidence(&row.source, &row.notes, &None)).collect()
    }

    /// A target whose product nobody said: listed where all its products are.
    fn target_on_system(
        &self,
        gpu: &KnownGpu,
        system: &System,
        rocm: &RocmVersion,
    ) -> Option<Judgement> {
        let names = self.products_of(gpu.gfx).flat_map(|row| &row.names);
        // the names of APU graphics are not in AMD's table, the processors' are
        let in_table =
            names.filter(|name| gpu.class != Some(GpuClass::Ryzen) || name.contains("Ryzen"));
        let (mut listed, mut unlisted, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        for name in in_table {
            let here: Vec<_> = self
                .product_rows(name, rocm)
                .into_iter()
                .filter(|row| system.is(&row.os))
                .collect();
            if here.is_empty() {
                unlisted.push(name.clone());
            } else {
                listed.push(name.clone());
            }
            rows.extend(here);
        }
        rows.dedup();
        match (listed.is_empty(), unlisted.is_empty()) {
            (true, _) => self.target_by_platform(gpu, system, rocm).filter(|judged| {
                // the gfx table says yes for other systems of the platform only
                judged.verdict.refuses()
            }),
            (false, true) => Some(self.listed_on(&rows)),
            (false, false) => {
                let evidence = self.listed_on(&rows).evidence;
                let reason = Reason::DependsOnProduct { listed, unlisted };
                Some(Judgement::new(Verdict::NotKnown, reason, evidence))
            }
        }
    }

    /// What the gfx table says, on Windows that of the HIP SDK where ROCm's own is silent; `None`
    /// where neither says anything.
    fn target_by_platform(
        &self,
        gpu: &KnownGpu,
        system: &System,
        rocm: &RocmVersion,
    ) -> Option<Judgement> {
        let release = rocm.dotted();
        let platform = system.platform();
        let tables = self.gpu_support();
        // what was inferred from release notes is no table's word
        let hip_sdk = tables.hip_sdk.iter().filter(|row| row.confidence.is_none());
        let row = tables.row.iter().chain(hip_sdk).find(|row| {
            row.os == platform
                && row.release.contains(release.parts())
                && row.gfx.contains(&gpu.gfx)
        })?;
        let evidence = self.evidence(&row.source, &row.notes, &row.confidence);
        let unlisted = self.products().product.iter().any(|product| {
            let is_it = gpu.product.as_ref().is_some_and(|name| product.names.contains(name));
            is_it && product.not_listed.iter().any(|own| own.contains(release.parts()))
        });
        let judgement = match row.status {
            SupportStatus::Supported | SupportStatus::Deprecated | SupportStatus::Preview
                if unlisted =>
            {
                let others = self.products_of(gpu.gfx).filter(|row| row.not_listed.is_empty());
                let names = others.flat_map(|row| row.names.iter().cloned()).collect();
                Judgement::new(
                    Verdict::BuiltNotListed,
                    Reason::OtherProductOfTarget(names),
                    evidence,
                )
            }
            SupportStatus::Supported => {
                Judgement::new(Verdict::Listed, Reason::Listed(row.notes.clone()), evidence)
            }
            SupportStatus::Preview | SupportStatus::Deprecated => {
                Judgement::new(Verdict::Listed, Reason::Status(row.status), evidence)
            }
            SupportStatus::Unsupported => {
                Judgement::new(Verdict::StatedNo, Reason::Status(row.status), evidence)
            }
            SupportStatus::RuntimeOnly
            | SupportStatus::Unstable
            | SupportStatus::Replaced
            | SupportStatus::Conflict => {
                Judgement::new(Verdict::NotKnown, Reason::Status(row.status), evidence)
            }
        };
        Some(judgement)
    }

    /// Where AMD says nothing: what TheRock builds, for the lines that are made of it.
    fn built_by_the_rock(&self, gpu: &KnownGpu, system: &System, rocm: &RocmVersion) -> Judgement {
        let is_the_rock = self.line_of(rocm).is_some_and(|line| line.name == "therock");
        let platform = match system.platform() {
            Platform::Wsl => Platform::Linux,
            other => other,
        };
        let row = self
            .gpu_support()
            .therock
            .iter()
            .find(|row| is_the_rock && row.os == platform && row.gfx.contains(&gpu.gfx));
        if let Some(row) = row {
            let said = format!("as of {}", row.snapshot);
            let evidence = self.evidence(&row.source, &said, &None);
            let reason = Reason::BuiltByTheRock(row.status.clone());
            Judgement::new(Verdict::BuiltNotListed, reason, evidence)
        } else {
            let name = gpu.product.clone().unwrap_or_else(|| gpu.gfx.to_string());
            let what = format!("{name} on {system} with ROCm {rocm}");
            Judgement::new(Verdict::NotKnown, Reason::NothingRead(what), Vec::new())
        }
    }

    fn product_rows(&self, product: &str, rocm: &RocmVersion) -> Vec<&ProductSupport> {
        let table = self.product_support();
        let groups: Vec<&str> = table
            .group
            .iter()
            .filter(|group| group.products.iter().any(|own| own == product))
            .map(|group| group.name.as_str())
            .collect();
        let rows = table.row.iter().filter(|row| row.release == *rocm);
        rows.filter(|row| row.groups.iter().any(|own| groups.contains(&own.as_str()))).collect()
    }

    fn listed_on(&self, rows: &[&ProductSupport]) -> Judgement {
        let kernels: Vec<_> = rows.iter().filter_map(|row| row.kernel.as_deref()).collect();
        let more = if kernels.is_empty() {
            String::new()
        } else {
            format!("listed with kernel {}", kernels.join("; "))
        };
        let row = rows.first();
        let evidence = row
            .map_or_else(Vec::new, |row| self.evidence(&row.source, &row.notes, &row.confidence));
        Judgement::new(Verdict::Listed, Reason::Listed(more), evidence)
    }
}
