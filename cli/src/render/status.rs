//! What `status` found as text and JSON: first what is, then what does not agree, each with the
//! command that mends it.

use serde_json::{Value, json};

use super::moment;
use super::outdated;
use super::rollback::mismatch_json;
use crate::ops::status::{EnvironmentStatus, Finding, LockState, Status};

/// For a person.
pub fn status(status: &Status) -> String {
    let mut rows = vec![
        ("project", format!("{} in `{}`", status.project, status.folder.display())),
        ("lock", lock(status)),
    ];
    match &status.environment {
        None => rows.push(("environment", "none yet: rocmenv sync".to_owned())),
        Some(environment) => rows.extend(environment_rows(environment)),
    }
    if let Some(journal) = &status.upgrade {
        rows.push(("upgrade", super::upgrade::under_way(journal)));
    }
    rows.push(("registry", status.registry.clone()));
    let mut lines: Vec<String> =
        rows.into_iter().map(|(key, value)| format!("{key:12} {value}")).collect();
    let findings = status.environment.iter().flat_map(|environment| &environment.findings);
    lines.extend(findings.map(|finding| format!("! {}", sentence(finding))));
    if let Some(standing) = &status.standing {
        let due = standing.check.is_due.then(|| outdated::look(&standing.check));
        let ended = standing.continuations.iter().map(outdated::continuation);
        let told = outdated::behind(standing).into_iter().chain(ended).chain(due);
        lines.extend(told.map(|line| format!("! {line}")));
    }
    lines.join("\n")
}

/// For a program.
pub fn status_json(status: &Status) -> Value {
    json!({
        "project": status.project,
        "folder": status.folder,
        "lock": word(status.lock),
        "targets": status.targets,
        "environment": status.environment.as_ref().map(environment_json),
        "standing": status.standing,
        "upgrade": status.upgrade,
        "registry": status.registry,
    })
}

fn lock(status: &Status) -> String {
    let targets: Vec<String> = status.targets.iter().map(ToString::to_string).collect();
    match status.lock {
        LockState::Missing => "none: rocmenv lock".to_owned(),
        LockState::Outdated => "rocm.toml asks for something else by now: rocmenv lock".to_owned(),
        LockState::Current => format!("up to date ({})", targets.join(", ")),
    }
}

fn environment_rows(environment: &EnvironmentStatus) -> Vec<(&'static str, String)> {
    let generation = &environment.generation;
    let mut rows = vec![(
        "environment",
        format!(
            "`{}`: generation {} of {}, {}",
            environment.place.name(),
            generation.number,
            moment(&generation.created),
            super::packages(generation.artifacts.len())
        ),
    )];
    if let Some(python) = &generation.python {
        rows.push(("python", format!("{} ({}), `{}`", python.version, python.source, python.path)));
    }
    if environment.pinned {
        rows.push((
            "held",
            "by a rollback or a pin: `rocmenv rollback --files` or `rocmenv sync --unpin` goes on"
                .to_owned(),
        ));
    }
    rows.push(("verified", verified(environment)));
    if !environment.library_path.is_empty() {
        let count = environment.library_path.len();
        rows.push((
            "libraries",
            format!("LD_LIBRARY_PATH leads to {count} folder(s) of the ROCm prefix"),
        ));
    }
    rows
}

fn verified(environment: &EnvironmentStatus) -> String {
    let Some(verified) = &environment.verified else {
        return "not yet: rocmenv verify".to_owned();
    };
    let result =
        if verified.passed { "nothing failed" } else { "something failed: rocmenv verify" };
    let deep = if verified.deep { ", every byte read" } else { "" };
    format!("{}{deep}, {result}", moment(&verified.at))
}

fn sentence(finding: &Finding) -> String {
    let by = |installer: &Option<String>| {
        installer.as_ref().map_or_else(String::new, |who| format!(" by {who}"))
    };
    match finding {
        Finding::LockMoved(plan) => format!(
            "rocm.lock is not what is installed ({} to add, {} to change, {} to remove): \
             rocmenv sync",
            plan.add.len(),
            plan.change.len(),
            plan.remove.len()
        ),
        Finding::Contract(mismatch) => format!("the host does not fit: {mismatch}"),
        Finding::DriverNotBuilt { driver, kernel, built } => format!(
            "kernel {kernel} runs, and amdgpu-dkms {driver} is built for {} only: \
             dkms autoinstall -k {kernel}",
            if built.is_empty() { "none".to_owned() } else { built.join(", ") }
        ),
        Finding::Moved(from) => {
            format!(
                "the environment was made at `{}` and moved since: rocmenv sync",
                from.display()
            )
        }
        Finding::InterpreterVanished(path) => {
            format!("the interpreter `{path}` is gone: rocmenv sync")
        }
        Finding::ForeignPackage { name, version, installer } => format!(
            "{name} {version} was installed{} and is not locked: rocmenv add {name}",
            by(installer)
        ),
        Finding::ReplacedPackage { name, locked, version, installer } => format!(
            "{name} {version} was installed{} in the place of the locked {locked}: rocmenv sync --discard",
            by(installer)
        ),
        Finding::MissingPackage { name, version } => {
            format!("{name} {version} is locked and was taken out: rocmenv sync --repair")
        }
        Finding::Accelerator(culprit) => format!("{culprit}: rocmenv sync --discard"),
        Finding::UnlistedFile(path) => {
            format!("`{}` belongs to no package", path.display())
        }
        Finding::SystemRuntimeWins { ours, system } => format!(
            "Windows finds `{}`, which came with the display driver, before `{}`: programs that \
             load it by its name get the driver's",
            system.display(),
            ours.display()
        ),
        Finding::MissingFiles { package, files } => {
            let first = files.first().map(String::as_str).unwrap_or_default();
            let (count, are) = match files.len() {
                1 => ("1 file".to_owned(), "is"),
                more => (format!("{more} files"), "are"),
            };
            format!("{count} of {package} {are} missing (`{first}`): rocmenv sync --repair")
        }
        Finding::Touched { package, files } => {
            let more = files.len().saturating_sub(1);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let first = files.first().map(String::as_str).unwrap_or_default();
            format!(
                "files of {package} were written to since they were installed (`{first}`{more}): \
                 rocmenv sync --repair"
            )
        }
    }
}

fn environment_json(environment: &EnvironmentStatus) -> Value {
    let generation = &environment.generation;
    json!({
        "target": environment.place.target,
        "env": environment.place.env,
        "generation": generation.number,
        "created": generation.created,
        "packages": generation.artifacts.len(),
        "python": generation.python,
        "pinned": environment.pinned,
        "verified": environment.verified,
        "ld-library-path": environment.library_path,
        "findings": environment.findings.iter().map(finding_json).collect::<Vec<_>>(),
    })
}

fn finding_json(finding: &Finding) -> Value {
    let mut value = match finding {
        Finding::LockMoved(plan) => json!({ "kind": "lock-moved", "plan": plan }),
        Finding::Contract(mismatch) => {
            json!({ "kind": "contract", "mismatch": mismatch_json(mismatch) })
        }
        Finding::DriverNotBuilt { driver, kernel, built } => json!({
            "kind": "driver-not-built", "driver": driver, "kernel": kernel, "built": built,
        }),
        Finding::Moved(from) => json!({ "kind": "moved", "from": from }),
        Finding::InterpreterVanished(path) => {
            json!({ "kind": "interpreter-vanished", "path": path })
        }
        Finding::ForeignPackage { name, version, installer } => json!({
            "kind": "foreign-package", "name": name, "version": version, "installer": installer,
        }),
        Finding::ReplacedPackage { name, locked, version, installer } => json!({
            "kind": "replaced-package", "name": name, "locked": locked, "version": version,
            "installer": installer,
        }),
        Finding::MissingPackage { name, version } => {
            json!({ "kind": "missing-package", "name": name, "version": version })
        }
        Finding::Accelerator(culprit) => json!({ "kind": "accelerator", "culprit": culprit }),
        Finding::UnlistedFile(path) => json!({ "kind": "unlisted-file", "path": path }),
        Finding::SystemRuntimeWins { ours, system } => {
            json!({ "kind": "system-runtime-wins", "ours": ours, "system": system })
        }
        Finding::MissingFiles { package, files } => {
            json!({ "kind": "missing-files", "package": package, "files": files })
        }
        Finding::Touched { package, files } => {
            json!({ "kind": "touched", "package": package, "files": files })
        }
    };
    value["text"] = sentence(finding).into();
    value
}

fn word(lock: LockState) -> &'static str {
    match lock {
        LockState::Missing => "missing",
        LockState::Outdated => "outdated",
        LockState::Current => "current",
    }
}
