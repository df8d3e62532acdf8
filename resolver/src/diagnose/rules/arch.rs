//! Whether the binaries hold code for this GPU.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::registry::{Registry, Verdict};
use rocmenv_manifests::version::Dotted;

use super::Confidence::{Certain, Likely, Possible};
use super::driver::{as_rocm, holding};
use super::{Finding, Rule, first, found, told};
use crate::diagnose::facts::{Facts, Signal, TorchBuild};
use crate::host::facts::GpuKind;

pub(super) const RULES: &[Rule] =
    &[not_in_build, dropped, never, tensile, device_package, early_name];

/// The GPU that a failure is about: the one that the message names, else the one that somebody
/// computes on.
pub(super) fn concerned(facts: &Facts) -> Option<GfxTarget> {
    let message = facts.said(Signal::TensileMissing);
    let named = if let Some(message) = message { message.gfx() } else { None };
    named.or_else(|| facts.main_targets().into_iter().next())
}

/// Whether a message is about the integrated GPU of a machine that has a card.
pub(super) fn is_about_integrated(facts: &Facts, target: GfxTarget) -> bool {
    let kind = |gpu: &crate::host::facts::Gpu| facts.kind_of(gpu);
    let cards = facts.gpus().iter().any(|gpu| kind(gpu) == Some(GpuKind::Discrete));
    let own = facts
        .gpus()
        .iter()
        .any(|gpu| gpu.gfx == Some(target) && kind(gpu) == Some(GpuKind::Integrated));
    cards && own
}

/// Whether the message names a ROCm that is not the environment's.
pub(super) fn is_foreign(facts: &Facts) -> bool {
    let path = facts.said(Signal::TensileMissing).is_some_and(|one| one.line.contains("/opt/rocm"));
    path && facts.has_bundled_rocm()
}

fn was_dropped(facts: &Facts, registry: &Registry, target: GfxTarget) -> bool {
    if target.to_string() != "gfx906" {
        return false;
    }
    let by_row = !holding(facts, registry, "gfx906-").is_empty();
    let by_path = facts.said(Signal::TensileMissing).is_some_and(|one| {
        let release = one.line.split("/opt/rocm-").nth(1).and_then(Dotted::leading);
        release.is_some_and(|release| release >= Dotted::new(6, 4))
    });
    by_row || by_path
}

/// Targets of which the maintainers say that the libraries never had them.
fn is_never(facts: &Facts, target: GfxTarget) -> bool {
    let old = target.major() < 8;
    let small = ["gfx1033", "gfx1035", "gfx1036"].contains(&target.to_string().as_str());
    // device wheels of 7.14 and newer are another thing
    let classic = facts.rocm().is_none_or(|(release, _)| release < Dotted::new(7, 13));
    old || (small && classic)
}

fn not_in_build(facts: &Facts, registry: &Registry) -> Option<Finding> {
    let archs = &facts.around.torch.archs;
    let targets = facts.main_targets();
    let lacking = targets.iter().find(|target| !archs.is_empty() && !archs.contains(target));
    let fails = facts.said(Signal::NoCode).is_some();
    let by_table = uncovered(facts, registry);
    let target =
        lacking.copied().or(by_table).or_else(|| if fails { concerned(facts) } else { None });
    if !fails && target.is_none() {
        return None;
    }
    let overridden =
        facts.variable("HSA_OVERRIDE_GFX_VERSION").is_some_and(|value| !value.is_empty());
    if overridden && !fails {
        return None;
    }
    let sure = match (fails, lacking.is_some()) {
        (true, _) | (_, true) => Certain,
        _ => Likely,
    };
    let mut finding = found("D-arch-not-in-build", sure).shown_by(facts, &[Signal::NoCode]);
    if let Some(target) = lacking {
        let held: Vec<String> = archs.iter().map(ToString::to_string).collect();
        finding =
            finding.because(format!("torch has code for {}, not for {target}", held.join(" ")));
    }
    if let Some(target) = by_table {
        finding = finding.because(format!("this torch is listed without code for {target}"));
    }
    let gfx = target.map_or_else(|| "this GPU".to_owned(), |target| target.to_string());
    Some(finding.with("gfx", gfx))
}

/// A target of this machine that the registry's list of this very build does not hold, or whose
/// math libraries came later than the release of the build.
fn uncovered(facts: &Facts, registry: &Registry) -> Option<GfxTarget> {
    let TorchBuild::Rocm(Some(release)) = facts.torch() else { return None };
    let version = facts.around.torch.version.as_deref().or(facts.package("torch"))?;
    let public = version.split('+').next()?;
    let rocm = as_rocm(&release);
    let builds = registry.builds_of("torch");
    let own = builds
        .iter()
        .find(|build| build.version.split('+').next() == Some(public) && build.is_built_for(&rocm));
    facts.main_targets().into_iter().find(|target| {
        let held = own.and_then(|build| registry.build_has_code(build, *target));
        let too_new = target.major() == 12 && release < Dotted::new(6, 4);
        too_new || held.is_some_and(|judgement| judgement.verdict == Verdict::StatedNo)
    })
}

fn dropped(facts: &Facts, registry: &Registry) -> Option<Finding> {
    let target = concerned(facts)?;
    was_dropped(facts, registry, target).then(|| {
        let finding = found("D-arch-dropped", Certain)
            .shown_by(facts, &[Signal::TensileMissing, Signal::NoCode])
            .with("gfx", target.to_string());
        match facts.rocm() {
            Some((rocm, by)) => finding.because(format!("{target} with ROCm {rocm} ({by})")),
            None => finding.because(format!("{target}")),
        }
    })
}

fn never(facts: &Facts, _: &Registry) -> Option<Finding> {
    let message = first(facts, &[Signal::TensileMissing, Signal::NoCode])?;
    let target = message.gfx().or_else(|| concerned(facts))?;
    (is_never(facts, target) && !is_about_integrated(facts, target)).then(|| {
        found("D-arch-never", Certain)
            .shown_by(facts, &[Signal::TensileMissing, Signal::NoCode])
            .with("gfx", target.to_string())
    })
}

fn tensile(facts: &Facts, registry: &Registry) -> Option<Finding> {
    let message = facts.said(Signal::TensileMissing)?;
    let target = message.gfx().or_else(|| concerned(facts));
    let explained = target.is_some_and(|target| {
        was_dropped(facts, registry, target)
            || is_never(facts, target)
            || is_about_integrated(facts, target)
    });
    if explained || is_foreign(facts) {
        return None;
    }
    let gfx = target.map_or_else(|| "this GPU".to_owned(), |target| target.to_string());
    told(facts, &[Signal::TensileMissing], "D-tensile-missing", Certain)
        .map(|finding| finding.with("gfx", gfx))
}

fn device_package(facts: &Facts, _: &Registry) -> Option<Finding> {
    let target = facts.main_targets().into_iter().next();
    let gfx = target.map_or_else(|| "gfxNNNN".to_owned(), |target| target.to_string());
    let packages = facts.around.packages.as_ref();
    let devices: Vec<&String> = packages
        .into_iter()
        .flat_map(|packages| packages.keys())
        .filter(|name| name.contains("-device-gfx") || name.starts_with("rocm-sdk-libraries-gfx"))
        .collect();
    let split = facts.rocm().is_some_and(|(release, _)| release >= Dotted::new(7, 13));
    let bare = split
        && matches!(facts.torch(), TorchBuild::Rocm(_))
        && packages.is_some_and(|packages| packages.contains_key("torch"))
        && devices.is_empty();
    let said = facts.said(Signal::ImageInvalid).is_some();
    let wrong = split
        && !devices.is_empty()
        && target.is_some_and(|target| !devices.iter().any(|name| covers(name, target)));
    let sure = match (said, bare || wrong) {
        (true, true) => Certain,
        (true, false) | (false, true) => Likely,
        (false, false) => return None,
    };
    // with no GPU in the machine there is no device to have a package for
    if !said && facts.host.has_gpu() == Some(false) {
        return None;
    }
    let mut finding =
        found("D-device-package-missing", sure).shown_by(facts, &[Signal::ImageInvalid]);
    if bare {
        finding = finding.because("torch of ROCm 7.13 or newer and no device package beside it");
    }
    if wrong {
        let names: Vec<&str> = devices.iter().map(|name| name.as_str()).collect();
        finding =
            finding.because(format!("device packages: {}; the GPU is {gfx}", names.join(", ")));
    }
    Some(finding.with("gfx", gfx))
}

/// `amd-torch-device-gfx1151` for gfx1151, `rocm-sdk-libraries-gfx110x-all` for its family.
fn covers(package: &str, target: GfxTarget) -> bool {
    let Some(name) = package.split("gfx").nth(1) else { return true };
    let name = name.split('-').next().unwrap_or_default();
    let target = target.to_string();
    let digits = target.trim_start_matches("gfx");
    match name.strip_suffix('x') {
        Some(family) => digits.starts_with(family),
        None => digits == name,
    }
}

fn early_name(facts: &Facts, _: &Registry) -> Option<Finding> {
    let by_variable = facts
        .variable("PYTORCH_ROCM_ARCH")
        .is_some_and(|value| value.contains("gfx940") || value.contains("gfx941"));
    let on_mi300 = facts.has_target(&["gfx942"]);
    let sure = if on_mi300 || by_variable { Certain } else { Possible };
    let finding =
        told(facts, &[Signal::EarlyName], "D-gfx940-name", if on_mi300 { Likely } else { sure });
    finding.or_else(|| {
        by_variable.then(|| {
            found("D-gfx940-name", Certain).because("PYTORCH_ROCM_ARCH names gfx940 or gfx941")
        })
    })
}
