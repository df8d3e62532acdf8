//! The guard of the accelerator: what in a set of packages is built for something else than
//! ROCm, does not belong to the other builds, or lacks its code for a GPU.
//!
//! The solver keeps such sets out. The guard does not trust it: it looks at names, versions and
//! indexes alone, so that it can be asked of a lock, of what is about to be installed, and of
//! what somebody put into an environment by hand.

use std::fmt;

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::project::Accelerator;
use rocmenv_manifests::python::{BuildLabel, Version};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::RocmVersion;
use serde::Serialize;

/// A package as the guard sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// Its normal name.
    pub name: String,
    /// Its version, with the local part.
    pub version: String,
    /// Where it came from; the general index where nobody knows.
    pub index: IndexName,
}

/// What the set is for.
#[derive(Debug, Clone)]
pub struct Guarded {
    /// What the frameworks must be built for.
    pub accelerator: Accelerator,
    /// The GPUs that it must have code for; empty where none is known.
    pub gpus: Vec<GfxTarget>,
    /// The ROCm that was chosen.
    pub rocm: Option<RocmVersion>,
}

/// A package that the guard names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Culprit {
    /// It is built for something else.
    Other {
        /// The package.
        name: String,
        /// Its version.
        version: String,
        /// What it is built for.
        built: String,
    },
    /// It is not of the build that torch is of.
    Mixed {
        /// The package.
        name: String,
        /// Its version.
        version: String,
        /// torch's version.
        torch: String,
    },
    /// Several packages provide one module, and the last one installed wins.
    Twice {
        /// The module.
        module: String,
        /// The packages.
        packages: Vec<String>,
    },
    /// The wheels that hold its code for a GPU are left out.
    NoDevice {
        /// The package.
        name: String,
        /// Its version.
        version: String,
        /// The GPU.
        gfx: GfxTarget,
        /// A wheel that would do.
        missing: String,
    },
}

/// Everything that the guard has to name; nothing where no ROCm build was asked for.
pub fn culprits(registry: &Registry, pins: &[Pin], guarded: &Guarded) -> Vec<Culprit> {
    if guarded.accelerator != Accelerator::Rocm {
        return Vec::new();
    }
    let mut found: Vec<Culprit> = pins.iter().filter_map(|pin| other(registry, pin)).collect();
    found.extend(mixed(registry, pins));
    found.extend(twice(registry, pins));
    found.extend(without_device(registry, pins, guarded));
    found
}

/// A build whose label, or whose index, says another accelerator.
fn other(registry: &Registry, pin: &Pin) -> Option<Culprit> {
    let built = match label(pin)? {
        BuildLabel::Cuda(_) => "CUDA".to_owned(),
        BuildLabel::Cpu => "the processor alone".to_owned(),
        BuildLabel::None if pin.index == IndexName::python() => {
            registry.other_accelerator(&pin.name)?.accelerator.to_uppercase()
        }
        _ => return None,
    };
    Some(Culprit::Other { name: pin.name.clone(), version: pin.version.clone(), built })
}

/// Packages of one build of which one names another ROCm than the first of them, and a Triton of
/// the general index beside a torch for ROCm.
fn mixed(registry: &Registry, pins: &[Pin]) -> Vec<Culprit> {
    registry.one_builds().flat_map(|packages| mixed_in(registry, packages, pins)).collect()
}

fn mixed_in(registry: &Registry, packages: &[String], pins: &[Pin]) -> Vec<Culprit> {
    let leader = packages.first();
    let Some(torch) = pins.iter().find(|pin| Some(&pin.name) == leader) else { return Vec::new() };
    let Some(series) = series(torch) else { return Vec::new() };
    let family = pins.iter().filter(|pin| packages.contains(&pin.name));
    let is_provider = |pin: &Pin| registry.single_modules().any(|module| module == pin.name);
    let is_other = |pin: &&Pin| match label(pin) {
        Some(BuildLabel::Rocm(_)) => self::series(pin).is_some_and(|own| own != series),
        Some(BuildLabel::None) => is_provider(pin) && pin.index == IndexName::python(),
        _ => false,
    };
    let culprit = |pin: &Pin| Culprit::Mixed {
        name: pin.name.clone(),
        version: pin.version.clone(),
        torch: torch.version.clone(),
    };
    family.filter(is_other).map(culprit).collect()
}

/// Modules that several packages of the set provide.
fn twice(registry: &Registry, pins: &[Pin]) -> Vec<Culprit> {
    let is_pinned = |package: &str| pins.iter().any(|pin| pin.name == package);
    let twice = registry.single_modules().filter_map(|module| {
        let providers = registry.providers(module);
        let mut packages: Vec<String> = providers.iter().map(|row| row.package.clone()).collect();
        packages.retain(|package| is_pinned(package));
        packages.sort();
        packages.dedup();
        (packages.len() > 1).then(|| Culprit::Twice { module: module.to_owned(), packages })
    });
    twice.collect()
}

/// Packages that keep their code for a GPU in a wheel of its own, where none of these is there.
fn without_device(registry: &Registry, pins: &[Pin], guarded: &Guarded) -> Vec<Culprit> {
    let Some(rocm) = &guarded.rocm else { return Vec::new() };
    let mut found = Vec::new();
    let family: Vec<&String> = registry.one_builds().flatten().collect();
    for pin in pins.iter().filter(|pin| family.contains(&&pin.name)) {
        for &gfx in &guarded.gpus {
            let Some(device) = registry.device_wheels(&pin.name, gfx, rocm) else { continue };
            let is_there = |wheel: &String| pins.iter().any(|other| other.name == *wheel);
            let (Some(missing), false) =
                (device.packages.first(), device.packages.iter().any(is_there))
            else {
                continue;
            };
            found.push(Culprit::NoDevice {
                name: pin.name.clone(),
                version: pin.version.clone(),
                gfx,
                missing: missing.clone(),
            });
        }
    }
    found
}

fn label(pin: &Pin) -> Option<BuildLabel> {
    let version: Version = pin.version.parse().ok()?;
    Some(BuildLabel::of(&version))
}

/// X.Y of the ROCm that a label names.
fn series(pin: &Pin) -> Option<String> {
    label(pin)?.rocm_release().map(|release| release.series().to_string())
}

impl fmt::Display for Culprit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other { name, version, built } => {
                write!(f, "{name} {version} is built for {built}, not for ROCm")
            }
            Self::Mixed { name, version, torch } => {
                write!(f, "{name} {version} is not of the build of torch {torch}")
            }
            Self::Twice { module, packages } => {
                write!(f, "{} all bring the module `{module}`", packages.join(" and "))
            }
            Self::NoDevice { name, version, gfx, missing } => write!(
                f,
                "{name} {version} keeps its code for {gfx} in a wheel of its own, and `{missing}` is \
                 left out"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn pins(texts: &[&str]) -> Vec<Pin> {
        let pin = |text: &&str| {
            let (rest, index) = text.split_once(" from ").unwrap_or((text, "pytorch-rocm7.2"));
            let (name, version) = rest.split_once("==").unwrap();
            let index = index.parse().unwrap();
            Pin { name: name.to_owned(), version: version.to_owned(), index }
        };
        texts.iter().map(pin).collect()
    }

    fn said(rocm: &str, gpus: &[&str], texts: &[&str]) -> String {
        let guarded = Guarded {
            accelerator: Accelerator::Rocm,
            gpus: gpus.iter().map(|gpu| gpu.parse().unwrap()).collect(),
            rocm: Some(rocm.parse().unwrap()),
        };
        let registry = Registry::embedded();
        let found = culprits(&registry, &pins(texts), &guarded);
        found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_set_of_one_build_passes() {
        let set = ["torch==2.9.1+rocm7.2", "torchvision==0.24.1+rocm7.2", "numpy==2.5 from python"];
        assert_eq!(said("7.2.4", &["gfx942"], &set), "");
        let set = ["torch==2.13.0+rocm10.0.0", "amd-torch-device-gfx1031==2.13.0+rocm10.0.0"];
        assert_eq!(said("10.0.0", &["gfx1031"], &set), "");
    }

    #[test]
    fn every_other_build_is_named() {
        insta::assert_snapshot!(said("7.2.4", &["gfx942"], &[
            "torch==2.9.1+rocm7.2",
            "torchvision==0.24.1+cu128",
            "torchaudio==2.9.1+cpu",
            "vllm==0.12.0 from python",
        ]), @r"
        torchvision 0.24.1+cu128 is built for CUDA, not for ROCm
        torchaudio 2.9.1+cpu is built for the processor alone, not for ROCm
        vllm 0.12.0 is built for CUDA, not for ROCm
        ");
    }

    #[test]
    fn builds_that_do_not_belong_together_are_named() {
        insta::assert_snapshot!(said("7.2.4", &["gfx942"], &[
            "torch==2.9.1+rocm7.2",
            "torchvision==0.24.1+rocm6.4",
            "triton==3.5.1 from python",
            "pytorch-triton-rocm==3.5.1",
        ]), @r"
        torchvision 0.24.1+rocm6.4 is not of the build of torch 2.9.1+rocm7.2
        triton 3.5.1 is not of the build of torch 2.9.1+rocm7.2
        pytorch-triton-rocm and triton all bring the module `triton`
        ");
    }

    #[test]
    fn a_device_wheel_that_is_left_out_is_named() {
        let set = ["torch==2.13.0+rocm10.0.0", "amd-torch-device-gfx942==2.13.0+rocm10.0.0"];
        insta::assert_snapshot!(said("10.0.0", &["gfx942", "gfx1100"], &set), @"torch 2.13.0+rocm10.0.0 keeps its code for gfx1100 in a wheel of its own, and `amd-torch-device-gfx1100` is left out");
    }

    #[test]
    fn nothing_is_guarded_where_the_processor_was_asked_for() {
        let registry = Registry::embedded();
        let guarded = Guarded { accelerator: Accelerator::Cpu, gpus: Vec::new(), rocm: None };
        assert_eq!(culprits(&registry, &pins(&["torch==2.9.1+cpu"]), &guarded), []);
    }
}
