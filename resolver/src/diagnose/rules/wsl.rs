//! WSL: the pair of Windows driver and ROCm, the bridge, other adapters.

use rocmenv_manifests::registry::{Registry, Verdict};
use rocmenv_manifests::version::{Dotted, RocmVersion};

use super::Confidence::{Certain, Likely, Possible, Symptom};
use super::{Finding, Rule, first, found, told};
use crate::diagnose::facts::{Facts, Signal};
use crate::host::facts::Base;

pub(super) const RULES: &[Rule] = &[
    version_1,
    no_dxg,
    dxg_detection,
    no_librocdxg,
    no_adapter,
    second_vendor,
    unsupported_gpu,
    ioctl,
    driver_pair,
    smi,
];

/// What the runtime itself says of WSL; then the reason is known.
const SPOKEN: &[Signal] =
    &[Signal::WslNoAdapter, Signal::WslThunk, Signal::WslUnsupported, Signal::WslIoctl];

fn version_1(facts: &Facts, _: &Registry) -> Option<Finding> {
    (facts.host.wsl.as_ref()?.version == 1)
        .then(|| found("D-wsl-version-1", Certain).because("the kernel is WSL 1's"))
}

fn no_dxg(facts: &Facts, _: &Registry) -> Option<Finding> {
    let wsl = facts.host.wsl.as_ref()?;
    (wsl.version == 2 && !wsl.dxg && first(facts, SPOKEN).is_none())
        .then(|| found("D-wsl-no-dxg", Certain).because("/dev/dxg is absent"))
}

/// The way over `librocdxg` came with 7.2, and 7.13 looks there by itself.
fn dxg_detection(facts: &Facts, _: &Registry) -> Option<Finding> {
    let wsl = facts.host.wsl.as_ref().filter(|wsl| wsl.version == 2 && wsl.dxg)?;
    let (rocm, by) = facts.rocm()?;
    let needs = rocm >= Dotted::new(7, 2) && rocm < Dotted::new(7, 13);
    let is_set = facts.variable("HSA_ENABLE_DXG_DETECTION").is_some_and(|value| value != "0");
    let works = facts.around.torch.available == Some(true)
        || facts.around.runtime_gpus.iter().any(|gpu| gpu.gfx.is_some());
    if !needs || is_set || works || first(facts, SPOKEN).is_some() {
        return None;
    }
    let finding =
        found("D-wsl-dxg-detection", if wsl.librocdxg.is_some() { Certain } else { Likely });
    Some(
        finding
            .because(format!("ROCm {rocm} ({by}) under WSL, HSA_ENABLE_DXG_DETECTION is not set")),
    )
}

fn no_librocdxg(facts: &Facts, _: &Registry) -> Option<Finding> {
    let wsl = facts.host.wsl.as_ref().filter(|wsl| wsl.dxg && wsl.librocdxg.is_none())?;
    let probed = facts.host.base == Base::Probed && wsl.version == 2;
    let (rocm, by) = facts.rocm()?;
    (probed && rocm >= Dotted::new(7, 2) && !facts.has_bundled_rocm()).then(|| {
        found("D-wsl-no-librocdxg", Likely)
            .because(format!("ROCm {rocm} ({by}) and no librocdxg.so in its folders"))
    })
}

/// The runtime says it, or it ends as it does without an adapter while nothing known is the
/// reason: under WSL no group and no module can be.
fn no_adapter(facts: &Facts, registry: &Registry) -> Option<Finding> {
    let said = told(facts, &[Signal::WslNoAdapter], "D-wsl-no-adapter", Certain);
    let bridge = facts.host.wsl.as_ref().is_some_and(|wsl| wsl.version == 2 && wsl.dxg);
    let has_reason = first(facts, SPOKEN).is_some()
        || dxg_detection(facts, registry).is_some()
        || facts.around.runtime_gpus.iter().any(|gpu| gpu.gfx.is_some());
    if said.is_some() || !bridge || has_reason {
        return said;
    }
    told(facts, &[Signal::OutOfResources], "D-wsl-no-adapter", Symptom)
}

fn second_vendor(facts: &Facts, _: &Registry) -> Option<Finding> {
    let sure = if facts.around.nvidia == Some(true) { Certain } else { Likely };
    told(facts, &[Signal::WslThunk], "D-wsl-second-vendor", sure)
}

fn unsupported_gpu(facts: &Facts, _: &Registry) -> Option<Finding> {
    let sure = if facts.is_wsl() { Certain } else { Likely };
    told(facts, &[Signal::WslUnsupported], "D-wsl-unsupported-gpu", sure)
}

fn ioctl(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::WslIoctl], "D-wsl-ioctl", Certain)
}

/// Only where something does not work: a newer driver than the listed one may do.
fn driver_pair(facts: &Facts, registry: &Registry) -> Option<Finding> {
    if !facts.is_wsl() || first(facts, SPOKEN).is_some() {
        return None;
    }
    let fails =
        facts.said(Signal::NoHipGpus).is_some() || facts.around.torch.available == Some(false);
    let preview = facts.around.torch.version.as_deref().or(facts.package("torch"));
    let preview = preview.filter(|version| version.contains(".dev") && version.contains("+rocm"));
    let (rocm, by) = facts.rocm()?;
    let parts = rocm.parts();
    let part = |at: usize| parts.get(at).copied().unwrap_or(0).into();
    let release = RocmVersion::new(part(0), part(1), part(2));
    let driver = facts.host.driver.release.as_ref();
    let verdict = driver
        .map(|driver| (driver, registry.windows_driver_with_rocm(driver, &release, true).verdict));
    let unlisted = verdict.filter(|(_, verdict)| *verdict != Verdict::Listed);
    let sure = match (fails, &unlisted, preview) {
        (true, Some(_), _) | (true, None, Some(_)) => Likely,
        (false, Some((_, Verdict::StatedNo)), _) | (true, None, None) => Possible,
        _ => return None,
    };
    let mut finding = found("D-wsl-driver-pair", sure).shown_by(facts, &[Signal::NoHipGpus]);
    if let Some((driver, _)) = unlisted {
        finding = finding.because(format!("driver {driver} is not listed with ROCm {rocm} ({by})"));
    }
    if let Some(version) = preview {
        finding = finding.because(format!("torch {version} is no wheel of AMD's WSL guide"));
    }
    Some(finding.because(format!("WSL with ROCm {rocm} ({by})")))
}

fn smi(facts: &Facts, _: &Registry) -> Option<Finding> {
    if !facts.is_wsl() {
        return None;
    }
    told(facts, &[Signal::SmiNoDriver, Signal::ModuleNotLoaded], "D-wsl-smi", Certain)
}
