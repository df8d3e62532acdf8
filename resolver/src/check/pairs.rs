//! The pairs of host and release, each judged by the registry.

use rocmenv_manifests::registry::rows::kernels::DriverKind;
use rocmenv_manifests::registry::{Judgement, KnownGpu, Reason, Registry, Situation, Verdict};
use rocmenv_manifests::version::{DriverVersion, RocmVersion};

use super::answer::{Item, Pair};
use super::question::CheckHost;
use crate::target::TargetDriver;

/// Every pair of the host and a release.
pub(super) fn host_pairs(registry: &Registry, host: &CheckHost, rocm: &RocmVersion) -> Vec<Pair> {
    let release = || Item::Rocm(rocm.clone());
    let mut pairs = driver_pairs(registry, host, rocm);
    pairs.extend(host.python.as_ref().and_then(|python| {
        let judgement = registry.python_with_wheels(python, rocm)?;
        judgement.verdict.refuses().then(|| Pair {
            left: Item::Python(python.clone()),
            right: release(),
            judgement,
        })
    }));
    if host.system.is_none() {
        let unlisted = host.gpus.iter().filter(|gpu| is_unlisted(registry, gpu, rocm));
        pairs.extend(unlisted.map(|gpu| Pair {
            left: Item::Gpu(name(gpu)),
            right: release(),
            judgement: Judgement {
                verdict: Verdict::NotKnown,
                reason: Reason::NothingRead(format!(
                    "{} with ROCm {rocm} on any system",
                    name(gpu)
                )),
                evidence: Vec::new(),
                contradicted_by: Vec::new(),
            },
        }));
    }
    if let Some(system) = &host.system {
        for gpu in &host.gpus {
            let left = Item::Gpu(format!("{} on {system}", name(gpu)));
            let judgement = registry.gpu_on_system(gpu, system, rocm);
            pairs.push(Pair { left, right: release(), judgement });
        }
        for gpu in each_gpu(host) {
            let judgement = registry.system_with_rocm(system, rocm, gpu);
            let pair = Pair { left: Item::System(system.to_string()), right: release(), judgement };
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        if let Some(kernel) = &host.kernel {
            for gpu in &host.gpus {
                let judged = registry.apu_kernel_with_rocm(kernel, gpu, system, rocm);
                let left = Item::Kernel(format!("{kernel} on {}", gpu.gfx));
                pairs.extend(judged.map(|judgement| Pair { left, right: release(), judgement }));
            }
        }
    }
    pairs
}

/// Whether no table of a classic release names the target for any system. Later lines hold
/// their code in wheels of its own, which says more.
fn is_unlisted(registry: &Registry, gpu: &KnownGpu, rocm: &RocmVersion) -> bool {
    let release = rocm.dotted();
    let is_classic = registry.line_of(rocm).is_some_and(|line| line.name == "classic");
    let mut rows = registry.gpu_support().row.iter();
    let is_named =
        rows.any(|row| row.release.contains(release.parts()) && row.gfx.contains(&gpu.gfx));
    is_classic && !is_named
}

/// Known combinations of host, release and packages.
pub(super) fn known_bad(
    registry: &Registry,
    host: &CheckHost,
    rocm: &RocmVersion,
    packages: &[(&str, &pep440_rs::Version)],
) -> Vec<Pair> {
    let gfx: Vec<_> = host.gpus.iter().map(|gpu| gpu.gfx).collect();
    let situation = Situation {
        gfx: &gfx,
        rocm: Some(rocm),
        driver: amd_release(host),
        driver_kind: driver_kind(host),
        system: host.system.as_ref(),
        kernel: host.kernel.as_ref(),
        firmware: &[],
        packages,
    };
    let found = registry.known_bad_in(&situation);
    let pair =
        |(row, judgement): (&rocmenv_manifests::registry::rows::known_bad::KnownBad, Judgement)| {
            Pair {
                left: Item::Combination(row.id.clone()),
                right: Item::Rocm(rocm.clone()),
                judgement,
            }
        };
    found.into_iter().map(pair).collect()
}

/// Each GPU, or once none.
pub(super) fn each_gpu(host: &CheckHost) -> Vec<Option<&KnownGpu>> {
    match host.gpus.as_slice() {
        [] => vec![None],
        gpus => gpus.iter().map(Some).collect(),
    }
}

/// What a user calls a GPU.
pub(super) fn name(gpu: &KnownGpu) -> String {
    gpu.product.clone().unwrap_or_else(|| gpu.gfx.to_string())
}

fn driver_pairs(registry: &Registry, host: &CheckHost, rocm: &RocmVersion) -> Vec<Pair> {
    let Some(driver) = &host.driver else { return Vec::new() };
    let wsl = host.system.as_ref().is_some_and(|system| system.wsl);
    let judge = |gpu: Option<&KnownGpu>| -> (String, Judgement) {
        match driver {
            TargetDriver::Amd(release) => {
                (release.to_string(), registry.driver_with_rocm(release, rocm, gpu))
            }
            TargetDriver::UnknownRelease { module } => {
                let judged = match module.parse() {
                    Ok(number) => registry.module_with_rocm(&number, None, rocm, gpu),
                    Err(_) => registry.in_tree_with_rocm(None, None, None, rocm),
                };
                (format!("module {module}"), judged)
            }
            TargetDriver::InTree => {
                let kernel = host.kernel.as_ref();
                let judged = registry.in_tree_with_rocm(kernel, gpu, host.system.as_ref(), rocm);
                ("in-tree".to_owned(), judged)
            }
            TargetDriver::Adrenalin(version) => {
                (version.to_string(), registry.windows_driver_with_rocm(version, rocm, wsl))
            }
        }
    };
    let mut pairs: Vec<Pair> = Vec::new();
    for gpu in each_gpu(host) {
        let (driver, judgement) = judge(gpu);
        let pair = Pair { left: Item::Driver(driver), right: Item::Rocm(rocm.clone()), judgement };
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs
}

fn amd_release(host: &CheckHost) -> Option<&DriverVersion> {
    match host.driver.as_ref()? {
        TargetDriver::Amd(release) => Some(release),
        _ => None,
    }
}

fn driver_kind(host: &CheckHost) -> Option<DriverKind> {
    match host.driver.as_ref()? {
        TargetDriver::Amd(_) | TargetDriver::UnknownRelease { .. } => Some(DriverKind::Amd),
        TargetDriver::InTree => Some(DriverKind::InTree),
        TargetDriver::Adrenalin(_) => None,
    }
}
