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
fn a_cuda_build_is_refused_with_the_pythons_of_the_rocm_builds() {
    let (_internet, sandbox) = world();
    ask(
        &sandbox,
        "rocm = \"7.0\"",
        "# of our own\nVLLM = { version = \"*\", index = \"python\" } # yes",
    );
    assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-wrong-accelerator]: no set fits target `t`
        rocm.toml:6 asks for vllm
        vllm 0.29.0 (index `python`): built for CUDA, not for ROCm
        the known builds of vllm are for ROCm 7.0 (cp312), not for Python 3.11 (vllm-project/vllm, docs/getting_started/installation/gpu.rocm.inc.md)
        fix 1: take vllm from the index of its ROCm builds and ask for python 3.12: [python-packages.vllm] without index; [requires] python = "3.12"
        help: rocmenv lock --fix 1
        "#);
    assert_snapshot!(snapshot(&sandbox, "lock --fix 1"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        fix 1: take vllm from the index of its ROCm builds and ask for python 3.12
        removed index from [python-packages.vllm]
        changed python in [requires] from "3.11" to "3.12"
        locked 5 packages for `t`: ROCm 7.0.2 (amd), Python 3.12
         + amdsmi 26.1.0+5df6c765
         + torch 2.9.0a0+git1c57644
         + torchvision 0.23.0a0+824e8c8
         + triton 3.4.0
         + vllm 0.18.0+rocm700
        "#);
    assert_snapshot!(sandbox.read("rocm.toml"), @r#"
        [requires]
        python = "3.12"
        rocm = "7.0"
        [python-packages]
        # of our own
        VLLM = { version = "*" } # yes
        [targets.t]
        os = "ubuntu-24.04"
        gpus = ["MI300X"]
        driver = "30.30.0"
        "#);
}

#[test]
fn a_pinned_cuda_build_is_given_up_with_its_index() {
    let (_internet, sandbox) = world();
    ask(&sandbox, "rocm = \"7.0\"", "vllm = { version = \"==0.29.0\", index = \"python\" }");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-wrong-accelerator]: no set fits target `t`
        rocm.toml:5 asks for vllm ==0.29.0
        vllm 0.29.0 (index `python`): built for CUDA, not for ROCm
        the known builds of vllm are for ROCm 7.0 (cp312), not for Python 3.11 (vllm-project/vllm, docs/getting_started/installation/gpu.rocm.inc.md)
        fix 1: ask for vllm 0.18 and take vllm from the index of its ROCm builds and ask for python 3.12: [python-packages] vllm = "0.18"; [python-packages.vllm] without index; [requires] python = "3.12"
        help: rocmenv lock --fix 1
        "#);
    assert_snapshot!(snapshot(&sandbox, "lock -q --fix 1"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        ");
}

#[test]
fn pytorch_of_the_general_index_is_told_the_same_way() {
    let (_internet, sandbox) = world();
    ask(&sandbox, "", "torch = { version = \"*\", index = \"python\" }");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-wrong-accelerator]: no set fits target `t`
        rocm.toml:5 asks for torch
        torch 2.15.0 (index `python`): built for CUDA, not for ROCm
        the known builds of torch are for ROCm 10.1 (cp312), ROCm 10.0 (cp310 cp311 cp312 cp313 cp314), ROCm 7.14 (cp312), ROCm 7.2 (cp310 cp312 cp313) and 8 older (public repositories, user notes of 2026-10 (third-party public files))
        fix 1: take torch from the index of its ROCm builds and ask for python 3.13: [python-packages.torch] without index; [requires] python = "3.13"
        help: rocmenv lock --fix 1
        "#);
}

#[test]
fn a_release_without_builds_is_told_which_releases_and_pythons_have_some() {
    let (_internet, sandbox) = world();
    ask(&sandbox, "rocm = \"7.2\"\nvllm = \"*\"", "");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-not-found]: no set fits target `t`
        rocm.toml:4 asks for vllm
        there is no vllm
        the known builds of vllm are for ROCm 10.0 (cp314) and ROCm 7.0 (cp312), neither for ROCm 7.2 nor for Python 3.11 (AMD-Ecosystem/ai-ecosystem, docs/inference/include/vllm/rocm10.0.0-docker.rst, rocm10.0.0-pip-install.rst)
        fix 1: ask for rocm 10.0 and ask for python 3.14: [requires] rocm = "10.0"; [requires] python = "3.14"
        fix 2: ask for rocm 7.0 and ask for python 3.12: [requires] rocm = "7.0"; [requires] python = "3.12"
        help: rocmenv lock --fix 1
        "#);
    assert_snapshot!(snapshot(&sandbox, "lock -q --fix 2"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        ");
}

#[test]
fn the_pythons_named_are_those_of_the_release_that_is_asked_for() {
    let (_internet, sandbox) = world();
    ask(&sandbox, "rocm = \"7.0\"", "vllm = \"*\"");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-no-wheel-for-python]: no set fits target `t`
        rocm.toml:2 asks for Python 3.11
        rocm.toml:5 asks for vllm
        vllm 0.27.1+rocm10.0.0 (index `amd-frameworks-vllm`): wheels for other Pythons only (cp314)
        the known builds of vllm are for ROCm 7.0 (cp312), not for Python 3.11 (vllm-project/vllm, docs/getting_started/installation/gpu.rocm.inc.md)
        fix 1: ask for python 3.12: [requires] python = "3.12"
        help: rocmenv lock --fix 1
        "#);
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
