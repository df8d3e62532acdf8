//! A public report of a closure that went wrong, asked of `lock`: the build that an add-on brings
//! beside torch. `check` knows frameworks alone, so that it is not asked (tests/cli/cases.toml
//! names it, and where other closures are tested).

use rocmenv_tests::{Index, WheelBuilder};

use crate::Project;

/// A CUDA build of torchcodec came into a ROCm environment because indexes were mixed
/// (ROCm/rocm-cli#254).
#[test]
fn rocm_cli_254_a_cuda_add_on_is_not_locked_beside_torch_for_rocm() {
    let index = Index::new("main")
        .wheel(WheelBuilder::new("torch", "2.9.1+rocm7.2"))
        .wheel(WheelBuilder::new("torchcodec", "0.8.1+cu128"));
    let project = Project::on(index);
    let url = project.server.url("main");
    project.ask(
        "torch = { version = \"*\", index = \"local\" }\ntorchcodec = \"*\"\n",
        &format!("[indexes.local]\nurl = \"{url}\"\nkind = \"simple\"\n"),
    );
    insta::assert_snapshot!(project.snapshot("lock"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-wrong-accelerator]: no set fits target `host`
        rocm.toml:9 asks for torchcodec
        torchcodec 0.8.1+cu128 (index `python`): built for CUDA, not for ROCm
        fix 1: drop torchcodec: [python-packages] without torchcodec
        help: rocmenv lock --fix 1
        ");
}
