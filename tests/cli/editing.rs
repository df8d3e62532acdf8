//! `init`, `add` and `remove` on real files.

use rocmenv_tests::Sandbox;

use crate::{rocmenv, snapshot};

#[test]
fn init_without_a_word_makes_a_project_with_defaults() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "init --name demo"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        made `[TEMP]/project/rocm.toml`
        chosen for you: framework pytorch (`--framework`)
        chosen for you: rocm 10.1 (`--rocm`)
        chosen for you: python 3.14 (`--python`)
        next: rocmenv lock && rocmenv sync
        "#);
    insta::assert_snapshot!(sandbox.read("rocm.toml"), @r#"
        # What this project needs. `rocmenv lock` chooses versions that fit together and this machine,
        # `rocmenv sync` installs them, `rocmenv run` runs in them. `rocmenv schema` lists every key.

        [project]
        name = "demo"

        [requires]
        rocm = "10.1"
        python = "3.14"
        pytorch = "*"
        # driver = ">=30.10"   # without it, whatever the target has

        [rocm]
        # Parts of ROCm beside what the wheels bring: "runtime", "smi", "hip-dev", "profiler" ...
        components = []
        # auto, amd, therock, distro (the distribution's own), host (what is there already)
        channel = "auto"

        # Python packages beside the frameworks; everything that they need is locked, too.
        [python-packages]

        # The lock is made for the host that runs `rocmenv lock`. To make it for others, describe them:
        # [targets.cluster]
        # os = "ubuntu-24.04"
        # gpus = ["MI300X"]
        # driver = "31.50.0"

        [verify]
        # Commands that `rocmenv verify` runs in the environment.
        commands = []
        "#);
    assert_eq!(sandbox.read(".gitignore"), ".rocmenv/\n.venv\nrocm.local.toml\n");
}

#[test]
fn init_writes_a_described_target() {
    let sandbox = Sandbox::new();
    let words = "init work --framework jax --rocm 10.1 --python 3.12 --channel host \
                 --gpu MI300X --os ubuntu-24.04 --driver 31.50.0 --host-rocm 10.1.0 \
                 --target cluster --package numpy>=2";
    assert_eq!(rocmenv(&sandbox, words).code, 0);
    let text = sandbox.read("work/rocm.toml");
    let target = text.split("[targets.cluster]").nth(1).unwrap_or_default();
    let target = target.split("\n\n").next().unwrap_or_default();
    insta::assert_snapshot!(target.trim(), @r#"
        os = "ubuntu-24.04"
        gpus = ["MI300X"]
        driver = "31.50.0"
        rocm = "10.1.0"   # the ROCm that it already has
        "#);
    assert!(text.contains("numpy = \">=2\"") && text.contains("channel = \"host\""));
}

#[test]
fn init_keeps_what_gitignore_says_already() {
    let sandbox = Sandbox::new();
    sandbox.write(".gitignore", "*.log\n.rocmenv/");
    rocmenv(&sandbox, "init");
    assert_eq!(sandbox.read(".gitignore"), "*.log\n.rocmenv/\n.venv\nrocm.local.toml\n");
}

#[test]
fn a_second_init_changes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[project]\n");
    insta::assert_snapshot!(snapshot(&sandbox, "init"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[project-exists]: `[TEMP]/project/rocm.toml` is there already
        help: rocmenv add NAME
        "#);
    assert_eq!(sandbox.read("rocm.toml"), "[project]\n");
}

#[test]
fn dry_run_prints_and_writes_nothing() {
    let sandbox = Sandbox::new();
    let output = rocmenv(&sandbox, "init --dry-run");
    assert!(output.code == 0 && output.stdout.contains("[requires]"));
    assert!(!sandbox.exists("rocm.toml") && !sandbox.exists(".gitignore"));
}

#[test]
fn an_unknown_framework_is_named_with_the_nearest() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "init --framework pytroch"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-framework]: the registry knows no framework `pytroch`
        help: rocmenv init --framework pytorch
        "#);
}

#[test]
fn an_unknown_gpu_makes_no_project() {
    let sandbox = Sandbox::new();
    let output = sandbox
        .command(env!("CARGO_BIN_EXE_rocmenv"))
        .args(["init", "--gpu", "RX 6700 XTT", "--os", "ubuntu-24.04"])
        .run();
    insta::assert_snapshot!(output.snapshot(), @r"
    exit: 2
    --- stdout ---
    --- stderr ---
    error[unknown-product]: rocm.toml:25: target `described`: no GPU product `RX 6700 XTT` is known; did you mean `AMD Radeon RX 6700 XT`?
    help: rocmenv matrix gpu
    ");
    assert!(!sandbox.exists("rocm.toml"));
}

#[test]
fn an_environment_that_is_not_there_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[env.train.requires]\npython = \"3.12\"\n");
    insta::assert_snapshot!(snapshot(&sandbox, "lock -e tarin"), @r"
    exit: 2
    --- stdout ---
    --- stderr ---
    error[unknown-environment]: no environment `tarin` in `rocm.toml`; did you mean `train`?
    help: -e train
    ");
    insta::assert_snapshot!(snapshot(&sandbox, "status -e tarin"), @r"
    exit: 2
    --- stdout ---
    --- stderr ---
    error[unknown-environment]: no environment `tarin` in `rocm.toml`; did you mean `train`?
    help: -e train
    ");
}

#[test]
fn add_puts_each_name_where_it_belongs() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "# mine\n[requires]\nrocm = \"10.0\" # as the cluster\n");
    let words = "add torch>=2.12 smi transformers[torch]>=4.50 rocm==10.1";
    insta::assert_snapshot!(snapshot(&sandbox, words), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        added pytorch = ">=2.12" to [requires]
        added smi to the components of [rocm]
        added transformers = { version = ">=4.50", extras = ["torch"] } to [python-packages]
        changed rocm in [requires] from "10.0" to "==10.1"
        next: rocmenv lock && rocmenv sync
        "#);
    assert_eq!(rocmenv(&sandbox, "add pytest --group dev").code, 0);
    assert_eq!(rocmenv(&sandbox, "add ruff -e lint").code, 0);
    insta::assert_snapshot!(sandbox.read("rocm.toml"), @r#"
        # mine
        [requires]
        rocm = "==10.1" # as the cluster
        pytorch = ">=2.12"

        [rocm]
        components = ["smi"]

        [python-packages]
        transformers = { version = ">=4.50", extras = ["torch"] }

        [groups.dev]
        pytest = "*"

        [env.lint.python-packages]
        ruff = "*"
        "#);
}

#[test]
fn what_is_not_there_cannot_be_removed() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[python-packages]\nnumpy = \"*\"\n");
    insta::assert_snapshot!(snapshot(&sandbox, "remove numpi"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[not-required]: `rocm.toml` does not ask for `numpi`
        help: rocmenv remove numpy
        "#);
    insta::assert_snapshot!(snapshot(&sandbox, "remove numpy --json"), @r#"
        exit: 0
        --- stdout ---
        {
          "changes": [
            {
              "change": "removed",
              "table": "python-packages",
              "name": "numpy"
            }
          ],
          "left-out": [],
          "written": true
        }
        --- stderr ---
        "#);
    assert_eq!(sandbox.read("rocm.toml"), "[python-packages]\n");
}

#[test]
fn a_requirement_that_is_none_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[project]\n");
    insta::assert_snapshot!(snapshot(&sandbox, "add numpy>=newest"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[request-invalid]: `numpy>=newest` cannot be read: `>=newest` is not a version requirement (such as `10.0`, `>=2.12` or `>=7.2,<10`)
        help: write it as in `rocmenv add "transformers>=4.50"`
        "#);
    assert_eq!(sandbox.read("rocm.toml"), "[project]\n");
}

#[test]
fn an_unknown_key_has_line_column_and_the_nearest() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[requires]\nrocm = \"10.0\"\n\n[pyton-packages]\nnumpy = \"*\"\n");
    insta::assert_snapshot!(snapshot(&sandbox, "add scipy"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-key]: rocm.toml:4:2: unknown key `pyton-packages`; did you mean `python-packages`?
        help: rocmenv explain unknown-key
        "#);
}

#[test]
fn a_file_that_is_no_toml_has_line_and_column() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[requires]\nrocm = 10.0.0\n");
    insta::assert_snapshot!(snapshot(&sandbox, "add scipy"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[manifest-malformed]: rocm.toml:2:12: invalid float, expected nothing
        help: rocmenv explain manifest-malformed
        "#);
}
