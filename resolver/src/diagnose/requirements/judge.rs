//! The verdict of each item.

use rocmenv_manifests::registry::query::System;
use rocmenv_manifests::registry::rows::requirements::{Item, RequirementRow};
use rocmenv_manifests::registry::rows::support::{Platform, SupportStatus};
use rocmenv_manifests::registry::{self, Judgement, Registry};
use rocmenv_manifests::version::RocmVersion;

use super::processor::{Generation, generation};
use super::{Answer, Line, Question, Verdict, Workload};
use crate::diagnose::facts::{AtomicPath, Facts, atomic_path, gpu_label};
use crate::host::facts::{Gpu, GpuKind};

pub(super) fn judge(
    facts: &Facts,
    question: &Question,
    rocm: &RocmVersion,
    registry: &Registry,
) -> Answer {
    let key = question.workload.key();
    let all = &registry.requirements().row;
    let of = |workload: &str, item: Item| {
        all.iter().find(|row| row.workload == workload && row.item == item)
    };
    // a row of the workload stands in place of the one for any
    let rows = all.iter().filter(|row| {
        row.workload == key || (row.workload == "any" && of(key, row.item).is_none())
    });
    let mut instead = Vec::new();
    let lines = rows
        .map(|row| match row.item {
            Item::Os => system(facts, row, rocm, registry),
            Item::Cpu => processor(facts, row, registry),
            Item::Ram => amount(row, facts.host.memory.total_bytes.map(as_sold), "GB"),
            Item::Gpu => gpu(facts, row, rocm, registry, &mut instead),
            Item::Vram => memory_of_gpus(facts, row, &question.workload),
            Item::GpuCount => amount(row, facts.host.gpus.as_ref().map(|_| cards(facts)), ""),
            Item::Storage => storage(facts, row),
            Item::PowerSupply => amount(row, question.power_supply.map(u64::from), "W"),
        })
        .collect();
    Answer { workload: question.workload.to_string(), rocm: rocm.to_string(), lines, instead }
}

/// Gigabytes as memory is sold: the kernel's total lacks what firmware and kernel keep.
fn as_sold(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 30).next_multiple_of(2)
}

fn line(row: &RequirementRow, has: String, verdict: Verdict, why: String) -> Line {
    Line {
        item: row.item,
        minimum: row.minimum.clone(),
        recommended: row.recommended.clone(),
        has,
        verdict,
        baseline: None,
        why,
    }
}

fn source(row: &RequirementRow) -> String {
    if row.note.is_empty() { row.source.clone() } else { format!("{}; {}", row.note, row.source) }
}

/// A number against two numbers.
fn amount(row: &RequirementRow, has: Option<u64>, unit: &str) -> Line {
    let Some(has) = has else {
        let how = match row.item {
            Item::PowerSupply => "cannot be read; say it with --power-supply WATTS",
            _ => "could not be read",
        };
        return line(
            row,
            "not known".to_owned(),
            Verdict::NotKnown,
            format!("{how}; {}", source(row)),
        );
    };
    let verdict = against(has, row);
    line(row, format!("{has} {unit}").trim_end().to_owned(), verdict, source(row))
}

fn against(has: u64, row: &RequirementRow) -> Verdict {
    let number = |text: &str| text.parse::<u64>().unwrap_or(u64::MAX);
    if has >= number(&row.recommended) {
        Verdict::FullySupported
    } else if has >= number(&row.minimum) {
        Verdict::Supported
    } else {
        Verdict::BelowMinimum
    }
}

/// AMD's table of systems for the release; the baseline is about Windows 11 alone.
fn system(facts: &Facts, row: &RequirementRow, rocm: &RocmVersion, registry: &Registry) -> Line {
    let Some(os) = facts.host.os.release.clone() else {
        return line(
            row,
            "not known".to_owned(),
            Verdict::NotKnown,
            "could not be read".to_owned(),
        );
    };
    let name = os.to_string();
    let base = name.strip_prefix("windows-11-").map(|own| release_against(own, row));
    let older = name.starts_with("windows-") && !name.starts_with("windows-11");
    let base = if older { Some(Verdict::BelowMinimum) } else { base };
    let system = System { os, wsl: facts.is_wsl() };
    let release = rocm.dotted();
    let rows = registry.os_support().row.iter();
    let of_release: Vec<_> =
        rows.filter(|row| row.releases.iter().any(|own| own.contains(release.parts()))).collect();
    let listed = of_release.iter().any(|row| same_system(&row.os.0, &system));
    let (verdict, why) = match (of_release.is_empty(), listed) {
        (true, _) => (Verdict::NotKnown, format!("no table of systems for ROCm {rocm} was read")),
        (false, true) => (Verdict::FullySupported, format!("AMD lists it for ROCm {rocm}")),
        (false, false) => (Verdict::NotKnown, format!("not in AMD's table of ROCm {rocm}")),
    };
    let mut line = line(row, system.to_string(), verdict, why);
    if let Some(base) = base {
        if verdict == Verdict::NotKnown {
            line.verdict = base;
            line.why = format!("{}; {}", source(row), line.why);
        } else if base != verdict {
            line.baseline = Some(base);
        }
    }
    line
}

fn same_system(listed: &str, system: &System) -> bool {
    let (listed, wsl) = match listed.strip_prefix("wsl2-").or(listed.strip_prefix("wsl-")) {
        Some(rest) => (rest, true),
        None => (listed, false),
    };
    let own = system.os.to_string().to_lowercase();
    let listed = listed.to_lowercase();
    let longer = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
    };
    wsl == system.wsl && (longer(&own, &listed) || longer(&listed, &own))
}

/// `23H2` against releases of Windows 11, which sort as text.
fn release_against(own: &str, row: &RequirementRow) -> Verdict {
    let name = |text: &str| text.trim_start_matches("windows-11-").to_uppercase();
    let own = own.to_uppercase();
    if own >= name(&row.recommended) {
        Verdict::FullySupported
    } else if own >= name(&row.minimum) {
        Verdict::Supported
    } else {
        Verdict::BelowMinimum
    }
}

/// The architecture first, then which side of the line that AMD draws; what the way to the GPU
/// itself shows of PCIe atomics stands beside it and wins.
fn processor(facts: &Facts, row: &RequirementRow, registry: &Registry) -> Line {
    let model = facts.host.cpu.model.clone();
    let known = match (&model, facts.host.arch) {
        (Some(model), Some(arch)) => Some(format!("{model} ({arch})")),
        (Some(model), None) => Some(model.clone()),
        (None, Some(arch)) => Some(arch.to_string()),
        (None, None) => None,
    };
    let Some(has) = known else {
        return line(row, "not known".to_owned(), Verdict::NotKnown, source(row));
    };
    let architectures = &registry.requirements().architectures;
    if facts.host.arch.is_some_and(|arch| !architectures.contains(&arch.to_string())) {
        let why = format!("AMD's packages exist for {}", architectures.join(", "));
        return line(row, has, Verdict::BelowMinimum, why);
    }
    let generation = model.as_deref().and_then(generation);
    let (by_model, word) = match generation {
        Some(Generation::Since) => (Verdict::FullySupported, None),
        Some(Generation::Before) => (Verdict::BelowMinimum, None),
        None if model.is_none() => (Verdict::NotKnown, Some("its name is not known")),
        None => (Verdict::NotKnown, Some("the name does not say its generation")),
    };
    let (verdict, way) = match atomics(facts) {
        Some(true) => (Verdict::FullySupported, Some("PCIe atomics reach it from the GPU")),
        Some(false) => (Verdict::BelowMinimum, Some("no PCIe atomics between it and the GPU")),
        None => (by_model, word),
    };
    let why = way.map_or_else(|| source(row), |way| format!("{way}; {}", source(row)));
    let mut line = line(row, has, verdict, why);
    if verdict != by_model && by_model != Verdict::NotKnown {
        line.baseline = Some(by_model);
    }
    line
}

/// Whether PCIe atomics work between the GPUs and the processor, where that was seen.
fn atomics(facts: &Facts) -> Option<bool> {
    let ways: Vec<AtomicPath> = facts.around.pcie.values().map(|way| atomic_path(way)).collect();
    if ways.iter().any(|way| matches!(way, AtomicPath::Broken(_))) {
        return Some(false);
    }
    let whole = !ways.is_empty() && ways.iter().all(|way| *way == AtomicPath::Whole);
    whole.then_some(true).or_else(|| facts.around.kfd_atomics.values().min().copied())
}

fn cards(facts: &Facts) -> u64 {
    let kinds = facts.gpus().iter().filter(|gpu| facts.kind_of(gpu) != Some(GpuKind::Integrated));
    u64::try_from(kinds.count()).unwrap_or(u64::MAX)
}

/// The best of the machine's GPUs by AMD's table of the release.
fn gpu(
    facts: &Facts,
    row: &RequirementRow,
    rocm: &RocmVersion,
    registry: &Registry,
    instead: &mut Vec<String>,
) -> Line {
    let Some(gpus) = &facts.host.gpus else {
        return line(
            row,
            "not known".to_owned(),
            Verdict::NotKnown,
            "could not be read".to_owned(),
        );
    };
    let os = facts.host.os.release.clone();
    let judged = gpus.iter().map(|gpu| {
        let judgement = os.clone().and_then(|os| listed(gpu, os, facts.is_wsl(), rocm, registry));
        (gpu, judgement)
    });
    let verdict_of = |judgement: &Option<Judgement>| match judgement.as_ref().map(|one| one.verdict)
    {
        Some(registry::Verdict::Listed) => Verdict::FullySupported,
        Some(registry::Verdict::BuiltNotListed) => Verdict::Supported,
        Some(registry::Verdict::StatedNo | registry::Verdict::KnownBad) => Verdict::StatedNo,
        Some(registry::Verdict::NotKnown) | None => Verdict::NotKnown,
    };
    let Some((best, judgement)) = judged.min_by_key(|(_, judgement)| verdict_of(judgement)) else {
        return line(row, "no AMD GPU".to_owned(), Verdict::BelowMinimum, source(row));
    };
    let verdict = verdict_of(&judgement);
    let why = match &judgement {
        Some(judgement) => format!("ROCm {rocm}: {}", judgement.reason),
        None => "its product or the system is not known".to_owned(),
    };
    let also = by_present_table(best, os, facts.is_wsl(), rocm, registry).unwrap_or_default();
    let mut line = line(row, gpu_label(best), verdict, format!("{why}{also}"));
    let base = baseline(best, row);
    if base.is_some_and(|base| base != verdict) {
        line.baseline = base;
    }
    if verdict == Verdict::StatedNo {
        if let Some(product) = &best.product {
            let systems = registry.systems_of_product(product, rocm);
            instead.extend(systems.iter().map(|name| format!("{product} on {}", name.0)));
        }
        // no table of products speaks of it: the one of targets does
        if let (true, Some(gfx)) = (instead.is_empty(), best.gfx) {
            let release = rocm.dotted();
            let rows = registry.gpu_support().row.iter().filter(|row| {
                row.release.contains(release.parts())
                    && row.status == SupportStatus::Supported
                    && row.gfx.contains(&gfx)
            });
            instead.extend(rows.map(|row| format!("{} on {}", gpu_label(best), platform(row.os))));
        }
        instead.sort();
        instead.dedup();
    }
    line
}

fn listed(
    gpu: &Gpu,
    os: rocmenv_manifests::platform::OsRelease,
    wsl: bool,
    rocm: &RocmVersion,
    registry: &Registry,
) -> Option<Judgement> {
    let known = match &gpu.product {
        Some(product) => registry.gpu_named(product)?,
        None => registry.gpu_of_target(gpu.gfx?),
    };
    Some(registry.gpu_on_system(&known, &System { os, wsl }, rocm))
}

/// What AMD's present table says, where another release was asked for.
fn by_present_table(
    gpu: &Gpu,
    os: Option<rocmenv_manifests::platform::OsRelease>,
    wsl: bool,
    rocm: &RocmVersion,
    registry: &Registry,
) -> Option<String> {
    let present = super::present(registry).filter(|present| present != rocm)?;
    let judgement = listed(gpu, os?, wsl, &present, registry)?;
    let word = match judgement.verdict {
        registry::Verdict::Listed => "listed",
        registry::Verdict::StatedNo => "stated no",
        _ => return None,
    };
    Some(format!("; AMD's table of {present}: {word}"))
}

fn platform(platform: Platform) -> &'static str {
    match platform {
        Platform::Linux => "Linux",
        Platform::Windows => "Windows",
        Platform::Wsl => "WSL2",
    }
}

/// The baseline names products; where a GPU is one of them it says so, else nothing.
fn baseline(gpu: &Gpu, row: &RequirementRow) -> Option<Verdict> {
    let product = gpu.product.as_deref()?;
    let is_named = |names: &str| names.split(", ").any(|name| product.ends_with(name));
    if is_named(&row.recommended) {
        Some(Verdict::FullySupported)
    } else if is_named(&row.minimum) {
        Some(Verdict::Supported)
    } else {
        None
    }
}

/// One GPU's memory; a model may lie on several.
fn memory_of_gpus(facts: &Facts, row: &RequirementRow, workload: &Workload) -> Line {
    let sizes: Vec<u64> = facts.gpus().iter().filter_map(|gpu| gpu.vram_bytes).collect();
    let Some(largest) = sizes.iter().max().copied() else {
        return amount(row, None, "GB");
    };
    let gib = |bytes: u64| bytes.div_ceil(1 << 30);
    let Some(needed) = workload.memory() else {
        return amount(row, Some(gib(largest)), "GB");
    };
    let all: u64 = sizes.iter().sum();
    let (verdict, how) = if largest >= needed {
        (Verdict::FullySupported, "on one GPU")
    } else if all >= needed {
        (Verdict::Supported, "over several GPUs")
    } else {
        (Verdict::BelowMinimum, "not even over all GPUs")
    };
    let why = format!("weights and a fifth more: {} GB, {how}; computed", gib(needed));
    Line {
        minimum: gib(needed).to_string(),
        recommended: gib(needed).to_string(),
        ..line(row, format!("{} GB, {} GB in all", gib(largest), gib(all)), verdict, why)
    }
}

fn storage(facts: &Facts, row: &RequirementRow) -> Line {
    let free = facts.host.disks.iter().map(|disk| disk.free_bytes >> 30).min();
    let mut line = amount(row, free, "GB");
    if free.is_some() {
        line.has.push_str(" free");
    }
    line
}
