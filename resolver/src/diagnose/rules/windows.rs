//! Native Windows: HIP runtimes, drivers, and what has to be on or off.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::registry::query::System;
use rocmenv_manifests::registry::rows::support::SupportStatus;
use rocmenv_manifests::registry::{Registry, Verdict};
use rocmenv_manifests::version::Dotted;

use super::Confidence::{Certain, Likely, Symptom};
use super::driver::as_rocm;
use super::{Finding, Rule, found, told};
use crate::diagnose::facts::{Facts, Signal};

pub(super) const RULES: &[Rule] = &[
    no_device,
    rdna2_hidden,
    legacy_driver,
    hip_missing,
    sdk_conflict,
    runtime_only,
    stated_no,
    smart_app_control,
    vc_runtime,
    max_path,
];

fn is_here(facts: &Facts) -> bool {
    facts.is_windows()
        || facts.said(Signal::NoRocmDevice).is_some_and(|one| one.line.contains(".exe"))
}

/// Whether HIP sees nothing: it says so, or torch does.
fn is_blind(facts: &Facts) -> bool {
    facts.said(Signal::NoRocmDevice).is_some()
        || facts.said(Signal::NoHipGpus).is_some()
        || facts.around.torch.available == Some(false)
}

fn no_device(facts: &Facts, _: &Registry) -> Option<Finding> {
    if !is_here(facts) {
        return None;
    }
    let finding = told(facts, &[Signal::NoRocmDevice], "D-windows-no-device", Symptom)?;
    let runtimes = &facts.around.windows.system32;
    Some(
        runtimes
            .iter()
            .fold(finding, |finding, name| finding.because(format!("System32 has {name}"))),
    )
}

fn is_rdna2(target: GfxTarget) -> bool {
    target.major() == 10 && target.minor() == 3
}

fn rdna2_hidden(facts: &Facts, _: &Registry) -> Option<Finding> {
    let target = facts.targets().into_iter().find(|target| is_rdna2(*target))?;
    let rocm = facts.rocm();
    let affected = rocm
        .as_ref()
        .is_some_and(|(release, _)| *release >= Dotted::new(7, 1) && *release < Dotted::new(7, 13));
    let driver = facts.host.driver.release.as_ref().filter(|driver| {
        driver.starts_with(&Dotted::new(26, 1)) || driver.starts_with(&Dotted::new(26, 3))
    });
    // a card that a runtime lists is not hidden
    let listed = facts.around.runtime_gpus.iter().any(|gpu| gpu.gfx.is_some_and(is_rdna2));
    if !facts.is_windows()
        || listed
        || !(affected || driver.is_some())
        || !is_blind(facts) && !affected
    {
        return None;
    }
    let mut finding = found("D-windows-rdna2-hidden", Likely)
        .because(format!("{target} on Windows"))
        .shown_by(facts, &[Signal::NoRocmDevice, Signal::NoHipGpus]);
    if let Some((release, by)) = rocm {
        finding = finding.because(format!("HIP of ROCm {release} ({by})"));
    }
    Some(match driver {
        Some(driver) => finding.because(format!("driver {driver}")),
        None => finding,
    })
}

fn legacy_driver(facts: &Facts, _: &Registry) -> Option<Finding> {
    let adapter = facts.around.windows.adapters.iter().find(|adapter| {
        let ours = adapter.name.contains("Radeon") || adapter.name.contains("AMD");
        ours && adapter
            .driver_version
            .as_deref()
            .is_some_and(|version| version.starts_with("31.0.2"))
    })?;
    let version = adapter.driver_version.as_deref()?;
    is_blind(facts).then(|| {
        found("D-windows-legacy-driver", Likely)
            .because(format!("{}: driver {version}", adapter.name))
            .shown_by(facts, &[Signal::NoRocmDevice])
    })
}

fn hip_missing(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::HipDllMissing], "D-windows-hip-missing", Certain)
}

fn sdk_conflict(facts: &Facts, _: &Registry) -> Option<Finding> {
    let path = facts.variable("HIP_PATH").filter(|_| facts.is_windows())?;
    let named = path.rsplit(['\\', '/']).find_map(Dotted::leading);
    let sdk = named.or_else(|| Dotted::leading(facts.around.windows.hip_sdk.as_deref()?))?;
    let (own, by) = facts.rocm()?;
    let differs = own.part(0) != sdk.part(0) || own.part(1) != sdk.part(1);
    differs.then(|| {
        found("D-windows-sdk-conflict", Likely)
            .because(format!(
                "HIP_PATH leads to the HIP SDK {sdk}, the program is of ROCm {own} ({by})"
            ))
            .with("path", path)
    })
}

fn runtime_only(facts: &Facts, registry: &Registry) -> Option<Finding> {
    if !facts.is_windows() || facts.has_bundled_rocm() {
        return None;
    }
    let (rocm, by) = facts.rocm()?;
    let release = as_rocm(&rocm).dotted();
    let target = facts.main_targets().into_iter().find(|target| {
        let rows = registry.gpu_support().hip_sdk.iter();
        let own: Vec<_> = rows
            .filter(|row| row.release.contains(release.parts()))
            .filter(|row| row.gfx.contains(target))
            .collect();
        !own.is_empty() && own.iter().all(|row| row.status == SupportStatus::RuntimeOnly)
    })?;
    Some(
        found("D-windows-runtime-only", Likely)
            .because(format!("{target}: runtime without libraries in the HIP SDK {rocm} ({by})")),
    )
}

/// Only for a GPU that no runtime lists: who computes on it does not need the table.
fn stated_no(facts: &Facts, registry: &Registry) -> Option<Finding> {
    let os = facts.host.os.release.clone().filter(|_| facts.is_windows())?;
    let (rocm, by) = facts.rocm()?;
    let release = as_rocm(&rocm);
    if facts.around.runtime_gpus.iter().any(|gpu| gpu.gfx.is_some()) {
        return None;
    }
    facts.gpus().iter().find_map(|gpu| {
        let product = gpu.product.as_deref()?;
        let known = registry.gpu_named(product)?;
        let system = System { os: os.clone(), wsl: false };
        let judgement = registry.gpu_on_system(&known, &system, &release);
        (judgement.verdict == Verdict::StatedNo).then(|| {
            let systems: Vec<String> = registry
                .systems_of_product(product, &release)
                .iter()
                .map(|name| name.0.clone())
                .collect();
            found("D-windows-stated-no", Certain)
                .because(format!("{product} with ROCm {rocm} ({by}): {}", judgement.reason))
                .with("systems", systems.join(", "))
        })
    })
}

fn smart_app_control(facts: &Facts, _: &Registry) -> Option<Finding> {
    if let Some(finding) = told(facts, &[Signal::SmartAppControl], "D-smart-app-control", Certain) {
        return Some(finding);
    }
    (facts.is_windows() && facts.around.windows.smart_app_control == Some(true)).then(|| {
        found("D-smart-app-control", Certain).because("VerifiedAndReputablePolicyState is not 0")
    })
}

fn vc_runtime(facts: &Facts, _: &Registry) -> Option<Finding> {
    if let Some(finding) = told(facts, &[Signal::VcRuntime], "D-vc-runtime", Likely) {
        return Some(finding);
    }
    (facts.is_windows() && facts.around.windows.vc_runtime == Some(false)).then(|| {
        found("D-vc-runtime", Certain).because("System32 lacks vcruntime140_1.dll or msvcp140.dll")
    })
}

fn max_path(facts: &Facts, _: &Registry) -> Option<Finding> {
    if let Some(finding) = told(facts, &[Signal::LongPath], "D-max-path", Certain) {
        return Some(finding);
    }
    (facts.is_windows() && facts.around.windows.long_paths == Some(false))
        .then(|| found("D-max-path", Likely).because("LongPathsEnabled is 0"))
}
