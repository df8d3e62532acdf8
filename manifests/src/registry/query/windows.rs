//! Windows drivers and ROCm. The listed driver is a floor: a newer one is allowed and said not to
//! be listed, an older one is refused. Releases without a row are open.

use crate::version::{DriverVersion, RocmVersion};

use super::super::loader::Registry;
use super::super::rows::drivers::WindowsDriver;
use super::super::verdict::{Judgement, Reason, Verdict};

/// Whether a number is one of Windows' own for a driver (`32.0.31041.1004`, `31.0.21925.1001`) and
/// not an Adrenalin version (`26.8.1`, `25.10.30.02`). The two lines are never compared: only in
/// the first does the third part count builds.
pub fn is_windows_driver_number(version: &DriverVersion) -> bool {
    version.parts().len() == 4 && version.part(2) >= 1_000
}

impl Registry {
    /// An Adrenalin (or OEM) driver with a ROCm release, natively or under WSL2.
    pub fn windows_driver_with_rocm(
        &self,
        driver: &DriverVersion,
        rocm: &RocmVersion,
        wsl: bool,
    ) -> Judgement {
        if is_windows_driver_number(driver) {
            return Judgement::new(Verdict::NotKnown, Reason::WindowsNumber, Vec::new());
        }
        let rows = self.windows_drivers_for(rocm, wsl);
        let judged = |verdict, reason, row: &WindowsDriver| {
            Judgement::new(verdict, reason, self.evidence(&row.source, &row.notes, &row.confidence))
        };
        if let Some(row) = rows.iter().find(|row| row.driver == *driver) {
            return judged(Verdict::Listed, Reason::Listed(String::new()), row);
        }
        // makers' drivers count on their own: 26.10.28 is older than 26.10.32, not newer than 26.8.1
        let is_oem = |row: &&WindowsDriver| row.kind == "oem";
        let known_oem =
            self.drivers().windows.iter().filter(is_oem).any(|row| row.driver == *driver);
        let kind = if known_oem { "oem" } else { "adrenalin" };
        let adrenalin = rows.iter().filter(|row| row.kind == kind);
        let Some(row) = adrenalin.max_by(|a, b| a.driver.cmp(&b.driver)) else {
            let what = format!("a Windows driver for ROCm {rocm}");
            return Judgement::new(Verdict::NotKnown, Reason::NothingRead(what), Vec::new());
        };
        let listed = row.driver.to_string();
        if *driver > row.driver {
            judged(Verdict::NotKnown, Reason::NewerThan(listed), row)
        } else {
            judged(Verdict::StatedNo, Reason::OlderThan(listed), row)
        }
    }

    /// That AMD's whole list of what native Windows has lacks a framework; `None` where it has it,
    /// and where no such list was read.
    pub fn not_on_native_windows(&self, framework: &str, rocm: &RocmVersion) -> Option<Judgement> {
        let release = rocm.dotted();
        let row = self
            .native_windows()
            .only
            .iter()
            .find(|row| row.rocm.iter().any(|own| own.contains(release.parts())))?;
        let is_there = row.frameworks.iter().any(|own| own == framework);
        let reason = Reason::NotInList { list: row.says.clone(), instead: row.frameworks.clone() };
        let evidence = self.evidence(&row.source, &row.notes, &None);
        (!is_there).then(|| Judgement::new(Verdict::StatedNo, reason, evidence))
    }

    /// That AMD says of a framework that it does not go under WSL2; `None` where it says nothing.
    pub fn not_under_wsl(&self, framework: &str, rocm: &RocmVersion) -> Option<Judgement> {
        let release = rocm.dotted();
        let mut rows = self.native_windows().under_wsl.iter();
        let row = rows.find(|row| {
            row.framework == framework && row.rocm.iter().any(|own| own.contains(release.parts()))
        })?;
        let id = format!("wsl-{}", row.framework);
        let reason = Reason::Fails { id, what: row.what.clone(), instead: None };
        let evidence = self.evidence(&row.source, &row.notes, &None);
        Some(Judgement::new(Verdict::StatedNo, reason, evidence))
    }

    /// The variables that a release needs under WSL2 (`HSA_ENABLE_DXG_DETECTION`, `1`).
    pub fn wsl_variables(&self, rocm: &RocmVersion) -> Vec<(&str, &str)> {
        let release = rocm.dotted();
        let rows = self.drivers().wsl_bridge.iter();
        let required =
            rows.filter(|row| row.status == "required" && row.rocm.contains(release.parts()));
        required.filter_map(|row| row.component.split_once('=')).collect()
    }

    /// The Windows drivers that a release lists; WSL2 has rows of its own for some releases.
    pub fn windows_drivers_for(&self, rocm: &RocmVersion, wsl: bool) -> Vec<&WindowsDriver> {
        let release = rocm.dotted();
        let rows = |scope: &str| -> Vec<_> {
            let all = self.drivers().windows.iter();
            all.filter(|row| row.scope == scope && row.product.is_none())
                .filter(|row| row.rocm.contains(release.parts()))
                .collect()
        };
        let own = if wsl { rows("wsl") } else { Vec::new() };
        if own.is_empty() { rows("windows") } else { own }
    }
}
