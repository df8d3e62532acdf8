//! Refused locks and their fixes, the proof that a version cannot be there, and the graph.

use rocmenv_tests::{Index, IndexServer, Sandbox, WheelBuilder, World};

use crate::{rocmenv, snapshot};

/// A project on an index on which `addon` and `scipy` want different numpys.
fn project() -> (Sandbox, IndexServer) {
    let server = IndexServer::start(
        World::new().index(
            Index::new("main")
                .wheel(WheelBuilder::new("addon", "1.0").requires("numpy<2"))
                .wheel(WheelBuilder::new("scipy", "1.18").requires("numpy>=2"))
                .wheel(WheelBuilder::new("scipy", "1.11").requires("numpy<2"))
                .wheel(WheelBuilder::new("numpy", "1.26"))
                .wheel(WheelBuilder::new("numpy", "2.5")),
        ),
    );
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    sandbox.write("rocm.toml", TEXT);
    (sandbox, server)
}

const TEXT: &str = "\
[project]
name = \"p\"

[requires]
python = \"3.12\"

[python-packages]
# must stay
addon = \"*\"
scipy = \">=1.12\"   # the solvers of 1.12
";

#[test]
fn a_refusal_teaches_and_its_fixes_are_numbered() {
    let (sandbox, _server) = project();
    insta::assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-unsat]: no set fits target `host`
        rocm.toml:9 asks for addon
        rocm.toml:10 asks for scipy >=1.12
        addon 1.0 needs numpy <2 (index `python`)
        scipy 1.18 needs numpy >=2 (index `python`)
        fix 1: ask for scipy 1.11: [python-packages] scipy = "1.11"
        fix 2: drop addon: [python-packages] without addon
        fix 3: drop scipy: [python-packages] without scipy
        help: rocmenv lock --fix 1
        "#);
}

#[test]
fn the_same_is_there_as_data() {
    let (sandbox, _server) = project();
    let output = rocmenv(&sandbox, "lock --json");
    let json: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
    let data = &json["error"]["data"];
    assert_eq!(data["code"], "R-unsat");
    assert_eq!(data["causes"][0]["data"]["cause"], "asked");
    assert_eq!(data["causes"][0]["data"]["origin"]["file"]["line"], 9);
    assert_eq!(data["fixes"][0]["edit"], "[python-packages] scipy = \"1.11\"");
    assert_eq!(data["fixes"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_fix_is_applied_with_comments_and_order_kept() {
    let (sandbox, _server) = project();
    insta::assert_snapshot!(snapshot(&sandbox, "lock --fix 1 --dry-run"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        fix 1: ask for scipy 1.11
        changed scipy in [python-packages] from ">=1.12" to "1.11"
        nothing was written (`--dry-run`)
        "#);
    assert_eq!(sandbox.read("rocm.toml"), TEXT);
    insta::assert_snapshot!(snapshot(&sandbox, "lock --fix 1"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        fix 1: ask for scipy 1.11
        changed scipy in [python-packages] from ">=1.12" to "1.11"
        warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        locked 3 packages for `host`: Python 3.12
         + addon 1.0
         + numpy 1.26
         + scipy 1.11
        "#);
    assert_eq!(sandbox.read("rocm.toml"), TEXT.replace("\">=1.12\"", "\"1.11\""));
    insta::assert_snapshot!(snapshot(&sandbox, "lock --fix 1"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[fix-unknown]: the project can be locked as it is: there is nothing to fix
        help: rocmenv lock
        ");
}

#[test]
fn every_fix_makes_a_lock() {
    for number in 1..=3 {
        let (sandbox, _server) = project();
        let output = rocmenv(&sandbox, &format!("lock --fix {number}"));
        assert_eq!(output.code, 0, "{}", output.snapshot());
        assert!(sandbox.exists("rocm.lock"));
    }
    let (sandbox, _server) = project();
    insta::assert_snapshot!(snapshot(&sandbox, "lock --fix 7"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[fix-unknown]: there is no fix 7; 3 were proved
        help: rocmenv lock
        ");
}

/// That an old version is there as source alone has nothing to do with two wishes that no version
/// meets.
#[test]
fn a_contradiction_is_told_without_what_cannot_be_used() {
    let index = Index::new("main")
        .wheel(WheelBuilder::new("addon", "1.0").requires("numpy>=2"))
        .wheel(WheelBuilder::new("numpy", "1.26"))
        .wheel(WheelBuilder::new("numpy", "2.5"))
        .wheel(WheelBuilder::new("numpy", "1.6").tag("cp27-cp27m-manylinux1_x86_64"))
        .sdist("numpy", "1.5");
    let server = IndexServer::start(World::new().index(index));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    sandbox.write(
        "rocm.toml",
        "[requires]\npython = \"3.12\"\n\n[python-packages]\nnumpy = \"<2\"\naddon = \"*\"\n",
    );
    let said = snapshot(&sandbox, "lock");
    assert!(said.contains("error[R-unsat]"), "{said}");
    assert!(said.contains("addon 1.0 needs numpy >=2"), "{said}");
    assert!(!said.contains("source only") && !said.contains("other Pythons"), "{said}");
    // Where only such versions would do, they are the cause.
    sandbox.write(
        "rocm.toml",
        "[requires]\npython = \"3.12\"\n\n[python-packages]\nnumpy = \"<1.26\"\n",
    );
    let said = snapshot(&sandbox, "lock");
    assert!(said.contains("source only") && said.contains("other Pythons"), "{said}");
}

#[test]
fn a_channel_that_does_not_serve_a_release_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "rocm.toml",
        "[requires]\nrocm = \"7.2\"\n\n[rocm]\nchannel = \"therock\"\n\n[targets.t]\n\
         os = \"ubuntu-24.04\"\ngpus = [\"gfx942\"]\ndriver = \"30.30.0\"\n",
    );
    insta::assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-not-found]: no set fits target `t`
        rocm.toml:2 asks for ROCm 7.2
        no ROCm on channel `therock` is 7.2; the newest is 10.1.0
        fix 1: ask for rocm 7.14: [requires] rocm = "7.14"
        fix 2: take ROCm from channel `auto`: [rocm] channel = "auto"
        help: rocmenv lock --fix 1
        "#);
}

/// A driver that is too old can be moved; so can the release, or the target be left out.
#[test]
fn a_driver_outside_its_window_is_told_with_what_would_do() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "rocm.toml",
        "[requires]\nrocm = \"10.0\"\n\n[targets.old]\nos = \"ubuntu-24.04\"\n\
         gpus = [\"MI300X\"]\ndriver = \"6.2\" # until the next window\n\n\
         [targets.new]\nos = \"ubuntu-24.04\"\ngpus = [\"MI300X\"]\ndriver = \"31.40.0\"\n",
    );
    insta::assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-driver-window]: no set fits target `old`
        rocm.toml:2 asks for ROCm 10.0
        ROCm 10.0.0 needs a driver from 30.10 to 31.50 (ROCm/amdgpu-docs, docs/compatibility/compatibility-matrix.rst); the driver of this target is 6.2 (rocm.toml:7)
        fix 1: ask for rocm 7.0: [requires] rocm = "7.0"
        fix 2: move the driver from 6.2 to 30.10: [targets.old] driver = "30.10"
        fix 3: leave target `old` out: without [targets.old]
        help: rocmenv lock --fix 1
        "#);
    let fixed = rocmenv(&sandbox, "lock --fix 2");
    assert_eq!(fixed.code, 0, "{}", fixed.snapshot());
    insta::assert_snapshot!(sandbox.read("rocm.toml"), @r#"
        [requires]
        rocm = "10.0"

        [targets.old]
        os = "ubuntu-24.04"
        gpus = ["MI300X"]
        driver = "30.10" # until the next window

        [targets.new]
        os = "ubuntu-24.04"
        gpus = ["MI300X"]
        driver = "31.40.0"
        "#);
}

/// AMD's table of drivers ends at ROCm 10.0.0; 10.1.0 needs at least what that one does.
#[test]
fn a_release_that_the_table_of_drivers_lacks_is_mended_by_what_the_last_one_lists() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "rocm.toml",
        "[requires]\nrocm = \"10.1\"\n\n[rocm]\nchannel = \"host\"\n\n[targets.node]\n\
         os = \"ubuntu-24.04\"\ngpus = [\"gfx942\"]\ndriver = \"6.2.0\"\nrocm = \"10.1.0\"\n",
    );
    insta::assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-driver-window]: no set fits target `node`
        rocm.toml:2 asks for ROCm 10.1
        ROCm 10.1.0 needs driver 30.10 or newer, as ROCm 10.0.0 did (ROCm/amdgpu-docs, docs/compatibility/compatibility-matrix.rst); the driver of this target is 6.2.0 (rocm.toml:10)
        fix 1: move the driver from 6.2.0 to 30.10: [targets.node] driver = "30.10"
        help: rocmenv lock --fix 1
        "#);
    assert_eq!(rocmenv(&sandbox, "lock --fix 1").code, 0);
    assert_eq!(rocmenv(&sandbox, "lock").code, 0);
}

#[test]
fn a_version_that_cannot_be_there_is_proved() {
    let (sandbox, _server) = project();
    sandbox.write("rocm.toml", TEXT.replace(">=1.12", "*"));
    insta::assert_snapshot!(snapshot(&sandbox, "why --not numpy@2.5"), @r"
        exit: 0
        --- stdout ---
        numpy 2.5 cannot be there for target `host`:
          rocm.toml:9 asks for addon
          --not asks for numpy ==2.5
          addon 1.0 needs numpy <2 (index `python`)
          it could be, if you drop addon: [python-packages] without addon
        --- stderr ---
        ");
    insta::assert_snapshot!(snapshot(&sandbox, "why --not numpy@1.26"), @r#"
        exit: 1
        --- stdout ---
        numpy 1.26 can be there for target `host`: rocmenv add "numpy==1.26"
        --- stderr ---
        "#);
    insta::assert_snapshot!(snapshot(&sandbox, "why --not numpy"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[request-invalid]: `numpy` is no package with one version
        help: rocmenv why --not torch@2.9.1
        ");
}

#[test]
fn the_locked_packages_are_drawn() {
    let (sandbox, _server) = project();
    sandbox.write("rocm.toml", TEXT.replace(">=1.12", "*"));
    assert_eq!(rocmenv(&sandbox, "lock").code, 0);
    insta::assert_snapshot!(snapshot(&sandbox, "graph"), @r#"
        exit: 0
        --- stdout ---
        digraph "3 packages for host" {
          rankdir=LR;
          node [shape=box];
          n0 [label="addon 1.0", style=bold];
          n1 [label="numpy 1.26"];
          n2 [label="scipy 1.11", style=bold];
          n0 -> n1;
          n2 -> n1;
        }
        --- stderr ---
        "#);
    insta::assert_snapshot!(snapshot(&sandbox, "graph scipy --format mermaid"), @r#"
        exit: 0
        --- stdout ---
        graph LR
          n0["numpy 1.26"]
          n1[["scipy 1.11"]]
          n1 --> n0
        --- stderr ---
        "#);
    let svg = rocmenv(&sandbox, "graph --format svg").stdout;
    assert!(svg.starts_with("<svg") && svg.contains(">scipy 1.11</text>"));
    let html = rocmenv(&sandbox, "graph --format html").stdout;
    assert!(html.contains("<svg") && html.contains("<script>"));
    insta::assert_snapshot!(snapshot(&sandbox, "tree numpy --invert"), @r"
        exit: 0
        --- stdout ---
        numpy 1.26
        ├── addon 1.0
        └── scipy 1.11
        --- stderr ---
        ");
}

#[test]
fn a_mistyped_address_is_refused_and_not_shown() {
    let sandbox = Sandbox::new();
    for address in [
        "http://joe:s3cret@127.0.0.1:99999/simple/",
        "ht!tp://joe:s3cret@x/",
        "http://joe:s3cret@[::1",
    ] {
        sandbox.write(
            "rocm.toml",
            format!(
                "[requires]\npython = \"3.12\"\n[python-packages]\ngood = {{ index = \"x\" }}\n\
                 [indexes.x]\nurl = \"{address}\"\n"
            ),
        );
        for words in ["lock", "lock --json"] {
            let output = rocmenv(&sandbox, words);
            assert_eq!(output.code, 2, "{}", output.snapshot());
            assert!(!output.snapshot().contains("s3cret"), "{}", output.snapshot());
            assert!(output.snapshot().contains("rocm.toml:6:"), "{}", output.snapshot());
        }
    }
}

/// What a rocm.toml of these lines is answered with before anything is solved.
fn answer(lines: &str) -> String {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", format!("{lines}\n[targets.t]\nos = \"debian-13\"\n"));
    snapshot(&sandbox, "lock")
}

#[test]
fn a_misspelt_name_of_the_stack_is_answered_with_the_nearest() {
    insta::assert_snapshot!(answer("[requires]\npythn = \"3.12\""), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-framework]: rocm.toml:2: no framework `pythn` is known; did you mean `python`?
        help: rocmenv explain unknown-framework
        ");
}

#[test]
fn a_table_in_requires_is_told_where_extras_go() {
    let lines = "[requires]\njax = { version = \"*\", extras = [\"k8s\"] }";
    insta::assert_snapshot!(answer(lines), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[manifest-invalid]: rocm.toml:2:1: `jax` takes a requirement alone here, such as `jax = "*"`; extras, markers and an index go into `[python-packages]`, under the package's name
        help: rocmenv explain manifest-invalid
        "#);
}

#[test]
fn the_latest_is_asked_for_with_a_star() {
    insta::assert_snapshot!(answer("[requires]\nrocm = \"latest\""), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[manifest-invalid]: rocm.toml:2:8: `latest` is not a version requirement (`*` asks for the newest that fits)
        help: rocmenv explain manifest-invalid
        ");
}

#[test]
fn an_index_of_ones_own_is_no_channel_and_that_is_said() {
    let lines = "[requires]\nrocm = \"*\"\n[rocm]\nchannel = \"x\"\ncomponents = [\"smi\"]\n\
                 [indexes.x]\nkind = \"apt\"\nurl = \"http://127.0.0.1:9/debian\"\nsuites = [\"trixie\"]";
    insta::assert_snapshot!(answer(lines), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-name]: rocm.toml:4: no channel `x` is known; an index of `[indexes]` is none by itself: `channel` names one of the registry, and `distro` takes ROCm from the distribution's archive
        help: rocmenv explain unknown-name
        ");
}

#[test]
fn a_python_that_is_no_known_series_drops_no_package() {
    for wanted in ["3.8", "3.99", "2.7", "<3.0", ">=3.6,<3.8", "3.12.77"] {
        let said =
            answer(&format!("[requires]\npython = \"{wanted}\"\n[python-packages]\nnumpy = \"*\""));
        assert!(said.starts_with("exit: 1\n") && said.contains("python-not-found"), "{said}");
        assert!(said.contains("known are the series 3.9 to 3.15"), "{said}");
    }
}
