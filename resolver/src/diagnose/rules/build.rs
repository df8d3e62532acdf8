//! Whether the installed build is one for this GPU's maker, this Python, this set.

use std::str::FromStr;

use pep440_rs::VersionSpecifiers;
use rocmenv_manifests::registry::Registry;

use super::Confidence::{Certain, Likely, Possible};
use super::driver::{as_rocm, holding};
use super::{Finding, Rule, found, told};
use crate::diagnose::facts::{Facts, Signal, TorchBuild};

pub(super) const RULES: &[Rule] = &[
    torch_cpu,
    torch_cuda,
    already_satisfied,
    vllm_cuda,
    index_too_old,
    python_tag,
    platform_wheel,
    torchvision_pair,
    triton_twice,
    triton_index,
    jax_plugin,
    bitsandbytes,
    local_order,
    addon_cuda,
    index_layout,
    index_incomplete,
    build_tools,
];

/// A machine without an AMD GPU may well want a CPU or CUDA build.
fn wants_rocm(facts: &Facts) -> bool {
    facts.host.has_gpu() != Some(false)
}

fn torch_cpu(facts: &Facts, _: &Registry) -> Option<Finding> {
    if !wants_rocm(facts) {
        return None;
    }
    let said = facts.said(Signal::TorchNoCuda).is_some();
    let (why, sure) = match facts.torch() {
        TorchBuild::Cpu(why) => (Some(why), Certain),
        // another Python than the one whose packages are listed, or replaced since
        TorchBuild::Rocm(_) if said => (None, Possible),
        TorchBuild::Absent | TorchBuild::Unknown if said => (None, Likely),
        _ => return None,
    };
    let finding = found("D-torch-cpu", sure).shown_by(facts, &[Signal::TorchNoCuda]);
    Some(match why {
        Some(why) => finding.because(why),
        None => finding,
    })
}

fn torch_cuda(facts: &Facts, _: &Registry) -> Option<Finding> {
    if !wants_rocm(facts) {
        return None;
    }
    let sure = if facts.around.nvidia == Some(true) { Possible } else { Certain };
    match facts.torch() {
        TorchBuild::Cuda(why) => Some(found("D-torch-cuda", sure).because(why)),
        TorchBuild::Unknown if facts.around.torch.available == Some(false) => Some(
            found("D-torch-cuda", Likely.min(sure))
                .because("torch without a ROCm label sees no GPU on a machine with an AMD one"),
        ),
        _ => None,
    }
}

fn already_satisfied(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::AlreadySatisfied], "D-already-satisfied", Certain)
}

fn vllm_cuda(facts: &Facts, _: &Registry) -> Option<Finding> {
    let finding = told(facts, &[Signal::VllmNoDevice], "D-vllm-cuda", Likely);
    let bare =
        facts.package("vllm").filter(|version| !version.contains("rocm") && wants_rocm(facts));
    match (finding, bare) {
        (Some(finding), Some(version)) => Some(finding.because(format!("vllm {version}"))),
        (Some(finding), None) => Some(finding),
        (None, Some(version)) if facts.around.nvidia != Some(true) => {
            Some(found("D-vllm-cuda", Likely).because(format!("vllm {version} has no +rocm label")))
        }
        _ => None,
    }
}

/// A torch that was asked for, and an index whose builds for that ROCm do not hold it.
fn index_too_old(facts: &Facts, registry: &Registry) -> Option<Finding> {
    facts.around.wanted.iter().find_map(|wanted| {
        let release = as_rocm(&wanted.rocm);
        let builds: Vec<_> = registry
            .builds_of("torch")
            .into_iter()
            .filter(|build| build.channel.starts_with("pytorch") && build.is_built_for(&release))
            .filter_map(rocmenv_manifests::registry::rows::builds::Build::public_version)
            .collect();
        let specifiers = VersionSpecifiers::from_str(&wanted.torch).ok()?;
        let fits = builds.iter().any(|version| specifiers.contains(version));
        if builds.is_empty() || fits {
            return None;
        }
        let (first, last) = (builds.iter().min()?, builds.iter().max()?);
        Some(
            found("D-index-too-old", Likely)
                .because(format!(
                    "torch{} asked of the index for ROCm {}",
                    wanted.torch, wanted.rocm
                ))
                .because(format!("builds that are known there: {first} to {last}"))
                .with("torch", wanted.torch.trim_start_matches('=')),
        )
    })
}

fn python_tag(facts: &Facts, _: &Registry) -> Option<Finding> {
    if facts.said(Signal::TritonMissing).is_some() || facts.said(Signal::NoSetuptools).is_some() {
        return None;
    }
    let finding = told(facts, &[Signal::NoVersions], "D-python-tag", Likely)?;
    Some(match facts.host.python.first() {
        Some(python) => finding.because(format!("Python {}", python.version)),
        None => finding,
    })
}

fn platform_wheel(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::OtherPlatform], "D-platform-wheel", Certain)
}

/// torch 2.N goes with torchvision 0.(N+15). Previews of the next versions keep no such rule.
fn torchvision_pair(facts: &Facts, _: &Registry) -> Option<Finding> {
    let said = told(facts, &[Signal::NmsMissing], "D-torchvision-pair", Certain);
    let torch = facts.package("torch").and_then(minor_of);
    let vision = facts.package("torchvision").and_then(minor_of);
    let odd = match (torch, vision) {
        (Some((2, torch)), Some((0, vision))) => vision != torch + 15,
        _ => false,
    };
    let audio = facts.package("torchaudio").and_then(minor_of);
    let deaf = match (torch, audio) {
        // from 2.11 on torchaudio keeps its own pace
        (Some((2, torch)), Some((2, audio))) => torch != audio && torch < 11,
        _ => false,
    };
    let mut finding = match (said, odd || deaf) {
        (Some(finding), _) => finding,
        (None, true) => found("D-torchvision-pair", Likely),
        (None, false) => return None,
    };
    if odd || deaf {
        let names = ["torch", "torchvision", "torchaudio"];
        let versions: Vec<String> = names
            .iter()
            .filter_map(|name| Some(format!("{name} {}", facts.package(name)?)))
            .collect();
        finding = finding.because(versions.join(", "));
    }
    Some(finding)
}

/// Major and minor of a release or a nightly; `None` for alphas (`2.8.0a0+git…`).
fn minor_of(version: &str) -> Option<(u32, u32)> {
    let public = version.split('+').next()?;
    let mut parts = public.split('.');
    let (major, minor) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let rest: String = parts.collect::<Vec<_>>().join(".");
    (!rest.contains('a')).then_some((major, minor))
}

fn triton_twice(facts: &Facts, _: &Registry) -> Option<Finding> {
    let said = told(facts, &[Signal::TritonTwice], "D-triton-twice", Likely);
    let other = ["pytorch-triton-rocm", "triton-rocm"]
        .into_iter()
        .find_map(|name| Some((name, facts.package(name)?)));
    match (facts.package("triton"), other, said) {
        (Some(plain), Some((name, version)), _) => Some(
            found("D-triton-twice", Certain)
                .because(format!("triton {plain} and {name} {version}"))
                .shown_by(facts, &[Signal::TritonTwice]),
        ),
        (_, _, said) => said,
    }
}

fn triton_index(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::TritonMissing], "D-triton-index", Certain)
}

fn jax_plugin(facts: &Facts, registry: &Registry) -> Option<Finding> {
    if let Some(finding) = told(facts, &[Signal::JaxPlugin], "D-jax-plugin", Certain) {
        return Some(finding);
    }
    if let Some(row) = holding(facts, registry, "jaxlib-").first() {
        return Some(found("D-jax-plugin", Certain).because(row.what.clone()));
    }
    ["jax-rocm7", "jax-rocm60", "jax-rocm10"].into_iter().find_map(|family| {
        let plugin = facts.package(&format!("{family}-plugin"))?;
        let pjrt = facts.package(&format!("{family}-pjrt"))?;
        (plugin != pjrt).then(|| {
            found("D-jax-plugin", Likely)
                .because(format!("{family}-plugin {plugin}, {family}-pjrt {pjrt}"))
        })
    })
}

fn bitsandbytes(facts: &Facts, registry: &Registry) -> Option<Finding> {
    if let Some(finding) = told(facts, &[Signal::Bitsandbytes], "D-bitsandbytes-name", Certain) {
        return Some(finding);
    }
    let row = holding(facts, registry, "bitsandbytes-").into_iter().next()?;
    Some(found("D-bitsandbytes-name", Likely).because(row.what.clone()))
}

fn local_order(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::LocalOrder], "D-local-order", Likely)
}

/// A library of CUDA that was looked for, or a +cu label, beside a ROCm torch.
fn addon_cuda(facts: &Facts, _: &Registry) -> Option<Finding> {
    let rocm = matches!(facts.torch(), TorchBuild::Rocm(_));
    let labelled = facts
        .around
        .packages
        .iter()
        .flatten()
        .find(|(name, version)| name.as_str() != "torch" && version.contains("+cu"));
    let said = facts.said(Signal::CudaLibrary).is_some();
    if !said && (!rocm || labelled.is_none()) {
        return None;
    }
    // of a CUDA torch its own rule speaks
    if matches!(facts.torch(), TorchBuild::Cuda(_)) {
        return None;
    }
    let mut finding = found("D-addon-cuda", if rocm { Certain } else { Likely })
        .shown_by(facts, &[Signal::CudaLibrary]);
    let named = facts.said(Signal::CudaLibrary).and_then(|message| {
        let known =
            ["torchcodec", "torchaudio", "torchvision", "xformers", "flash_attn", "onnxruntime"];
        known.into_iter().find(|name| message.line.contains(name))
    });
    if let Some((name, version)) = labelled {
        finding = finding.because(format!("{name} {version}"));
    }
    let package = named.or(labelled.map(|(name, _)| name.as_str())).unwrap_or("PACKAGE");
    Some(finding.with("package", package))
}

fn index_layout(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::IndexRefused], "D-index-layout", Likely)
}

/// A plain dependency is missing, or the libraries are of another GPU than this machine's.
fn index_incomplete(facts: &Facts, _: &Registry) -> Option<Finding> {
    if facts.said(Signal::TritonMissing).is_none()
        && let Some(finding) = told(facts, &[Signal::IndexLacks], "D-index-incomplete", Likely)
    {
        return Some(finding);
    }
    let targets = facts.main_targets();
    let name = facts.around.packages.as_ref()?.keys().find_map(|name| {
        let gfx = name.strip_prefix("rocm-sdk-libraries-")?;
        let exact: rocmenv_manifests::gfx::GfxTarget = gfx.parse().ok()?;
        (!targets.is_empty() && !targets.contains(&exact)).then_some(name)
    })?;
    Some(
        found("D-index-incomplete", Likely)
            .because(format!("{name} is not for the GPU of this machine")),
    )
}

fn build_tools(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::NoSetuptools], "D-build-tools", Likely)
}
