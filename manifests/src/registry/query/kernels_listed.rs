//! The kernels that a release names for a distribution. A kernel that it does not name is not
//! known: AMD lists what it tested, and refuses only below its floors (`tree.rs`).

use crate::version::RocmVersion;

use super::super::loader::Registry;
use super::super::rows::support::OsSupport;
use super::super::verdict::{Judgement, Reason, Verdict};
use super::gpus::{Covers, KnownGpu};
use super::kernel::Kernel;
use super::system::System;

/// A kernel as a table names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedKernel {
    /// Its number, with the distribution's own where the table has it, and its family in small
    /// letters behind it (`6.17-oem`, `5.15-ga`, `5.14.0-570`).
    pub kernel: Kernel,
    /// Whether newer ones will do too.
    pub or_newer: bool,
}

impl NamedKernel {
    /// The kernels in the text of a table: `6.8 GA; 6.14 HWE`, `6.14.0-1018 OEM or newer`, `5.14+`.
    /// A family without a number (`UEK 7`) is left out.
    pub fn all(text: &str) -> Vec<Self> {
        text.split([';', ',']).filter_map(Self::one).collect()
    }

    fn one(text: &str) -> Option<Self> {
        let plain = text.split('(').next().unwrap_or_default().to_lowercase();
        let or_newer = plain.contains("or newer") || plain.contains('+');
        let mut words = plain.split([' ', '+']).filter(|word| !word.is_empty());
        let is_number =
            |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
        let number = words.clone().find(is_number)?;
        let mut kernel = Kernel::parse(number)?;
        let family = words.find(|word| FAMILIES.contains(word));
        kernel.flavour = family.map(str::to_owned).or(kernel.flavour);
        Some(Self { kernel, or_newer })
    }

    /// Whether a kernel is the named one: its series, from the distribution's own number on. A
    /// kernel whose family is not written is of any.
    pub fn is_met_by(&self, kernel: &Kernel) -> bool {
        let own = self.kernel.flavour.as_deref();
        let family = match (own, kernel.flavour.as_deref()) {
            (Some("oem"), Some(other)) => other == "oem",
            (Some("ga" | "hwe" | "lts"), Some(other)) => other != "oem",
            _ => true,
        };
        let floor = Kernel { flavour: None, ..self.kernel.clone() }.to_string();
        let is_it = if self.or_newer {
            kernel.is_at_least(&floor)
        } else {
            let same = kernel.version.starts_with(&self.kernel.version);
            same && match (kernel.abi, self.kernel.abi) {
                (Some(own), Some(named)) => own >= named,
                _ => true,
            }
        };
        family && is_it
    }
}

impl Registry {
    /// The kernels that a release names for a distribution and a GPU; empty where it names none.
    pub fn kernels_for(
        &self,
        system: &System,
        rocm: &RocmVersion,
        gpu: Option<&KnownGpu>,
    ) -> Vec<NamedKernel> {
        let rows = self.kernel_rows(system, rocm, gpu).into_iter();
        rows.filter_map(|row| row.kernel.as_deref()).flat_map(NamedKernel::all).collect()
    }

    /// A kernel with a release on a distribution; `None` where no row names a kernel.
    pub fn kernel_with_rocm(
        &self,
        kernel: &Kernel,
        system: &System,
        rocm: &RocmVersion,
        gpu: Option<&KnownGpu>,
    ) -> Option<Judgement> {
        let rows = self.kernel_rows(system, rocm, gpu);
        let named = |row: &OsSupport| row.kernel.as_deref().map_or_else(Vec::new, NamedKernel::all);
        let all: Vec<_> = rows.iter().filter(|row| !named(row).is_empty()).collect();
        let first = all.first()?;
        let meets = |row: &&&&OsSupport| named(row).iter().any(|named| named.is_met_by(kernel));
        if let Some(row) = all.iter().find(meets) {
            let said = row.kernel.clone().unwrap_or_default();
            let evidence = self.evidence(&row.source, &row.notes, &row.confidence);
            return Some(Judgement::new(Verdict::Listed, Reason::Listed(said), evidence));
        }
        let mut instead: Vec<String> = all.iter().filter_map(|row| row.kernel.clone()).collect();
        instead.sort();
        instead.dedup();
        let list = format!("the kernels of ROCm {rocm} for {system}");
        let evidence = self.evidence(&first.source, &first.notes, &first.confidence);
        Some(Judgement::new(Verdict::NotKnown, Reason::NotInList { list, instead }, evidence))
    }

    /// The kernels from which on a distribution serves a GPU, whatever the release: AMD's floors,
    /// and the kernels of RDNA3.5 APUs.
    pub fn kernel_floors(&self, gpu: &KnownGpu, system: &System) -> Vec<NamedKernel> {
        let is_ubuntu = system.os.distribution == "ubuntu";
        let version = system.os.version.as_deref().unwrap_or_default();
        let floor = |kernel: &str, flavour: Option<&str>| {
            let mut kernel = Kernel::parse(kernel)?;
            kernel.flavour = flavour.map(str::to_owned);
            Some(NamedKernel { kernel, or_newer: true })
        };
        let floors = self.kernels().floor.iter();
        let floors = floors
            .filter(|row| Some(row.class) == gpu.class && system.is(&row.os))
            .filter_map(|row| floor(&row.kernel, row.flavour.as_deref()));
        let of_apu: Vec<_> = self
            .os_support()
            .rdna35
            .iter()
            .filter(|row| row.gfx.contains(&gpu.gfx) && row.status.is_listed())
            .collect();
        let of_ubuntu = of_apu.iter().flat_map(|row| &row.ubuntu);
        let of_ubuntu = of_ubuntu
            .filter(|named| is_ubuntu && version.starts_with(&named.version))
            .filter_map(|named| floor(named.kernel.as_deref()?, named.flavour.as_deref()));
        let elsewhere = of_apu.iter().filter(|row| row.ubuntu.is_empty() && !is_ubuntu);
        let elsewhere = elsewhere.filter_map(|row| floor(row.kernel_from.as_deref()?, None));
        floors.chain(of_ubuntu).chain(elsewhere).collect()
    }

    fn kernel_rows(
        &self,
        system: &System,
        rocm: &RocmVersion,
        gpu: Option<&KnownGpu>,
    ) -> Vec<&OsSupport> {
        let release = rocm.dotted();
        let rows = self.os_support().row.iter();
        rows.filter(|row| row.releases.iter().any(|own| own.contains(release.parts())))
            .filter(|row| system.is(&row.os) && row.status.is_listed())
            .filter(|row| gpu.is_none_or(|gpu| self.covers(&row.gpus, gpu) != Covers::No))
            .collect()
    }
}

const FAMILIES: [&str; 5] = ["ga", "hwe", "oem", "lts", "uek"];

#[cfg(test)]
mod tests {
    use super::*;

    fn met(listed: &str, kernel: &str) -> bool {
        let kernel = Kernel::parse(kernel).unwrap();
        NamedKernel::all(listed).iter().any(|named| named.is_met_by(&kernel))
    }

    #[test]
    fn tables_name_series_families_and_floors() {
        assert!(met("6.8 GA; 6.14 HWE", "6.8.0-45-generic"));
        assert!(met("6.8 GA; 6.14 HWE", "6.14.0-33-generic"));
        assert!(!met("6.8 GA; 6.14 HWE", "6.11.0-8-generic"));
        assert!(!met("6.17 OEM", "6.17.0-19-generic"));
        assert!(met("6.17 OEM", "6.17.0-1020-oem"));
        assert!(!met("6.17 HWE", "6.17.0-1020-oem"));
        assert!(met("6.14.0-1018 OEM or newer", "6.17.0-1020-oem"));
        assert!(!met("6.14.0-1018 OEM or newer", "6.14.0-1017-oem"));
        assert!(met("5.14+", "5.14.0-570.12.1.el9_6.x86_64"));
        assert!(met("5.14.0-570", "5.14.0-570.12.1.el9_6.x86_64"));
        assert!(!met("5.14.0-570", "5.14.0-427.13.1.el9_4.x86_64"));
        assert!(met("7.0 GA (inbox driver)", "7.0.0-14-generic"));
        assert!(met("5.15, 5.17 OEM", "5.17.0-1035-oem"));
        assert!(NamedKernel::all("UEK 7").is_empty());
    }
}
