//! An answer of `check` as text: what would be chosen, each pair's verdict with its documents,
//! why not and what would do, and what was not looked at.

use std::fmt::Write as _;

use rocmenv_resolver::check::{
    CheckAnswer, FrameworkAnswer, KnownBuild, KnownImage, Pair, Refusal, Undescribed,
};

use super::table;
use crate::ops::check::{Checked, KernelUpdate};

/// The answer for one host.
pub fn check(checked: &Checked) -> String {
    let (host, answer) = (checked.host.as_str(), &checked.answer);
    let mut lines = vec![headline(host, answer)];
    for framework in &answer.frameworks {
        lines.extend(framework_lines(framework));
    }
    if !answer.pythons.is_empty() {
        lines.push(format!("  Python: {}", answer.pythons.join(" ")));
    }
    if !answer.pairs.is_empty() {
        let rows: Vec<Vec<String>> = answer.pairs.iter().map(pair_row).collect();
        let text = table(&["verdict", "what", "with", "source", "why"], &rows);
        lines.push(String::new());
        lines.extend(text.lines().map(|line| format!("  {line}")));
    }
    lines.extend(contradictions(answer));
    if !answer.refusals.is_empty() {
        lines.push(String::new());
        for refusal in &answer.refusals {
            lines.push(format!("  because {refusal}"));
            lines.extend(known_builds(refusal));
        }
    }
    lines.extend(checked.kernel_update.as_ref().map(kernel_update));
    for remedy in &answer.remedies {
        let changes: Vec<String> = remedy.changes.iter().map(ToString::to_string).collect();
        let mut leads = vec![format!("ROCm {}", remedy.release)];
        leads.extend(remedy.builds.iter().cloned());
        lines.push(format!(
            "  would do: {} ({}; {})",
            changes.join(" and "),
            leads.join(", "),
            remedy.verdict
        ));
    }
    if !answer.not_checked.is_empty() {
        let words: Vec<&str> = answer.not_checked.iter().map(|what| undescribed(*what)).collect();
        lines.push(format!("  not described, so not checked: {}", words.join(", ")));
    }
    lines.join("\n")
}

fn kernel_update(update: &KernelUpdate) -> String {
    match update {
        KernelUpdate::Built { driver, kernel } => {
            format!("  amdgpu-dkms {driver} is built for kernel {kernel} already")
        }
        KernelUpdate::Known { driver, kernel, builds, basis } => {
            let word = if *builds { "was seen to build" } else { "was seen not to build" };
            format!("  amdgpu-dkms {driver} {word} for kernel {kernel} ({basis})")
        }
        KernelUpdate::NotKnown { driver, kernel } => format!(
            "  not known: whether amdgpu-dkms {driver} builds for kernel {kernel}; keep the kernel \
             that runs, and look at `dkms status` before you boot the new one"
        ),
    }
}

fn headline(host: &str, answer: &CheckAnswer) -> String {
    let release = format!("ROCm {} ({})", answer.release, answer.line);
    if answer.fits() {
        format!("{host}: yes, {release}: {}", answer.verdict)
    } else {
        format!("{host}: no, not with {release}")
    }
}

fn framework_lines(framework: &FrameworkAnswer) -> Vec<String> {
    let mut lines = Vec::new();
    match &framework.build {
        None => {
            lines.push(format!("  {}: no known build of `{}`", framework.name, framework.wanted));
            lines
                .extend(framework.known.iter().map(|build| format!("    known: {}", known(build))));
            let image =
                |image: &KnownImage| format!("    image: {} ({})", image.name, image.source);
            lines.extend(framework.images.iter().map(image));
        }
        Some(chosen) => {
            let build = &chosen.build;
            let extras = match chosen.extras.join(",") {
                none if none.is_empty() => none,
                extras => format!("[{extras}]"),
            };
            let index = build.index.as_ref().map(|index| format!(" from `{index}`"));
            lines.push(format!(
                "  {}: {}{extras} {}{}",
                framework.name,
                build.package,
                build.version,
                index.unwrap_or_default()
            ));
            if chosen.needs_host_rocm {
                lines.push("    brings no ROCm: the host's own is used".to_owned());
            }
            if !chosen.device_wheels.is_empty() {
                lines.push(format!("    with {}", chosen.device_wheels.join(", ")));
            }
            for (name, series) in &chosen.companions {
                lines.push(format!("    {name} {series} belongs to it"));
            }
        }
    }
    if !framework.listed.is_empty() {
        lines.push(format!("    AMD lists {}", framework.listed.join(" ")));
    }
    lines
}

fn pair_row(pair: &Pair) -> Vec<String> {
    let mut sources: Vec<&str> = Vec::new();
    for evidence in &pair.judgement.evidence {
        if !sources.contains(&evidence.key.as_str()) {
            sources.push(&evidence.key);
        }
    }
    vec![
        pair.judgement.verdict.to_string(),
        pair.left.to_string(),
        pair.right.to_string(),
        sources.join(" "),
        pair.judgement.reason.to_string(),
    ]
}

/// A build that is known: where it is, and for which Pythons and platforms.
fn known(build: &KnownBuild) -> String {
    let mut text = format!("{} {}", build.package, build.version);
    if let Some(index) = &build.index {
        let _ = write!(text, " from `{index}`");
    }
    let _ = match &build.requires_python {
        _ if !build.python_tags.is_empty() => write!(text, " for {}", build.python_tags.join(" ")),
        Some(requires) => write!(text, " for Python {requires}"),
        None => write!(text, ", for which Pythons is not known"),
    };
    if !build.platforms.is_empty() {
        let _ = write!(text, ", {} only", build.platforms.join(" "));
    }
    text
}

/// Documents that say otherwise are shown, never weighed.
fn contradictions(answer: &CheckAnswer) -> Vec<String> {
    let contradicted = answer.pairs.iter().filter(|pair| pair.judgement.is_contradicted());
    contradicted
        .flat_map(|pair| {
            pair.judgement.contradicted_by.iter().map(move |evidence| {
                format!("  documents disagree on {} with {}: {}", pair.left, pair.right, evidence)
            })
        })
        .collect()
}

fn known_builds(refusal: &Refusal) -> Option<String> {
    let Refusal::NoBuild { known, .. } = refusal else { return None };
    let builds: Vec<String> = known
        .iter()
        .map(|build| match &build.index {
            Some(index) => format!("{} ({index})", build.version),
            None => build.version.clone(),
        })
        .collect();
    (!builds.is_empty()).then(|| format!("    known builds: {}", builds.join(", ")))
}

fn undescribed(what: Undescribed) -> &'static str {
    match what {
        Undescribed::Gpu => "GPU (--gpu)",
        Undescribed::System => "system (--os)",
        Undescribed::Kernel => "kernel (--kernel)",
        Undescribed::Driver => "driver (--driver)",
        Undescribed::Python => "Python (--python)",
    }
}
