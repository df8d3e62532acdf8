//! Wishes whose ROCm builds are for other Pythons, and what the general index has in their place.

use insta::assert_snapshot;
use rocmenv_tests::channels::{Internet, every_wheel_channel, general};
use rocmenv_tests::{Sandbox, WheelBuilder};

use super::snapshot;

/// Every channel, and a general index with CUDA builds for the Python that is asked for.
fn world() -> (Internet, Sandbox) {
    let cuda = general()
        .wheel(WheelBuilder::new("vllm", "0.29.0").tag("cp38-abi3-manylinux_2_31_x86_64"))
        .wheel(WheelBuilder::new("torch", "2.15.0").tag("cp311-cp311-manylinux_2_28_x86_64"));
    let internet = Internet::start(every_wheel_channel().index(cuda));
    let mut sandbox = Sandbox::new();
    sandbox.internet(&internet);
    (internet, sandbox)
}

/// A project on Python 3.11 that asks for this, for one MI300X.
fn ask(sandbox: &Sandbox, requires: &str, packages: &str) {
    sandbox.write(
        "rocm.toml",
        format!(
            "[requires]\npython = \"3.11\"\n{requires}\n[python-packages]\n{packages}\n\
             [targets.t]\nos = \"ubuntu-24.04\"\ngpus = [\"MI300X\"]\ndriver = \"30.30.0\"\n"
        ),
    );
}

#[test]
fn an_index_that_does_not_answer_takes_no_fix_of_the_others_away() {
    // of the releases that a fix could move to, most have no index in this world
    let (internet, sandbox) = world();
    ask(&sandbox, "rocm = \"7.2\"\npytorch = \"2.9\"", "");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-no-wheel-for-python]: no set fits target `t`
        rocm.toml:2 asks for Python 3.11
        rocm.toml:4 asks for pytorch 2.9
        pytorch 2.9.1 needs torch ==2.9.1
        torch 2.9.1+rocm7.2.0.lw.git7e1940d4 (index `amd-manylinux-7.2`): wheels for other Pythons only (cp310, cp312)
        torch 2.9.1+rocm7.2.1.lw.gitff65f5bc (index `amd-manylinux-7.2.1`): wheels for other Pythons only (cp312)
        torch 2.9.1+rocm7.2.4.lw.git39497456 (index `amd-manylinux-7.2.4`): wheels for other Pythons only (cp312, cp313)
        fix 1: ask for python 3.10: [requires] python = "3.10"
        help: rocmenv lock --fix 1
        "#);
    let asked = internet.server.requests();
    let is_dead = |path: &str| path.starts_with("/download.pytorch.org/whl/rocm5.4/");
    assert!(asked.iter().any(|request| is_dead(&request.path)));
}
