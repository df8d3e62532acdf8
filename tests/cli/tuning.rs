//! `tune`: which rules appear for which target, and rules written into rocm.toml and taken back.

use std::collections::BTreeSet;

use rocmenv_tests::Sandbox;

use crate::{rocmenv, snapshot};

/// A project for a target; the lock says which ROCm only where one is given.
fn project(gpus: &str, os: &str, frameworks: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    let lines: Vec<String> = frameworks.iter().map(|name| format!("{name} = \"*\"\n")).collect();
    sandbox.write(
        "rocm.toml",
        format!(
            "# kept\n[requires]\nrocm = \"10.1\"\npython = \"3.12\"\n{}\n\
             [targets.one]\nos = \"{os}\"\ngpus = {gpus}\n",
            lines.concat()
        ),
    );
    sandbox
}

/// The names of the rules that hold.
fn rules(sandbox: &Sandbox, more: &str) -> BTreeSet<String> {
    let output = rocmenv(sandbox, &format!("tune --json {more}"));
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let value: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
    let rules = value["rules"].as_array().expect("rules");
    rules.iter().filter_map(|rule| Some(rule["name"].as_str()?.to_owned())).collect()
}

/// A rule, a target where it appears, and one where it stays away.
type Case = (
    &'static str,
    (&'static str, &'static str, &'static str),
    (&'static str, &'static str, &'static str),
);

const MI300X: &str = "[{ product = \"MI300X\", count = 1 }]";
const TWO_MI300X: &str = "[{ product = \"MI300X\", count = 2 }]";
const EIGHT_MI300X: &str = "[{ product = \"MI300X\", count = 8 }]";
const RADEON: &str = "[\"RX 7900 XTX\"]";
const STRIX: &str = "[\"gfx1151\"]";
const LINUX: &str = "ubuntu-24.04";
const WINDOWS: &str = "windows-11-25H2";

const CASES: [Case; 23] = [
    ("data-type", (MI300X, LINUX, "pytorch"), (RADEON, LINUX, "pytorch")),
    ("data-type-rdna", (RADEON, LINUX, "pytorch"), (MI300X, LINUX, "pytorch")),
    ("batch-size", (RADEON, LINUX, "training"), (RADEON, LINUX, "inference")),
    ("learning-rate", (RADEON, LINUX, "training"), (RADEON, LINUX, "inference")),
    ("optimizer", (RADEON, LINUX, "training"), (RADEON, LINUX, "jax")),
    ("block-sizes", (MI300X, LINUX, "pytorch"), (RADEON, LINUX, "pytorch")),
    ("data-layout", (MI300X, LINUX, "training"), (RADEON, LINUX, "training")),
    ("allocator", (MI300X, LINUX, "pytorch"), (MI300X, LINUX, "jax")),
    ("miopen-find-normal", (RADEON, LINUX, "training"), (RADEON, LINUX, "inference")),
    ("miopen-find-fast", (RADEON, LINUX, "inference"), (RADEON, LINUX, "training")),
    ("miopen-cache", (RADEON, LINUX, "pytorch"), (RADEON, LINUX, "jax")),
    ("tunableop", (RADEON, LINUX, "pytorch"), (RADEON, WINDOWS, "pytorch")),
    ("hipblaslt", (MI300X, LINUX, "inference"), (MI300X, LINUX, "training")),
    ("inductor-autotune", (MI300X, LINUX, "pytorch"), (RADEON, LINUX, "pytorch")),
    ("inductor-freezing", (MI300X, LINUX, "inference"), (MI300X, LINUX, "training")),
    ("high-priority-streams", (EIGHT_MI300X, LINUX, "pytorch"), (TWO_MI300X, LINUX, "pytorch")),
    ("rccl-channels-few", (TWO_MI300X, LINUX, "pytorch"), (EIGHT_MI300X, LINUX, "pytorch")),
    ("rccl-channels-full", (EIGHT_MI300X, LINUX, "pytorch"), (TWO_MI300X, LINUX, "pytorch")),
    ("helper-threads", (MI300X, LINUX, "pytorch"), (RADEON, LINUX, "pytorch")),
    ("numa-balancing", (MI300X, LINUX, "pytorch"), (RADEON, LINUX, "pytorch")),
    ("iommu", (MI300X, LINUX, "pytorch"), (RADEON, LINUX, "pytorch")),
    ("apu-memory", (STRIX, LINUX, "pytorch"), (STRIX, WINDOWS, "pytorch")),
    ("scratch", (MI300X, LINUX, "training"), (MI300X, LINUX, "multi-gpu-training")),
];

#[test]
fn each_rule_appears_where_it_should_and_stays_away_where_it_should_not() {
    let asked = |(gpus, os, what): (&str, &str, &str)| {
        let (framework, workload) = match what {
            "training" | "inference" | "multi-gpu-training" => {
                ("pytorch", format!("--workload {what}"))
            }
            framework => (framework, String::new()),
        };
        rules(&project(gpus, os, &[framework]), &workload)
    };
    for (rule, here, away) in CASES {
        assert!(asked(here).contains(rule), "{rule} is missing for {here:?}");
        assert!(!asked(away).contains(rule), "{rule} appears for {away:?}");
    }
}

#[test]
fn rules_of_a_release_need_that_release() {
    // Known bad: RCCL's LL protocol on MI350 with 10.1.0. Without a lock no release is known.
    let sandbox = project("[{ product = \"MI350X\", count = 2 }]", LINUX, &["pytorch"]);
    assert!(!rules(&sandbox, "").contains("rccl-ll-protocol"));
    for absent in ["kernel-arguments", "jax-command-buffers", "vllm-attention"] {
        assert!(!rules(&sandbox, "").contains(absent), "{absent}");
    }
    let always = rules(&sandbox, "");
    assert!(always.contains("gfx-override") && always.contains("asynchronous-copies"));
}

#[test]
fn a_rule_is_written_and_taken_back_byte_for_byte() {
    let sandbox = project(RADEON, LINUX, &["pytorch"]);
    let before = sandbox.read("rocm.toml");
    insta::assert_snapshot!(snapshot(&sandbox, "tune --apply miopen-find-normal"), @r#"
        exit: 0
        --- stdout ---
        [tune] MIOPEN_FIND_MODE = "1"
        --- stderr ---
        next: rocmenv sync, which writes it into the activation
        "#);
    assert!(sandbox.read("rocm.toml").ends_with("[tune]\nMIOPEN_FIND_MODE = \"1\"\n"));
    insta::assert_snapshot!(snapshot(&sandbox, "tune --undo"), @r"
        exit: 0
        --- stdout ---
        [tune] without MIOPEN_FIND_MODE
        --- stderr ---
        next: rocmenv sync, which writes it into the activation
        ");
    assert_eq!(sandbox.read("rocm.toml"), before);
    insta::assert_snapshot!(snapshot(&sandbox, "tune --undo"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[tune-nothing-applied]: nothing was applied that could be taken back
        help: rocmenv tune
        ");
}

#[test]
fn what_somebody_wrote_since_stays() {
    let sandbox = project(RADEON, LINUX, &["pytorch"]);
    assert_eq!(rocmenv(&sandbox, "tune --apply tunableop").code, 0);
    let edited = sandbox.read("rocm.toml").replace("# kept", "# edited");
    sandbox.write("rocm.toml", format!("{edited}MINE = \"1\"\n"));
    assert_eq!(rocmenv(&sandbox, "tune --undo tunableop").code, 0);
    let text = sandbox.read("rocm.toml");
    assert!(text.starts_with("# edited\n") && text.ends_with("[tune]\nMINE = \"1\"\n"), "{text}");
}

#[test]
fn a_value_of_ones_own_is_not_replaced() {
    let sandbox = project(RADEON, LINUX, &["pytorch"]);
    let text = sandbox.read("rocm.toml");
    sandbox.write("rocm.toml", format!("{text}\n[tune]\nMIOPEN_FIND_MODE = \"5\"\n"));
    insta::assert_snapshot!(snapshot(&sandbox, "tune --apply miopen-find-fast"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[tune-variable-taken]: rocm.toml sets MIOPEN_FIND_MODE to `5` already, not to `2`
        help: edit [tune] in rocm.toml
        ");
    insta::assert_snapshot!(snapshot(&sandbox, "tune --apply numa-balancing"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[tune-unknown-rule]: `numa-balancing` sets no variable: it is advice for a person
        help: rocmenv tune
        ");
    insta::assert_snapshot!(snapshot(&sandbox, "tune --apply miopen-find-norml"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[tune-unknown-rule]: no tuning rule is called `miopen-find-norml`; did you mean `miopen-find-normal`?
        help: rocmenv tune
        ");
}
