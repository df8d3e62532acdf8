//! What the GPU or the runtime reported while it worked: faults, hangs, crashes. The symptom is
//! a finding of its own only where no cause is known.

use rocmenv_manifests::registry::Registry;

use super::super::Confidence::{Certain, Likely, Possible, Symptom};
use super::super::{Finding, first, found, told};
use crate::diagnose::facts::{Facts, Kfd, Signal};

pub(in crate::diagnose::rules) fn out_of_resources(facts: &Facts, _: &Registry) -> Option<Finding> {
    let target = facts.has_target(&["gfx1103", "gfx1150"]);
    let denied = matches!(facts.kfd(), Kfd::Refused | Kfd::Absent | Kfd::Invalid | Kfd::NoGpu);
    if !target || denied || facts.kernel_at_least("6.14") != Some(true) {
        return None;
    }
    let mended = facts.kernel_at_least("6.15.8") == Some(true);
    let signal = match facts.said(Signal::OutOfResources) {
        Some(_) => Signal::OutOfResources,
        None if !mended => Signal::GpuHang,
        None => return None,
    };
    let kernel = facts.host.kernel.release.as_deref()?;
    told(facts, &[signal], "D-apu-out-of-resources", Likely)
        .map(|finding| finding.because(format!("kernel {kernel}")))
}

pub(in crate::diagnose::rules) fn kernel_618(facts: &Facts, _: &Registry) -> Option<Finding> {
    let card = facts.has_target(&["gfx1100", "gfx1101", "gfx1102"]);
    let kernel =
        facts.host.kernel.release.as_deref().filter(|kernel| kernel.starts_with("6.18."))?;
    if !card {
        return None;
    }
    told(facts, &[Signal::PageFault], "D-kernel-618-faults", Possible)
        .map(|finding| finding.because(format!("kernel {kernel}")))
}

pub(in crate::diagnose::rules) fn page_fault(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::PageFault], "D-gpu-page-fault", Symptom)
}

pub(in crate::diagnose::rules) fn hang(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::GpuHang], "D-gpu-hang", Symptom)
}

pub(in crate::diagnose::rules) fn segfault(facts: &Facts, _: &Registry) -> Option<Finding> {
    let finding = told(facts, &[Signal::HsaSegfault], "D-runtime-segfault", Likely)?;
    Some(match facts.rocm() {
        Some((rocm, by)) => finding.because(format!("ROCm {rocm} ({by})")),
        None => finding,
    })
}

pub(in crate::diagnose::rules) fn gfx1152(facts: &Facts, _: &Registry) -> Option<Finding> {
    let message = first(facts, &[Signal::HsaGeneric])?;
    facts
        .has_target(&["gfx1152"])
        .then(|| found("D-gfx1152-hsa-error", Certain).because(message.line.clone()))
}
