//! `HSA_OVERRIDE_GFX_VERSION`: harmful, needed, or telling one lie for several GPUs.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::Dotted;

use super::Confidence::{Certain, Likely};
use super::{Finding, Rule, first, found, told};
use crate::diagnose::facts::{Facts, Signal, TorchBuild};

pub(super) const RULES: &[Rule] = &[harmful, flattens, needed, no_help];

const VARIABLE: &str = "HSA_OVERRIDE_GFX_VERSION";

/// The value and the target that it stands for.
fn set(facts: &Facts) -> Option<(&str, Option<GfxTarget>)> {
    let value = facts.variable(VARIABLE).filter(|value| !value.is_empty())?;
    let numbers: Dotted = value.parse().ok()?;
    let kfd = numbers.part(0) * 10_000 + numbers.part(1) * 100 + numbers.part(2);
    Some((value, GfxTarget::from_kfd(kfd)))
}

fn harmful(facts: &Facts, registry: &Registry) -> Option<Finding> {
    let (value, stands_for) = set(facts)?;
    let targets = facts.main_targets();
    let harmed = targets.iter().find(|target| {
        let row = registry.override_of(**target);
        let is_stopgap = row.is_some_and(|row| {
            row.verdict == "stopgap" && row.value.as_deref().is_none_or(|own| own == value)
        });
        Some(**target) != stands_for && !is_stopgap && !is_neighbour(**target, stands_for)
    })?;
    let known = registry.override_of(*harmed).is_some_and(|row| row.verdict == "harmful");
    Some(
        found("D-override-harmful", if known { Certain } else { Likely })
            .because(format!("{VARIABLE}={value} on {harmed}"))
            .shown_by(facts, &[Signal::GpuHang, Signal::IsaInvalid, Signal::PageFault]),
    )
}

/// Cards of one generation that differ in the stepping only and that no build was made for; a
/// stopgap, though nobody's row says it.
fn is_neighbour(target: GfxTarget, other: Option<GfxTarget>) -> bool {
    other.is_some_and(|other| {
        target.major() == 10 && other.major() == 10 && target.minor() == other.minor()
    })
}

/// Two different GPUs under one value, or one instruction set reported for two different chips.
fn flattens(facts: &Facts, _: &Registry) -> Option<Finding> {
    let (value, stands_for) = set(facts)?;
    let targets = facts.targets();
    let reported: Vec<_> = facts.around.runtime_gpus.iter().filter_map(|gpu| gpu.gfx).collect();
    let same = reported.len() > 1 && reported.iter().all(|gfx| Some(*gfx) == stands_for);
    let names: std::collections::BTreeSet<_> =
        facts.around.runtime_gpus.iter().map(|gpu| &gpu.name).collect();
    (targets.len() > 1 || (same && names.len() > 1)).then(|| {
        let names: Vec<String> = targets.iter().map(ToString::to_string).collect();
        found("D-override-flattens", Certain)
            .because(format!("{VARIABLE}={value} for GPUs of {}", names.join(", ")))
    })
}

fn needed(facts: &Facts, registry: &Registry) -> Option<Finding> {
    if set(facts).is_some() || facts.is_windows() {
        return None;
    }
    let fails = first(facts, &[Signal::NoCode, Signal::TensileMissing]);
    let stopgap = |target: &GfxTarget| {
        let row = registry.override_of(*target).filter(|row| row.verdict == "stopgap");
        let value = row.and_then(|row| row.value.clone());
        // gfx1011 runs as gfx1010 by a developer's word
        value.or_else(|| (target.to_string() == "gfx1011").then(|| "10.1.0".to_owned()))
    };
    let said = if let Some(message) = fails { message.gfx() } else { None };
    let targets = facts.main_targets();
    let (target, value) =
        targets.iter().chain(&said).find_map(|target| Some((*target, stopgap(target)?)))?;
    let classic = match facts.torch() {
        TorchBuild::Rocm(Some(release)) => release < Dotted::new(7, 13),
        TorchBuild::Rocm(None) | TorchBuild::Cuda(_) | TorchBuild::Cpu(_) => false,
        TorchBuild::Absent | TorchBuild::Unknown => {
            facts.rocm().is_none_or(|(release, _)| release < Dotted::new(7, 13)) && fails.is_some()
        }
    };
    if !classic {
        return None;
    }
    let finding = found("D-override-needed", Likely)
        .because(format!("{target} with a classic build and no {VARIABLE} in this process"))
        .shown_by(facts, &[Signal::NoCode, Signal::TensileMissing]);
    Some(finding.with("gfx", target.to_string()).with("value", value))
}

fn no_help(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::IsaInvalid], "D-override-no-help", Likely)
}
