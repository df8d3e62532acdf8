//! What the registry knows to fail together, and AMD's windows.

use rocmenv_manifests::python::Version;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::query::{Situation, System};
use rocmenv_manifests::registry::rows::kernels::DriverKind;
use rocmenv_manifests::registry::rows::known_bad::{Effect, KnownBad};
use rocmenv_manifests::version::{Dotted, RocmVersion};

use super::super::Confidence::{Certain, Likely, Possible};
use super::super::{Finding, found};
use crate::diagnose::facts::Facts;
use crate::host::driver_release;
use crate::host::facts::DriverFlavour;

/// The known-bad rows that hold on this host and whose names begin so.
pub(in crate::diagnose::rules) fn holding<'r>(
    facts: &Facts,
    registry: &'r Registry,
    prefix: &str,
) -> Vec<&'r KnownBad> {
    let gfx: Vec<_> = facts.main_targets().into_iter().collect();
    let rocm = facts.rocm().map(|(release, _)| as_rocm(&release));
    let release = driver_release(&facts.host, registry);
    let driver: Option<Dotted> =
        release.and_then(|found| found.release.trim_end_matches(".x").parse().ok());
    let driver_kind = match facts.host.driver.flavour {
        Some(DriverFlavour::Dkms) => Some(DriverKind::Amd),
        Some(DriverFlavour::InTree) => Some(DriverKind::InTree),
        _ if facts.has_dkms_driver() => Some(DriverKind::Amd),
        _ => None,
    };
    let system = facts.host.os.release.clone().map(|os| System { os, wsl: facts.is_wsl() });
    let kernel = facts.kernel();
    let firmware: Vec<String> = facts
        .gpus()
        .iter()
        .flat_map(|gpu| gpu.firmware.iter().map(|(name, version)| format!("{name} {version}")))
        .collect();
    let versions: Vec<(&str, Version)> = facts
        .around
        .packages
        .iter()
        .flatten()
        .filter_map(|(name, version)| {
            Some((name.as_str(), version.split('+').next()?.parse().ok()?))
        })
        .collect();
    let packages: Vec<(&str, &Version)> =
        versions.iter().map(|(name, version)| (*name, version)).collect();
    let situation = Situation {
        gfx: &gfx,
        rocm: rocm.as_ref(),
        driver: driver.as_ref(),
        driver_kind,
        system: system.as_ref(),
        kernel: kernel.as_ref(),
        firmware: &firmware,
        packages: &packages,
    };
    let rows = registry.known_bad_in(&situation).into_iter().map(|(row, _)| row);
    rows.filter(|row| row.id.starts_with(prefix)).collect()
}

/// The release of three numbers behind a dotted one.
pub(in crate::diagnose::rules) fn as_rocm(release: &Dotted) -> RocmVersion {
    RocmVersion::new(release.part(0).into(), release.part(1).into(), release.part(2).into())
}

/// AMD says of APUs what the dkms driver says of them.
pub(in crate::diagnose::rules) fn dkms_on_apu(
    facts: &Facts,
    registry: &Registry,
) -> Option<Finding> {
    let row = holding(facts, registry, "apu-dkms").into_iter().next()?;
    let driver = &facts.host.driver;
    let version = driver
        .module_version
        .as_deref()
        .or(driver.package.as_ref().map(|own| own.version.as_str()));
    Some(
        found("D-dkms-on-apu", Certain)
            .because(row.what.clone())
            .because(format!("amdgpu-dkms {}", version.unwrap_or("is installed"))),
    )
}

pub(in crate::diagnose::rules) fn window(facts: &Facts, registry: &Registry) -> Option<Finding> {
    if facts.is_windows() || facts.is_wsl() || !facts.has_dkms_driver() {
        return None;
    }
    let driver = driver_release(&facts.host, registry)?;
    let number: Dotted = driver.release.parse().ok()?;
    let (rocm, by) = facts.rocm()?;
    let release = as_rocm(&rocm);
    let judgement = registry.driver_with_rocm(&number, &release, None);
    if !judgement.verdict.refuses() {
        return None;
    }
    let window: Vec<String> =
        registry.drivers_for(&release).iter().map(ToString::to_string).collect();
    Some(
        found("D-driver-window", Likely)
            .because(format!("driver {} ({})", driver.release, driver.origin))
            .because(format!("ROCm {rocm} ({by})"))
            .because(judgement.reason.to_string())
            .with("window", window.join(", "))
            .with("rocm", rocm.to_string()),
    )
}

pub(in crate::diagnose::rules) fn vgpr(facts: &Facts, registry: &Registry) -> Option<Finding> {
    let row = holding(facts, registry, "gfx1151-vgpr").into_iter().next()?;
    let (rocm, by) = facts.rocm()?;
    let kernel = facts.host.kernel.release.as_deref()?;
    Some(
        found("D-vgpr-kernel", Certain)
            .because(row.what.clone())
            .because(format!("kernel {kernel}, ROCm {rocm} ({by})")),
    )
}

/// Ubuntu's OEM kernels have the mend from their number 1018 on.
pub(in crate::diagnose::rules) fn vgpr_old_kernel(facts: &Facts, _: &Registry) -> Option<Finding> {
    let kernel = facts.kernel()?;
    let text = facts.host.kernel.release.as_deref()?;
    let is_oem = text.ends_with("-oem") && kernel.abi.is_some_and(|abi| abi >= 1018);
    let applies = facts.has_target(&["gfx1151"]) && !facts.is_wsl() && !facts.is_windows();
    (applies && !is_oem && !kernel.is_at_least("6.17.9"))
        .then(|| found("D-vgpr-old-kernel", Possible).because(format!("kernel {text} on gfx1151")))
}

pub(in crate::diagnose::rules) fn apu_memory(
    facts: &Facts,
    registry: &Registry,
) -> Option<Finding> {
    if facts.is_wsl() || facts.is_windows() {
        return None;
    }
    let row = holding(facts, registry, "gfx1151-memory").into_iter().next()?;
    let kernel = facts.host.kernel.release.as_deref()?;
    Some(
        found("D-apu-memory-kernel", Likely)
            .because(row.what.clone())
            .because(format!("kernel {kernel}")),
    )
}

pub(in crate::diagnose::rules) fn known_bad(facts: &Facts, registry: &Registry) -> Option<Finding> {
    rest(facts, registry, Effect::Refuse, found("D-known-bad", Likely))
}

pub(in crate::diagnose::rules) fn known_risk(
    facts: &Facts,
    registry: &Registry,
) -> Option<Finding> {
    rest(facts, registry, Effect::Warn, found("D-known-risk", Likely))
}

fn rest(facts: &Facts, registry: &Registry, effect: Effect, finding: Finding) -> Option<Finding> {
    let own = |row: &&KnownBad| SPOKEN_FOR.iter().any(|prefix| row.id.starts_with(prefix));
    let rows: Vec<_> = holding(facts, registry, "")
        .into_iter()
        .filter(|row| row.effect == effect && !own(row))
        .collect();
    let first = rows.first()?;
    let finding = finding
        .with("what", first.what.clone())
        .with("instead", first.instead.clone().unwrap_or_else(|| "another combination".to_owned()));
    Some(rows.iter().fold(finding, |finding, row| {
        finding.because(format!("{} ({}; {})", row.what, row.id, row.basis))
    }))
}

/// Rows that have a rule of their own.
const SPOKEN_FOR: &[&str] = &[
    "dkms-",
    "apu-dkms",
    "gfx1151-vgpr",
    "gfx1151-memory",
    "gfx1151-mes",
    "gfx103x-classic",
    "gfx906-",
    "bitsandbytes-",
    "amdsmi-",
    "nvidia-ml-py",
    "triton-twice",
    "jaxlib-",
];
