//! What the facts show of a step, in one line; `None` where they do not say.

use crate::diagnose::facts::{AtomicPath, Facts, Kfd, TorchBuild, atomic_path, gpu_label};
use crate::diagnose::rules::selection_masks;

/// A look at the facts.
pub(super) type Seen = fn(&Facts) -> Option<String>;

pub(super) fn gpu_on_bus(facts: &Facts) -> Option<String> {
    let gpus = facts.host.gpus.as_ref()?;
    if gpus.is_empty() {
        return Some(
            "no AMD GPU is on the bus: nothing to mend, or a card that is not seated".to_owned(),
        );
    }
    Some(gpus.iter().map(gpu_label).collect::<Vec<_>>().join(", "))
}

pub(super) fn driver_loaded(facts: &Facts) -> Option<String> {
    if facts.is_wsl() {
        return Some("WSL has no amdgpu, nor needs it".to_owned());
    }
    let loaded = facts.is_driver_loaded()?;
    let module = facts.host.driver.module_version.as_deref();
    Some(match (loaded, module) {
        (true, Some(version)) => format!("amdgpu {version} (dkms) is loaded"),
        (true, None) => "amdgpu is loaded".to_owned(),
        (false, _) if facts.host.has_gpu() == Some(false) => {
            "amdgpu is not loaded, and there is no GPU for it".to_owned()
        }
        (false, _) => "amdgpu is not loaded".to_owned(),
    })
}

pub(super) fn kfd_nodes(facts: &Facts) -> Option<String> {
    if facts.is_wsl() {
        let dxg = facts.host.wsl.as_ref().is_some_and(|wsl| wsl.dxg);
        return Some(format!("WSL: /dev/dxg is {}", if dxg { "there" } else { "absent" }));
    }
    let by_gpus = facts.gpus().iter().filter(|gpu| gpu.kfd_node.is_some()).count();
    let count = facts.around.kfd_gpus.or((by_gpus > 0).then_some(by_gpus));
    let shown = count.map(|count| format!("KFD shows {count} GPU(s)"));
    let words: Vec<String> = shown.into_iter().chain(atomics(facts)).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// What is known of AtomicOps on the way to the processor.
fn atomics(facts: &Facts) -> Option<String> {
    let around = &facts.around;
    let ways: Vec<AtomicPath> = around.pcie.values().map(|way| atomic_path(way)).collect();
    if ways.iter().any(|way| matches!(way, AtomicPath::Broken(_))) {
        return Some("PCIe atomics do not reach the processor".to_owned());
    }
    if !ways.is_empty() && ways.iter().all(|way| *way == AtomicPath::Whole) {
        return Some("PCIe atomics reach the processor".to_owned());
    }
    if let Some(works) = around.kfd_atomics.values().min() {
        let word = if *works { "with" } else { "without" };
        return Some(format!("by KFD's links {word} PCIe atomics"));
    }
    let unread = around.pcie.values().flatten().any(|function| function.restricted);
    unread.then(|| "PCIe atomics: not readable without root".to_owned())
}

/// What is known of ACS above the cards.
fn acs(facts: &Facts) -> Option<String> {
    let functions = || facts.around.pcie.values().flatten();
    let redirects = functions().filter(|one| one.acs.is_some_and(|acs| acs.request_redirect));
    let count = redirects.count();
    if count > 0 {
        return Some(format!("ACS redirects at {count} port(s)"));
    }
    if functions().any(|function| function.restricted) {
        return Some("ACS: not readable without root".to_owned());
    }
    functions().any(|function| function.acs.is_some()).then(|| "ACS redirects nowhere".to_owned())
}

pub(super) fn kfd_opens(facts: &Facts) -> Option<String> {
    if facts.is_wsl() || facts.is_windows() {
        return Some("there is no /dev/kfd on this system".to_owned());
    }
    Some(match facts.kfd() {
        Kfd::Opens => "/dev/kfd opens".to_owned(),
        Kfd::Absent if facts.host.has_gpu() == Some(false) => {
            "/dev/kfd is absent, and there is no GPU for it".to_owned()
        }
        Kfd::Absent => "/dev/kfd is absent".to_owned(),
        Kfd::Refused => "/dev/kfd: EACCES".to_owned(),
        Kfd::Invalid => "/dev/kfd: EINVAL".to_owned(),
        Kfd::NoGpu => "/dev/kfd: ENOMEM".to_owned(),
        Kfd::NotPermitted => "/dev/kfd: EPERM".to_owned(),
        Kfd::Unknown => return None,
    })
}

#[expect(clippy::unnecessary_wraps, reason = "one of a table of such functions")]
pub(super) fn masks(facts: &Facts) -> Option<String> {
    let masks = selection_masks(facts);
    let stages = masks.stages();
    if stages.is_empty() {
        return Some("no mask is set".to_owned());
    }
    let words: Vec<String> = stages.iter().map(|(name, mask)| format!("{name}={mask}")).collect();
    let count = facts.gpus().len();
    let left = masks.visible(count).len();
    Some(format!("{}: {left} of {count} GPUs remain", words.join(" ")))
}

pub(super) fn runtime(facts: &Facts) -> Option<String> {
    let gpus = &facts.around.runtime_gpus;
    let names: Vec<_> = gpus.iter().map(|gpu| gpu.name.clone()).collect();
    (!gpus.is_empty()).then(|| format!("the runtime lists {}", names.join(", ")))
}

pub(super) fn torch_build(facts: &Facts) -> Option<String> {
    Some(match facts.torch() {
        TorchBuild::Rocm(Some(release)) => format!("torch is built for ROCm {release}"),
        TorchBuild::Rocm(None) => "torch is built for ROCm".to_owned(),
        TorchBuild::Cuda(why) => format!("a CUDA build: {why}"),
        TorchBuild::Cpu(why) => format!("a CPU build: {why}"),
        TorchBuild::Absent | TorchBuild::Unknown => return None,
    })
}

pub(super) fn first_gpu(facts: &Facts) -> Option<String> {
    let first = facts.around.runtime_gpus.first().map(|gpu| gpu.name.clone());
    let first = first.or_else(|| facts.gpus().first().map(gpu_label))?;
    Some(format!("device 0 is {first}"))
}

pub(super) fn arch_list(facts: &Facts) -> Option<String> {
    let archs = &facts.around.torch.archs;
    let names: Vec<String> = archs.iter().map(ToString::to_string).collect();
    (!archs.is_empty()).then(|| format!("torch has code for {}", names.join(" ")))
}

pub(super) fn hip_library(facts: &Facts) -> Option<String> {
    let library = facts.around.hip_libraries.first()?;
    Some(format!("libamdhip64 would be {}", library.path))
}

pub(super) fn bandwidth(facts: &Facts) -> Option<String> {
    let links = &facts.around.links;
    let words: Vec<String> = links
        .iter()
        .map(|(address, link)| format!("{address} x{}/x{}", link.width, link.maximum))
        .collect();
    (!links.is_empty()).then(|| words.join(", "))
}

pub(super) fn occupancy(facts: &Facts) -> Option<String> {
    let build = torch_build(facts)?;
    Some(format!("{build}; no variable serializes"))
}

pub(super) fn collectives(facts: &Facts) -> Option<String> {
    let count = facts.gpus().len();
    if count == 1 {
        return Some("one GPU: no collectives".to_owned());
    }
    let line = facts.around.command_line.as_deref()?;
    let pt = line.split_whitespace().any(|word| word == "iommu=pt");
    let first = format!("{count} GPUs, iommu=pt is {}", if pt { "set" } else { "not set" });
    Some([Some(first), acs(facts)].into_iter().flatten().collect::<Vec<_>>().join("; "))
}

pub(super) fn temperature(facts: &Facts) -> Option<String> {
    let probed = !facts.around.links.is_empty();
    probed.then(|| "no sensor is at its limit now".to_owned())
}
