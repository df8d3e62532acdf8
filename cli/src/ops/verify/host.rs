//! Stage `host`: whether this host is what the lock was made for, and has what a GPU needs.

use rocmenv_manifests::project::Accelerator;
use rocmenv_resolver::host::driver_release;
use rocmenv_resolver::host::facts::{DeviceNode, DeviceOpen, DriverFlavour, Gpu};
use rocmenv_store::report::Reporter;

use super::{Finding, Level, Result, Stage, Subject};

/// The stage.
pub(super) struct Host;

impl Stage for Host {
    fn id(&self) -> &'static str {
        "host"
    }

    fn level(&self) -> Level {
        Level::Read
    }

    fn look(&self, subject: &Subject<'_>, _: &dyn Reporter) -> Vec<Finding> {
        let mut findings = vec![contract(subject)];
        let target = subject.project.targets.iter().find(|spec| spec.name == subject.record.target);
        if target.is_none_or(|spec| spec.accelerator != Accelerator::Cpu) {
            findings.push(driver(subject));
            findings.push(gpu(subject));
            findings.extend(devices(subject));
        }
        findings
    }
}

/// A soft mismatch that `sync` was told to pass over was accepted then; a hard one never is.
fn contract(subject: &Subject<'_>) -> Finding {
    let what = "contract of the lock";
    let (count, mismatches) = &subject.contract;
    if *count == 0 {
        return Finding::new(what, Result::Skipped, "the lock asks nothing of a host");
    }
    if mismatches.is_empty() {
        return Finding::new(what, Result::Passed, format!("{count} predicates hold"));
    }
    let accepted = subject.record.gates.iter().any(|answer| {
        answer.gate == "fit" && (answer.outcome == "warned" || answer.outcome == "skipped")
    });
    let hard = mismatches.iter().any(|mismatch| mismatch.hard);
    let texts: Vec<String> = mismatches.iter().map(ToString::to_string).collect();
    let result = if accepted && !hard { Result::Warned } else { Result::Failed };
    Finding::new(what, result, texts.join("; "))
}

fn driver(subject: &Subject<'_>) -> Finding {
    let what = "amdgpu driver";
    let driver = &subject.facts.driver;
    let release = driver_release(subject.facts, subject.registry);
    match (driver.flavour, release) {
        (_, Some(release)) => Finding::new(what, Result::Passed, release.release),
        (Some(DriverFlavour::InTree), None) => {
            Finding::new(what, Result::Passed, "the kernel's own")
        }
        (Some(_), None) => {
            let module = driver.module_version.as_deref().unwrap_or("not readable");
            Finding::new(what, Result::Warned, format!("module {module}, of no known release"))
        }
        (None, None) => Finding::new(what, subject.without_gpu(), "not loaded on this host"),
    }
}

/// Read, not run: that there is one, not that it computes.
fn gpu(subject: &Subject<'_>) -> Finding {
    match subject.facts.gpus.as_deref() {
        None => Finding::new(GPU, subject.without_gpu(), "nobody could look for one"),
        Some([]) => {
            Finding::new(GPU, subject.without_gpu(), "this host has none: nothing runs on one")
        }
        Some(gpus) => {
            let names: Vec<String> = gpus.iter().map(Gpu::name).collect();
            Finding::new(GPU, Result::Passed, names.join(", "))
        }
    }
}

/// Where there is a GPU, its nodes must open.
fn devices(subject: &Subject<'_>) -> Vec<Finding> {
    if subject.facts.known_gpus().is_empty() {
        return Vec::new();
    }
    let one = |node: &DeviceNode| {
        let (result, detail) = match node.open {
            DeviceOpen::Ok => (Result::Passed, "opens".to_owned()),
            DeviceOpen::NotTried => (subject.without_gpu(), "nobody tried to open it".to_owned()),
            refused => (Result::Failed, format!("does not open: {}", word(refused))),
        };
        Finding::new(&node.path, result, detail)
    };
    subject.facts.devices.iter().map(one).collect()
}

/// The system's answer in the words of the host file.
fn word(open: DeviceOpen) -> String {
    match open {
        DeviceOpen::Errno(number) => format!("error {number}"),
        other => serde_json::to_value(other)
            .ok()
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default(),
    }
}

/// The name of the look for a GPU.
pub(super) const GPU: &str = "AMD GPU";
