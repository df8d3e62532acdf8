//! The text of a first rocm.toml: what was asked, and beside it in comments what else could be.

use std::fmt::Write as _;

use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::version::Requirement;

use super::{Plan, TargetDraft};
use crate::ops::edit::document::ManifestText;

/// rocm.toml of a plan.
pub(super) fn text(plan: &Plan) -> String {
    let mut text = String::from(HEAD);
    let _ = writeln!(text, "name = {}\n", quoted(&plan.name));
    requires(&mut text, plan);
    rocm(&mut text, plan);
    text.push_str(PACKAGES);
    match &plan.target {
        Some((name, draft)) => target(&mut text, name, draft),
        None => text.push_str(NO_TARGET),
    }
    verify(&mut text, plan);
    with_packages(&text, plan)
}

fn requires(text: &mut String, plan: &Plan) {
    text.push_str("[requires]\n");
    let mut line = |key: &str, requirement: &Requirement| {
        let _ = writeln!(text, "{} = {}", key_of(key), quoted(&requirement.to_string()));
    };
    if let Some(rocm) = &plan.rocm {
        line("rocm", rocm);
    }
    if let Some(python) = &plan.python {
        line("python", python);
    }
    for (key, requirement) in &plan.frameworks {
        line(key, requirement);
    }
    text.push_str("# driver = \">=30.10\"   # without it, whatever the target has\n\n");
}

fn rocm(text: &mut String, plan: &Plan) {
    if plan.rocm.is_none() {
        return;
    }
    text.push_str(ROCM);
    let components: Vec<String> = plan.components.iter().map(|c| quoted(c.as_str())).collect();
    let _ = writeln!(text, "components = [{}]", components.join(", "));
    let channel = plan.channel.as_deref().unwrap_or("auto");
    let _ = writeln!(
        text,
        "# auto, amd, therock, distro (the distribution's own), host (what is there already)"
    );
    let _ = writeln!(text, "channel = {}\n", quoted(channel));
}

/// The target's table and what a rocm.toml needs beside it, to have its reader prove it.
pub(super) fn target_alone(draft: &TargetDraft) -> String {
    let mut text = String::from("[project]\nname = \"described\"\n");
    if let Ok(name) = "described".parse() {
        target(&mut text, &name, draft);
    }
    text
}

fn target(text: &mut String, name: &TargetName, draft: &TargetDraft) {
    let _ = writeln!(
        text,
        "\n# A host that the lock is made for. Add others beside it.\n[targets.{}]",
        key_of(name.as_str())
    );
    if let Some(os) = &draft.os {
        let _ = writeln!(text, "os = {}", quoted(os));
    }
    if !draft.gpus.is_empty() {
        let gpus: Vec<String> = draft.gpus.iter().map(|gpu| quoted(gpu)).collect();
        let _ = writeln!(text, "gpus = [{}]", gpus.join(", "));
    }
    if let Some(driver) = &draft.driver {
        let _ = writeln!(text, "driver = {}", quoted(driver));
    }
    if let Some(rocm) = &draft.rocm {
        let _ = writeln!(text, "rocm = {}   # the ROCm that it already has", quoted(rocm));
    }
}

fn verify(text: &mut String, plan: &Plan) {
    let commands: Vec<String> = plan.verify.iter().map(|command| quoted(command)).collect();
    text.push_str(VERIFY);
    let _ = writeln!(text, "commands = [{}]", commands.join(", "));
}

/// Packages are written by the same hand that `add` has.
fn with_packages(text: &str, plan: &Plan) -> String {
    let Ok(mut document) = ManifestText::new(text) else { return text.to_owned() };
    for package in &plan.packages {
        document.require(&["python-packages".to_owned()], &package.name, package, None);
    }
    document.text()
}

fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}

fn key_of(key: &str) -> String {
    toml_edit::Key::new(key).to_string()
}

const HEAD: &str = "\
# What this project needs. `rocmenv lock` chooses versions that fit together and this machine,
# `rocmenv sync` installs them, `rocmenv run` runs in them. `rocmenv schema` lists every key.

[project]
";

const ROCM: &str = "\
[rocm]
# Parts of ROCm beside what the wheels bring: \"runtime\", \"smi\", \"hip-dev\", \"profiler\" ...
";

const PACKAGES: &str = "\
# Python packages beside the frameworks; everything that they need is locked, too.
[python-packages]
";

const NO_TARGET: &str = "
# The lock is made for the host that runs `rocmenv lock`. To make it for others, describe them:
# [targets.cluster]
# os = \"ubuntu-24.04\"
# gpus = [\"MI300X\"]
# driver = \"31.50.0\"
";

const VERIFY: &str = "
[verify]
# Commands that `rocmenv verify` runs in the environment.
";
