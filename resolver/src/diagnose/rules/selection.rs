//! Which GPUs a process gets: masks, integrated GPUs, other makers.

use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::Dotted;

use super::Confidence::{Certain, Likely, Possible};
use super::arch::{concerned, is_about_integrated};
use super::masks::Masks;
use super::{Finding, Rule, found, told};
use crate::diagnose::facts::{Facts, Signal, gpu_label};
use crate::host::facts::GpuKind;

pub(super) const RULES: &[Rule] = &[
    masks_cancel,
    mask_hides_all,
    mask_partial,
    igpu_beside,
    igpu_chosen,
    mixed_vendor,
    vllm_platforms,
    mixed_arch,
    partition_report,
];

/// The masks of the process that is looked at.
pub(crate) fn masks(facts: &Facts) -> Masks<'_> {
    Masks {
        rocr: facts.variable("ROCR_VISIBLE_DEVICES"),
        hip: facts.variable("HIP_VISIBLE_DEVICES"),
        cuda: facts.variable("CUDA_VISIBLE_DEVICES"),
        ordinal: facts.variable("GPU_DEVICE_ORDINAL"),
    }
}

/// How many GPUs the masks are counted over. Where nobody knows, many: then only masks that
/// contradict each other leave nothing.
fn count(facts: &Facts) -> usize {
    let usable = facts.gpus().iter().filter(|gpu| gpu.kfd_node.is_some()).count();
    [usable, facts.gpus().len(), facts.around.runtime_gpus.len()]
        .into_iter()
        .find(|count| *count > 0)
        .unwrap_or(MANY)
}

const MANY: usize = 64;

fn mask_lines(facts: &Facts, finding: Finding) -> Finding {
    let stages = masks(facts);
    stages
        .stages()
        .into_iter()
        .fold(finding, |finding, (name, mask)| finding.because(format!("{name}={mask}")))
}

fn masks_cancel(facts: &Facts, _: &Registry) -> Option<Finding> {
    let masks = masks(facts);
    let stages = masks.stages();
    let nothing_left = masks.visible(count(facts)).is_empty();
    if stages.len() < 2 || !nothing_left {
        return None;
    }
    // each alone would leave something
    let alone = stages.iter().all(|(_, mask)| {
        !Masks { rocr: Some(mask), ..Masks::default() }.visible(count(facts)).is_empty()
    });
    alone.then(|| {
        mask_lines(facts, found("D-masks-cancel", Certain)).because("together they leave no GPU")
    })
}

fn mask_hides_all(facts: &Facts, _: &Registry) -> Option<Finding> {
    if facts.host.has_gpu() == Some(false) {
        return None;
    }
    let masks = masks(facts);
    let culprit = masks.stages().into_iter().find(|(_, mask)| {
        Masks { rocr: Some(mask), ..Masks::default() }.visible(count(facts)).is_empty()
    });
    let (name, _) = culprit?;
    Some(mask_lines(facts, found("D-mask-hides-all", Certain)).with("variable", name))
}

fn mask_partial(facts: &Facts, _: &Registry) -> Option<Finding> {
    let masks = masks(facts);
    let (name, _) = *masks.stages().first()?;
    let all = count(facts);
    let left = masks.visible(all).len();
    (all != MANY && left > 0 && left < all).then(|| {
        mask_lines(facts, found("D-mask-partial", Certain))
            .because(format!("{left} of {all} GPUs remain"))
            .with("variable", name)
    })
}

/// The first card's index, where an integrated GPU stands beside it.
fn card_beside_integrated(facts: &Facts) -> Option<usize> {
    let kinds: Vec<_> = facts.gpus().iter().map(|gpu| facts.kind_of(gpu)).collect();
    let integrated = kinds.contains(&Some(GpuKind::Integrated));
    let card = kinds.iter().position(|kind| *kind == Some(GpuKind::Discrete))?;
    integrated.then_some(card)
}

fn igpu_beside(facts: &Facts, _: &Registry) -> Option<Finding> {
    let card = card_beside_integrated(facts)?;
    let visible = masks(facts).visible(facts.gpus().len());
    let shown = |index: &usize| facts.kind_of(&facts.gpus()[*index]) == Some(GpuKind::Integrated);
    if !visible.iter().any(shown) {
        return None;
    }
    let finding = found("D-igpu-beside-dgpu", Likely).with("index", card.to_string());
    Some(facts.gpus().iter().enumerate().fold(finding, |finding, (index, gpu)| {
        finding.because(format!("device {index}: {}", gpu_label(gpu)))
    }))
}

fn igpu_chosen(facts: &Facts, _: &Registry) -> Option<Finding> {
    let target = facts.said(Signal::TensileMissing).and_then(|_| concerned(facts));
    let by_message = target.is_some_and(|target| is_about_integrated(facts, target));
    let card = card_beside_integrated(facts)?;
    if !by_message {
        return None;
    }
    told(facts, &[Signal::TensileMissing], "D-igpu-chosen", Certain)
        .map(|finding| finding.with("index", card.to_string()))
}

/// By the PCI bus (or Windows' adapters) alone: a file named nvidia-smi proves no GPU.
fn mixed_vendor(facts: &Facts, _: &Registry) -> Option<Finding> {
    let both = facts.around.nvidia == Some(true) && facts.host.has_gpu() == Some(true);
    both.then(|| found("D-mixed-vendor", Certain).because("display devices of NVIDIA and of AMD"))
}

fn vllm_platforms(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::VllmTwoPlatforms], "D-vllm-two-platforms", Certain)
}

/// Cards of different families; an integrated GPU beside a card has a rule of its own.
fn mixed_arch(facts: &Facts, _: &Registry) -> Option<Finding> {
    let visible = masks(facts).visible(facts.gpus().len());
    let cards: std::collections::BTreeSet<_> = visible
        .iter()
        .map(|index| &facts.gpus()[*index])
        .filter(|gpu| facts.kind_of(gpu) == Some(GpuKind::Discrete))
        .filter_map(|gpu| gpu.gfx)
        .collect();
    let families: std::collections::BTreeSet<_> =
        cards.iter().map(|gfx| (gfx.major(), gfx.minor())).collect();
    let same_line =
        families.iter().map(|(major, _)| major).collect::<std::collections::BTreeSet<_>>();
    let differs =
        same_line.len() > 1 || cards.iter().any(|gfx| gfx.major() == 9) && cards.len() > 1;
    if !differs {
        return None;
    }
    let old = facts.rocm().is_some_and(|(release, _)| release.part(0) == 6 && release.part(1) == 0);
    let names: Vec<String> = cards.iter().map(ToString::to_string).collect();
    let finding = found("D-mixed-arch", if old { Certain } else { Possible })
        .because(format!("visible at once: {}", names.join(", ")))
        .with("index", "0");
    Some(if old { finding.because(format!("ROCm {}", Dotted::new(6, 0))) } else { finding })
}

fn partition_report(facts: &Facts, _: &Registry) -> Option<Finding> {
    let mode = facts.gpus().iter().find_map(|gpu| {
        let partition = gpu.partition.as_ref()?;
        partition.compute_mode.as_deref().filter(|mode| *mode != "SPX")
    })?;
    Some(found("D-partition-report", Certain).because(format!("compute partition mode {mode}")))
}
