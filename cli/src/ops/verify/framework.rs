//! Stages `framework` and `gpus`: each framework is the right build, sees the GPUs, has code for
//! them and computes; then the GPUs work together.

use rocmenv_manifests::project::Accelerator;
use rocmenv_store::report::{Progress, Reporter, Task, TaskKind};

use super::program::{self, Program};
use super::{Finding, Level, Result, Stage, Subject};

/// The stage of each framework.
pub(super) struct Framework;

impl Stage for Framework {
    fn id(&self) -> &'static str {
        FRAMEWORK
    }

    fn level(&self) -> Level {
        Level::Ran
    }

    fn look(&self, subject: &Subject<'_>, reporter: &dyn Reporter) -> Vec<Finding> {
        let names = frameworks(subject);
        let total = Some(names.len() as u64);
        let task = Task { kind: TaskKind::Query, name: "frameworks".to_owned(), total };
        let progress = Progress::start(reporter, &task);
        let mut findings = Vec::new();
        for name in names {
            let mut arguments = vec![name];
            arguments.extend(expected(subject));
            findings.extend(program::run(subject, PROGRAM, &arguments));
            progress.advance(1);
        }
        findings
    }
}

/// The stage of several GPUs.
pub(super) struct Gpus;

impl Stage for Gpus {
    fn id(&self) -> &'static str {
        "gpus"
    }

    fn level(&self) -> Level {
        Level::Ran
    }

    fn look(&self, subject: &Subject<'_>, _: &dyn Reporter) -> Vec<Finding> {
        let count = subject.facts.known_gpus().len();
        if is_cpu(subject) || frameworks(subject).is_empty() {
            return Vec::new();
        }
        if count < 2 {
            let detail = format!("not run: they need two GPUs, this host has {count}");
            // One GPU is a whole machine for those who require one.
            let result = if count == 0 { subject.without_gpu() } else { Result::Skipped };
            return vec![Finding::new(WHAT, result, detail)];
        }
        if !frameworks(subject).iter().any(|name| name == "pytorch") {
            let detail = "not run: they go through PyTorch, which this environment does not have";
            return vec![Finding::new(WHAT, Result::Skipped, detail)];
        }
        program::run(subject, COLLECTIVES, &[format!("--gpus={count}")])
    }
}

/// The frameworks that rocm.toml asks for and that the program can ask.
fn frameworks(subject: &Subject<'_>) -> Vec<String> {
    if subject.record.python.is_none() {
        return Vec::new();
    }
    let Some(env) = subject.project.environments.get(&subject.record.env) else {
        return Vec::new();
    };
    let names = env.frameworks.iter().map(|framework| framework.name.clone());
    names.filter(|name| KNOWN.contains(&name.as_str())).collect()
}

/// What a framework has to be.
fn expected(subject: &Subject<'_>) -> Vec<String> {
    let build = match (is_cpu(subject), &subject.rocm) {
        (true, _) => "cpu",
        (false, Some(_)) => "rocm",
        // A distribution's own packages come without a release; what they are is told.
        (false, None) => "any",
    };
    let gfx: Vec<String> = subject.facts.gfx_targets().iter().map(ToString::to_string).collect();
    let mut all = vec![
        format!("--build={build}"),
        format!("--gfx={}", gfx.join(",")),
        format!("--gpus={}", subject.facts.known_gpus().len()),
    ];
    all.extend(subject.rocm.as_ref().map(|rocm| format!("--rocm={rocm}")));
    all
}

fn is_cpu(subject: &Subject<'_>) -> bool {
    let mut specs = subject.project.targets.iter();
    let spec = specs.find(|spec| spec.name == subject.record.target);
    spec.is_some_and(|spec| spec.accelerator == Accelerator::Cpu)
}

/// The id of the stage that runs kernels.
pub(super) const FRAMEWORK: &str = "framework";
const WHAT: &str = "collectives";
const KNOWN: [&str; 4] = ["pytorch", "jax", "tensorflow", "onnxruntime"];
const PROGRAM: Program = Program {
    name: "framework.py",
    text: include_str!("../../../scripts/verify/framework.py"),
    needs_file: false,
};
const COLLECTIVES: Program = Program {
    name: "collectives.py",
    text: include_str!("../../../scripts/verify/collectives.py"),
    needs_file: true,
};
