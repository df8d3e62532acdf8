//! Where a host can go: the systems that follow its own, the drivers that there are, firmware that
//! a release names. A distribution is upgraded one release at a time, which none of them forbids.

use crate::platform::OsRelease;
use crate::version::{Dotted, DriverVersion, RocmVersion};

use super::super::loader::Registry;
use super::super::pattern::{Pattern, numbers};
use super::super::rows::releases::ReleaseKind;
use super::super::verdict::{Judgement, Reason, Verdict};
use super::system::System;

impl Registry {
    /// The systems that a system can be upgraded to in one step: newer ones of the same release of
    /// the distribution, and those of the release after it. Oldest first.
    pub fn systems_after(&self, os: &OsRelease) -> Vec<OsRelease> {
        let Some(own) = parts(os) else { return Vec::new() };
        let places = release_places(&os.distribution);
        let release = |parts: &[u32]| parts[..places.min(parts.len())].to_vec();
        let rows = self.os_support().row.iter().map(|row| &row.os);
        let mut all: Vec<Vec<u32>> = rows
            .filter(|name| !name.is_wsl() && name.distribution() == os.distribution)
            .filter_map(|name| numbers(name.version()?))
            .collect();
        all.sort();
        all.dedup();
        let next = all.iter().map(|version| release(version)).find(|next| *next > release(&own));
        let mut found: Vec<Vec<u32>> = Vec::new();
        for version in all {
            let is_newer_of_own =
                release(&version) == release(&own) && own.len() >= version.len() && version > own;
            if is_newer_of_own {
                found.push(version);
            } else if Some(release(&version)) == next {
                // Ubuntu's point releases are one and the same after an upgrade
                let whole = os.distribution == "ubuntu";
                found.push(if whole { release(&version) } else { version });
            }
        }
        found.dedup();
        let text = |version: Vec<u32>| OsRelease {
            distribution: os.distribution.clone(),
            version: Some(join(os, &version)),
        };
        found.into_iter().map(text).collect()
    }

    /// The newest known release of each driver series of AMD's matrix, oldest first. Up to 6.4 a
    /// driver has the number of the ROCm that it came with.
    pub fn driver_releases(&self) -> Vec<DriverVersion> {
        let table = self.drivers();
        let came_with_rocm = self.releases().release.iter();
        let came_with_rocm = came_with_rocm
            .filter(|row| row.kind == ReleaseKind::Production)
            .map(|row| row.version.dotted());
        let of_lists = table.listed.iter().flat_map(|row| &row.drivers);
        let of_lists = of_lists.filter_map(|pattern| match pattern {
            Pattern::Exact(parts) => dotted(parts),
            _ => None,
        });
        let of_pairs = table.pairing.iter().map(|row| row.driver.clone());
        let known: Vec<DriverVersion> = came_with_rocm.chain(of_lists).chain(of_pairs).collect();
        let newest = |series: &Pattern| {
            let inside = known.iter().filter(|driver| series.contains(driver.parts()));
            inside.max().cloned().or_else(|| dotted(series.lowest()))
        };
        let mut found: Vec<_> = table.matrix.iter().filter_map(|row| newest(&row.driver)).collect();
        found.sort();
        found.dedup();
        found
    }

    /// The releases that a driver came out with, newest first: the same number up to 6.4, AMD's
    /// pairs since. Empty where nobody says.
    pub fn releases_with_driver(&self, driver: &DriverVersion) -> Vec<RocmVersion> {
        let series = [driver.part(0), driver.part(1)];
        let pairs: Vec<&Pattern> = self
            .drivers()
            .pairing
            .iter()
            .filter(|row| [row.driver.part(0), row.driver.part(1)] == series)
            .map(|row| &row.rocm)
            .collect();
        let all = self.releases().release.iter().filter(|row| row.kind == ReleaseKind::Production);
        let mut found: Vec<RocmVersion> = all
            .map(|row| &row.version)
            .filter(|version| {
                let number = version.dotted();
                let same =
                    driver.part(0) <= LAST_SHARED && [number.part(0), number.part(1)] == series;
                same || pairs.iter().any(|pair| pair.contains(number.parts()))
            })
            .cloned()
            .collect();
        found.sort_by(|a, b| b.cmp(a));
        found
    }

    /// AMD's driver on a system: listed where a release that it came out with lists the system.
    pub fn driver_on_system(&self, driver: &DriverVersion, system: &System) -> Judgement {
        let releases = self.releases_with_driver(driver);
        let judged = releases.iter().map(|rocm| self.system_with_rocm(system, rocm, None));
        let best = judged.min_by_key(|judgement| judgement.verdict);
        match best {
            Some(judgement) if judgement.verdict == Verdict::Listed => judgement,
            Some(judgement) => Judgement {
                verdict: Verdict::NotKnown,
                reason: Reason::NothingRead(format!("driver {driver} on {system}")),
                ..judgement
            },
            None => {
                let what = format!("driver {driver} on {system}");
                Judgement::new(Verdict::NotKnown, Reason::NothingRead(what), Vec::new())
            }
        }
    }

    /// The firmware that a release names for a product, as printed, newest first; `None` where it
    /// names none.
    pub fn firmware_for(&self, product: &str, rocm: &RocmVersion) -> Option<(Vec<String>, &str)> {
        let row = self.firmware_row(product, rocm)?;
        Some((alternatives(&row.versions), &row.versions))
    }

    /// Firmware with a release on a product; `None` where the release names no firmware for it.
    /// Firmware that nobody described is not known.
    pub fn firmware_with_rocm(
        &self,
        firmware: Option<&str>,
        product: &str,
        rocm: &RocmVersion,
    ) -> Option<Judgement> {
        let row = self.firmware_row(product, rocm)?;
        let evidence = self.evidence(&row.source, "", &None);
        let meets = |own: &str| row.versions.split(';').any(|named| is_firmware(own, named));
        if firmware.is_some_and(meets) {
            let said = row.versions.clone();
            return Some(Judgement::new(Verdict::Listed, Reason::Listed(said), evidence));
        }
        let list = format!("the firmware of ROCm {rocm} for {product}");
        let instead = vec![row.versions.clone()];
        Some(Judgement::new(Verdict::NotKnown, Reason::NotInList { list, instead }, evidence))
    }

    /// Whether firmware is what a table names for a product as `named`, or a later one where the
    /// table takes later ones.
    pub fn is_firmware_met(&self, product: &str, named: &str, own: &str) -> bool {
        let rows = self.drivers().firmware.iter();
        let mut entries = rows
            .filter(|row| row.products.iter().any(|one| one == product))
            .flat_map(|row| row.versions.split(';'))
            .filter(|entry| alternatives(entry).iter().any(|one| one == named));
        own == named || entries.any(|entry| is_firmware(own, entry))
    }

    fn firmware_row(
        &self,
        product: &str,
        rocm: &RocmVersion,
    ) -> Option<&super::super::rows::drivers::Firmware> {
        let release = rocm.dotted();
        self.drivers().firmware.iter().find(|row| {
            row.rocm.contains(release.parts()) && row.products.iter().any(|own| own == product)
        })
    }
}

/// Whether firmware is the named one, or a later one where the name says `or later`: the same
/// words, and numbers that are not smaller.
fn is_firmware(own: &str, named: &str) -> bool {
    let (own_words, own_numbers) = split(own);
    let (words, numbers) = split(&named.replace("(or later)", "").replace("or later", ""));
    if own_words != words || own_numbers.len() != numbers.len() {
        return false;
    }
    if named.contains("or later") { own_numbers >= numbers } else { own_numbers == numbers }
}

/// The words and the numbers of a text.
fn split(text: &str) -> (Vec<String>, Vec<u64>) {
    let mut words = Vec::new();
    let mut numbers = Vec::new();
    for run in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|run| !run.is_empty()) {
        match run.parse() {
            Ok(number) => numbers.push(number),
            Err(_) => words.push(run.to_lowercase()),
        }
    }
    (words, numbers)
}

fn alternatives(text: &str) -> Vec<String> {
    let plain = |one: &str| one.replace("(or later)", "").replace("or later", "").trim().to_owned();
    text.split(';').map(plain).collect()
}

fn parts(os: &OsRelease) -> Option<Vec<u32>> {
    numbers(os.version.as_deref()?)
}

/// How many numbers name a release of a distribution; the others are its minor or point release.
fn release_places(distribution: &str) -> usize {
    if distribution == "ubuntu" { 2 } else { 1 }
}

/// The version as its distribution writes it (Ubuntu's month has two digits).
fn join(os: &OsRelease, version: &[u32]) -> String {
    let ubuntu = os.distribution == "ubuntu";
    let part = |(at, part): (usize, &u32)| {
        if ubuntu && at == 1 { format!("{part:02}") } else { part.to_string() }
    };
    version.iter().enumerate().map(part).collect::<Vec<_>>().join(".")
}

fn dotted(parts: &[u32]) -> Option<Dotted> {
    parts.iter().map(u32::to_string).collect::<Vec<_>>().join(".").parse().ok()
}

/// The last major of the drivers that shared ROCm's numbers.
const LAST_SHARED: u32 = 6;

#[cfg(test)]
mod tests {
    use super::*;

    fn after(os: &str) -> Vec<String> {
        let os: OsRelease = os.parse().unwrap();
        Registry::embedded().systems_after(&os).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_system_goes_to_its_next_release_only() {
        assert_eq!(after("ubuntu-20.04"), ["ubuntu-22.04"]);
        assert_eq!(after("ubuntu-24.04"), ["ubuntu-26.04"]);
        assert_eq!(after("ubuntu-24.04.3"), ["ubuntu-24.04.4", "ubuntu-24.04.5", "ubuntu-26.04"]);
        assert_eq!(after("debian-12"), ["debian-13"]);
        assert_eq!(
            after("rhel-9.5"),
            ["rhel-9.6", "rhel-9.7", "rhel-9.8", "rhel-10.0", "rhel-10.1", "rhel-10.2"]
        );
        assert_eq!(after("windows-11-25H2"), [""; 0]);
    }

    #[test]
    fn drivers_are_the_newest_of_each_series() {
        let drivers: Vec<String> =
            Registry::embedded().driver_releases().iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(drivers.join(" "), @"5.3 5.4.3 5.5.1 5.6.1 5.7.1 6.0.2 6.1.5 6.2.4 6.3.3 6.4.3 30.10.2 30.20.1 30.30.3 31.40.1 31.50.0");
    }

    #[test]
    fn a_later_firmware_is_one_with_larger_numbers_in_the_same_words() {
        assert!(is_firmware("MU 5 with IFWI 75", "MU 5 with IFWI 75 (or later)"));
        assert!(is_firmware("MU 6 with IFWI 75", "MU 5 with IFWI 75 (or later)"));
        assert!(!is_firmware("IFWI 47", "MU 5 with IFWI 75 (or later)"));
        assert!(is_firmware("01.26.01.00", "01.26.00.04 (or later)"));
        assert!(!is_firmware("01.25.13.09", "01.26.00.04 (or later)"));
        assert!(!is_firmware("01.26.01.00", "01.25.06.05"));
    }
}
