//! Whether a host is what a lock's contract asks for.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::lock::{Contract, Predicate};
use rocmenv_manifests::platform::Libc;

use super::{Target, TargetDriver};

/// A predicate that this host does not meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What was asked for.
    pub predicate: Predicate,
    /// What this host has, in words.
    pub found: String,
    /// Whether it can never be passed over.
    pub hard: bool,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the lock needs `{}`; this host has {}", self.predicate, self.found)
    }
}

/// The predicates that `host` fails, in the contract's order. The interpreter is not a fact of
/// the host and is checked where one is chosen. What the host does not tell counts as a failure
/// of a soft predicate and as no failure of a hard one: running will show it at once.
pub fn fit(contract: &Contract, host: &Target) -> Vec<Mismatch> {
    let failed = |item: &rocmenv_manifests::lock::ContractItem| {
        let found = failing(&item.predicate, host, item.hard)?;
        Some(Mismatch { predicate: item.predicate.clone(), found, hard: item.hard })
    };
    contract.items.iter().filter_map(failed).collect()
}

/// What the host has in place of what it should have; `None` where the predicate holds.
fn failing(predicate: &Predicate, host: &Target, hard: bool) -> Option<String> {
    let unknown = |what: &str| (!hard).then(|| format!("no known {what}"));
    match predicate {
        Predicate::OsFamily(family) => {
            (*family != host.family).then(|| Predicate::OsFamily(host.family).to_string())
        }
        Predicate::Arch(arch) => (*arch != host.arch.value).then(|| host.arch.value.to_string()),
        Predicate::Python(_) => None,
        Predicate::GlibcAtLeast(floor) => match host.libc.as_ref().map(|libc| &libc.value) {
            Some(Libc::Glibc(version)) if version >= floor => None,
            Some(other) => Some(other.to_string()),
            None => unknown("C library"),
        },
        Predicate::Distribution(name) => match &host.os {
            Some(os) if os.value.to_string() == *name => None,
            Some(os) => Some(os.value.to_string()),
            None => unknown("distribution"),
        },
        Predicate::KernelAtLeast(floor) => match &host.kernel {
            Some(kernel) if kernel.value >= *floor => None,
            Some(kernel) => Some(format!("kernel {}", kernel.value)),
            None => unknown("kernel"),
        },
        Predicate::DriverWithin { from, to } => {
            match host.driver.as_ref().map(|driver| &driver.value) {
                Some(TargetDriver::Amd(release) | TargetDriver::Adrenalin(release)) => {
                    let low = release >= from || from.starts_with(release);
                    let high =
                        to.as_ref().is_none_or(|to| release <= to || release.starts_with(to));
                    (!(low && high)).then(|| format!("driver {release}"))
                }
                Some(TargetDriver::InTree) => Some("the kernel's own amdgpu driver".to_owned()),
                Some(TargetDriver::UnknownRelease { module }) => {
                    Some(format!("a driver of unknown release (module {module})"))
                }
                None => Some("no amdgpu driver".to_owned()),
            }
        }
        Predicate::AdrenalinAtLeast(floor) => {
            match host.driver.as_ref().map(|driver| &driver.value) {
                Some(TargetDriver::Adrenalin(release)) if release >= floor => None,
                Some(TargetDriver::Adrenalin(release)) => Some(format!("driver {release}")),
                Some(_) => Some("a driver of Linux".to_owned()),
                None => Some("no known Adrenalin version".to_owned()),
            }
        }
        Predicate::GfxWithin(allowed) => outside(allowed, host),
        Predicate::NoGpu => {
            let found: Vec<_> = host.gfx_targets().iter().map(GfxTarget::to_string).collect();
            (!found.is_empty()).then(|| found.join(" "))
        }
        Predicate::HostRocm(series) => match &host.host_rocm {
            Some(rocm) if rocm.value.dotted().starts_with(series) => None,
            Some(rocm) => Some(format!("ROCm {}", rocm.value)),
            None => Some("no ROCm of its own".to_owned()),
        },
    }
}

fn outside(allowed: &[GfxTarget], host: &Target) -> Option<String> {
    let found = host.gfx_targets();
    if found.is_empty() {
        return Some("no AMD GPU that is known".to_owned());
    }
    let others: Vec<_> =
        found.iter().filter(|gfx| !allowed.contains(gfx)).map(GfxTarget::to_string).collect();
    (!others.is_empty()).then(|| others.join(" "))
}

#[cfg(test)]
mod tests {
    use rocmenv_manifests::lock::ContractItem;

    use super::*;
    use crate::host::NoTables;
    use crate::host::facts::{Driver, DriverFlavour, Gpu, HostFacts};

    fn host() -> HostFacts {
        let mut facts = HostFacts::unknown();
        facts.os.release = Some("ubuntu-24.04".parse().unwrap());
        facts.kernel.release = Some("6.8.0-45-generic".to_owned());
        facts.libc = Some(Libc::Glibc("2.39".parse().unwrap()));
        facts.driver = Driver {
            flavour: Some(DriverFlavour::Dkms),
            release: Some("30.20.1".parse().unwrap()),
            ..Driver::default()
        };
        let gfx = Some("gfx942".parse().unwrap());
        facts.gpus = Some(vec![Gpu { gfx, ..Gpu::default() }; 2]);
        facts
    }

    fn mismatches(facts: &HostFacts, predicates: &[(&str, bool)]) -> Vec<String> {
        let items = predicates
            .iter()
            .map(|(text, hard)| ContractItem { predicate: text.parse().unwrap(), hard: *hard });
        let contract = Contract { items: items.collect() };
        let target = super::super::from_host("host".parse().unwrap(), facts, &NoTables);
        fit(&contract, &target).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_host_within_every_predicate_fits() {
        let wanted = [
            ("os = linux", true),
            ("arch = x86_64", true),
            ("glibc >= 2.28", true),
            ("python = 3.12", true),
            ("distribution = ubuntu-24.04", false),
            ("kernel >= 6.8", false),
            ("driver in 30.10..31.50", false),
            ("gfx in gfx942 gfx950", false),
        ];
        assert_eq!(mismatches(&host(), &wanted), [""; 0]);
    }

    #[test]
    fn each_mismatch_names_the_predicate_and_the_hosts_value() {
        let wanted = [
            ("os = windows", true),
            ("arch = aarch64", true),
            ("glibc >= 2.41", true),
            ("distribution = debian-12", false),
            ("kernel >= 6.14", false),
            ("driver in 31.10..31.50", false),
            ("gfx in gfx90a", false),
            ("gfx = none", false),
            ("host rocm = 10.1", false),
        ];
        assert_eq!(
            mismatches(&host(), &wanted),
            [
                "the lock needs `os = windows`; this host has os = linux",
                "the lock needs `arch = aarch64`; this host has x86_64",
                "the lock needs `glibc >= 2.41`; this host has glibc 2.39",
                "the lock needs `distribution = debian-12`; this host has ubuntu-24.04",
                "the lock needs `kernel >= 6.14`; this host has kernel 6.8.0",
                "the lock needs `driver in 31.10..31.50`; this host has driver 30.20.1",
                "the lock needs `gfx in gfx90a`; this host has gfx942",
                "the lock needs `gfx = none`; this host has gfx942",
                "the lock needs `host rocm = 10.1`; this host has no ROCm of its own",
            ]
        );
    }

    #[test]
    fn a_windows_driver_is_asked_for_by_its_own_numbers() {
        let wanted = [("adrenalin >= 26.8.1", false)];
        let mut windows = host();
        windows.driver.flavour = Some(DriverFlavour::Adrenalin);
        windows.driver.release = Some("26.9.1".parse().unwrap());
        assert_eq!(mismatches(&windows, &wanted), [""; 0]);
        windows.driver.release = Some("26.6.4".parse().unwrap());
        let said =
            |found: &str| format!("the lock needs `adrenalin >= 26.8.1`; this host has {found}");
        assert_eq!(mismatches(&windows, &wanted), [said("driver 26.6.4")]);
        // 30.20.1 of Linux is no newer Adrenalin
        assert_eq!(mismatches(&host(), &wanted), [said("a driver of Linux")]);
    }

    #[test]
    fn what_a_host_does_not_tell_fails_soft_predicates_only() {
        let unknown = HostFacts::unknown();
        let wanted = [("glibc >= 2.28", true), ("kernel >= 6.8", false), ("driver >= 6.2", false)];
        assert_eq!(
            mismatches(&unknown, &wanted),
            [
                "the lock needs `kernel >= 6.8`; this host has no known kernel",
                "the lock needs `driver >= 6.2`; this host has no amdgpu driver",
            ]
        );
    }
}
