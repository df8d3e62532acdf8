//! Stage `rocm`: the ROCm libraries load, HIP answers, and the versions are the locked ones.

use std::path::Path;

use rocmenv_store::report::Reporter;

use super::program::{self, Program};
use super::{Finding, Level, Result, Stage, Subject};
use crate::ops::child;

/// The stage.
pub(super) struct Rocm;

impl Stage for Rocm {
    fn id(&self) -> &'static str {
        "rocm"
    }

    fn level(&self) -> Level {
        Level::Ran
    }

    fn look(&self, subject: &Subject<'_>, _: &dyn Reporter) -> Vec<Finding> {
        let prefix = subject.current.generation.join("rocm");
        let mut findings = Vec::new();
        // Where nothing of ROCm was asked for, there is nothing to load.
        let is_asked = subject.rocm.is_some() || prefix.is_dir();
        if subject.record.python.is_some() && is_asked {
            findings.extend(program::run(subject, PROGRAM, &arguments(subject, &prefix)));
        }
        if ["bin/rocminfo", "usr/bin/rocminfo"].iter().any(|name| prefix.join(name).is_file()) {
            findings.push(Finding::timed(|| rocminfo(subject)));
        }
        findings
    }
}

fn arguments(subject: &Subject<'_>, prefix: &Path) -> Vec<String> {
    let mut all = vec![format!("--gpus={}", subject.facts.known_gpus().len())];
    if prefix.is_dir() {
        all.push(format!("--prefix={}", prefix.display()));
    }
    if let Some(rocm) = &subject.rocm {
        all.push(format!("--rocm={rocm}"));
        let hip = subject.registry.release(rocm).and_then(|row| row.hip.as_ref());
        all.extend(hip.map(|hip| format!("--hip={hip}")));
    }
    all
}

/// The tool of the environment itself; it needs the kernel driver and nothing of HIP.
fn rocminfo(subject: &Subject<'_>) -> Finding {
    let what = "rocminfo";
    let limit = subject.options.limit;
    let ended = child::run_within(subject.context, subject.current, &[what.into()], limit);
    let ended = match ended {
        Ok(ended) => ended,
        Err(error) => return Finding::new(what, Result::Failed, error.to_string()),
    };
    let is_gpu = |line: &&str| line.trim_start().starts_with("Name:") && line.contains("gfx");
    let gpus = ended.output.lines().filter(is_gpu).count();
    match (ended.code, gpus) {
        (Some(0), 1..) => Finding::new(what, Result::Passed, format!("shows {gpus} GPU(s)")),
        _ if subject.facts.known_gpus().is_empty() => {
            let detail = format!("shows no GPU, and there is none: {}", ended.last_line());
            Finding::new(what, subject.without_gpu(), detail)
        }
        (Some(0), _) => Finding::new(what, Result::Failed, "shows no GPU; the driver does"),
        _ => Finding::new(what, Result::Failed, ended.last_line()),
    }
}

const PROGRAM: Program = Program {
    name: "rocm.py",
    text: include_str!("../../../scripts/verify/rocm.py"),
    needs_file: false,
};
