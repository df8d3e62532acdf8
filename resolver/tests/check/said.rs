//! A question in one line, and its answer as text.

use std::fmt::Write;
use std::sync::LazyLock;

use rocmenv_manifests::registry::{Kernel, Registry, System};
use rocmenv_resolver::check::{
    CheckAnswer, CheckError, CheckHost, CheckQuestion, FrameworkAnswer, check,
};
use rocmenv_resolver::target::TargetDriver;

/// One registry for all questions: its tables are parsed once.
pub(crate) static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::embedded);

/// A described host: `gpu=RX 6700 XT os=ubuntu-24.04 driver=30.20.0`, separated by `; `.
pub(crate) fn host(described: &str) -> CheckHost {
    let mut host = CheckHost::default();
    for part in described.split("; ").filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap();
        match name {
            "gpu" => host.gpus.push(REGISTRY.gpu_named(value).unwrap()),
            "os" => host.system = Some(System { os: value.parse().unwrap(), wsl: false }),
            "wsl" => host.system = Some(System { os: value.parse().unwrap(), wsl: true }),
            "kernel" => host.kernel = Kernel::parse(value),
            "python" => host.python = Some(value.to_owned()),
            "driver" if value == "in-tree" => host.driver = Some(TargetDriver::InTree),
            "driver" => host.driver = Some(TargetDriver::Amd(value.parse().unwrap())),
            "module" => {
                host.driver = Some(TargetDriver::UnknownRelease { module: value.to_owned() });
            }
            "adrenalin" => host.driver = Some(TargetDriver::Adrenalin(value.parse().unwrap())),
            other => panic!("{other}"),
        }
    }
    host
}

pub(crate) fn ask(wishes: &[&str], described: &str) -> Result<CheckAnswer, CheckError> {
    check(&REGISTRY, &question(wishes, described))
}

pub(crate) fn question(wishes: &[&str], described: &str) -> CheckQuestion {
    let wishes = wishes.iter().map(|wish| wish.parse().unwrap()).collect();
    CheckQuestion::new(wishes, host(described))
}

/// The answer as a person would read it.
pub(crate) fn said(wishes: &[&str], described: &str) -> String {
    text(&ask(wishes, described).unwrap())
}

fn text(answer: &CheckAnswer) -> String {
    let mut out = String::new();
    let word = if answer.fits() { "fits" } else { "refused" };
    writeln!(out, "{word}: ROCm {} ({}), {}", answer.release, answer.line, answer.verdict).unwrap();
    for framework in &answer.frameworks {
        out.push_str(&framework_text(framework));
    }
    if !answer.pythons.is_empty() {
        writeln!(out, "python {}", answer.pythons.join(" ")).unwrap();
    }
    for pair in &answer.pairs {
        let judged = &pair.judgement;
        let who = judged.evidence.first().map_or("-", |evidence| evidence.key.as_str());
        let against = if judged.is_contradicted() { ", contradicted" } else { "" };
        writeln!(out, "  {} x {}: {} [{who}{against}]", pair.left, pair.right, judged.verdict)
            .unwrap();
    }
    for refusal in &answer.refusals {
        writeln!(out, "because {refusal}").unwrap();
    }
    for remedy in &answer.remedies {
        let changes: Vec<_> = remedy.changes.iter().map(ToString::to_string).collect();
        writeln!(
            out,
            "would do: {} -> ROCm {}, {}, {}",
            changes.join(" and "),
            remedy.release,
            if remedy.builds.is_empty() { "no builds".to_owned() } else { remedy.builds.join(" ") },
            remedy.verdict
        )
        .unwrap();
    }
    let gaps: Vec<_> =
        answer.not_checked.iter().map(|gap| format!("{gap:?}").to_lowercase()).collect();
    if !gaps.is_empty() {
        writeln!(out, "not checked: {}", gaps.join(" ")).unwrap();
    }
    out
}

fn framework_text(framework: &FrameworkAnswer) -> String {
    let mut out = String::new();
    match &framework.build {
        Some(chosen) => {
            let build = &chosen.build;
            let index = build.index.as_ref().map_or("-", |index| index.as_str());
            writeln!(out, "{}: {} {} from {index}", framework.name, build.package, build.version)
                .unwrap();
            if !chosen.extras.is_empty() {
                writeln!(
                    out,
                    "  with [{}]: {}",
                    chosen.extras.join(","),
                    chosen.device_wheels.join(" ")
                )
                .unwrap();
            }
            if chosen.needs_host_rocm {
                writeln!(out, "  needs ROCm beside it").unwrap();
            }
        }
        None => writeln!(out, "{}: no build", framework.name).unwrap(),
    }
    writeln!(out, "  AMD lists {}", framework.listed.join(" ")).unwrap();
    let known: Vec<_> = framework
        .known
        .iter()
        .map(|build| {
            let tags = build.python_tags.join("/");
            format!(
                "{}{}",
                build.version,
                if tags.is_empty() { tags } else { format!(" ({tags})") }
            )
        })
        .collect();
    writeln!(out, "  known: {}", known.join(", ")).unwrap();
    out
}
