//! Two of a library in one process, or the wrong one.

use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::Dotted;

use super::Confidence::{Certain, Likely, Possible};
use super::arch::is_foreign;
use super::{Finding, Rule, found, told};
use crate::diagnose::facts::{Facts, LoadedBy, Signal, TorchBuild};

pub(super) const RULES: &[Rule] =
    &[two_rocm, foreign_rocm, library_missing, amdsmi_missing, amdsmi_mixed, llvm_cache, system32];

/// The library path leads to a ROCm of another release than the environment's.
fn two_rocm(facts: &Facts, _: &Registry) -> Option<Finding> {
    if !facts.has_bundled_rocm() {
        return None;
    }
    let (own, by) = facts.rocm()?;
    let by_path = facts.variable("LD_LIBRARY_PATH").and_then(|path| {
        let entry = path.split(':').find(|entry| entry.contains("/rocm"))?;
        let named = entry.split("rocm-").nth(1).and_then(Dotted::leading);
        let host = facts.host.rocm.iter().find(|one| entry.starts_with(&one.path));
        let known = named.or_else(|| Dotted::leading(host?.version.as_deref()?));
        Some((format!("LD_LIBRARY_PATH leads to {entry}"), known))
    });
    let first =
        facts.around.hip_libraries.first().filter(|library| library.by == LoadedBy::LibraryPath);
    let by_file = first.map(|library| {
        let named = library.path.split("rocm-").nth(1).and_then(Dotted::leading);
        (format!("libamdhip64 would be {}", library.path), named)
    });
    let (line, other) = by_file.or(by_path)?;
    let sure = match other {
        Some(other) if other.part(0) == own.part(0) && other.part(1) == own.part(1) => return None,
        Some(_) => Certain,
        None => Possible,
    };
    let finding = found("D-two-rocm", sure).because(line);
    Some(finding.because(format!("the environment brings ROCm {own} ({by})")))
}

/// The path in an error lies in the host's ROCm.
fn foreign_rocm(facts: &Facts, _: &Registry) -> Option<Finding> {
    if is_foreign(facts) {
        return told(facts, &[Signal::TensileMissing], "D-foreign-rocm", Certain);
    }
    let sure = if facts.has_bundled_rocm() { Certain } else { Likely };
    told(facts, &[Signal::RocmSymbol], "D-foreign-rocm", sure)
}

fn amdsmi_missing(facts: &Facts, _: &Registry) -> Option<Finding> {
    let rocm = matches!(facts.torch(), TorchBuild::Rocm(_));
    let company = ["nvidia-ml-py", "pynvml", "amdsmi"]
        .into_iter()
        .find_map(|name| Some((name, facts.package(name)?)))
        .filter(|_| rocm);
    let blind =
        facts.around.torch.available == Some(false) || facts.said(Signal::NoHipGpus).is_some();
    let said = facts.said(Signal::AmdsmiName).is_some();
    let clash = company
        .is_some_and(|(name, _)| name == "amdsmi" && facts.package("rocm-sdk-core").is_some());
    let sure = match (said, &company, blind || clash) {
        (true, _, _) => Certain,
        (false, Some(_), true) => Likely,
        (false, Some(("nvidia-ml-py", _)), false) => Possible,
        _ => return None,
    };
    // under WSL amdsmi cannot work, and torch says so without harm
    if facts.is_wsl() && company.is_none() && facts.around.torch.available == Some(true) {
        return None;
    }
    let finding = found("D-amdsmi-missing", sure).shown_by(facts, &[Signal::AmdsmiName]);
    Some(match company {
        Some((name, version)) => finding.because(format!("{name} {version} beside a ROCm torch")),
        None => finding,
    })
}

fn amdsmi_mixed(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::AmdsmiSymbol], "D-amdsmi-mixed", Certain)
}

fn llvm_cache(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::LlvmSymbol], "D-llvm-cache", Likely)
}

fn system32(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::System32Hip], "D-system32-hip", Likely)
}

/// The loader says which library it did not find; its number is that of ROCm.
fn library_missing(facts: &Facts, _: &Registry) -> Option<Finding> {
    let library = facts.all_said(Signal::RocmLibrary).find_map(|one| {
        let start = one.line.find("lib")?;
        let word = one.line[start..].split([':', ' ']).next()?;
        Some(word.to_owned())
    });
    told(facts, &[Signal::RocmLibrary], "D-rocm-library-missing", Certain)
        .map(|finding| finding.with("library", library.unwrap_or_else(|| "libamdhip64.so".into())))
}
