//! A template's stack on the channels that serve it: what `init --template` writes is what locks.

use insta::assert_snapshot;
use rocmenv_tests::channels::every_wheel_channel_with;

use super::{connected, rocmenv, snapshot};

/// What `init` says of llm-serve for a release, the manifest's wishes, and what is locked.
fn served(rocm: &str) -> String {
    // The torchvision of 2.12 for ROCm 10.0.0 is made up: no public file shows it.
    let made_up = [
        ("torchvision", "0.27.0+rocm10.0.0"),
        ("amd-torchvision-device-gfx942", "0.27.0+rocm10.0.0"),
    ];
    let (_internet, sandbox) = connected(every_wheel_channel_with("3.14", &made_up));
    let words =
        format!("init --name s --template llm-serve --gpu MI300X --os ubuntu-24.04 --rocm {rocm}");
    let made = snapshot(&sandbox, &words);
    let manifest = sandbox.read("rocm.toml");
    let wishes = manifest.split("[targets").next().unwrap_or_default().lines();
    let wishes: Vec<&str> =
        wishes.filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let locked = rocmenv(&sandbox, "lock");
    assert_eq!(locked.code, 0, "{}", locked.snapshot());
    let lock: toml_edit::DocumentMut = sandbox.read("rocm.lock").parse().expect("TOML");
    let packages = lock["package"].as_array_of_tables().expect("packages").iter();
    let mut pins: Vec<String> = packages
        .filter(|it| it["kind"].as_str() == Some("wheel"))
        .map(|it| {
            let word = |key: &str| it[key].as_str().unwrap_or_default().to_owned();
            format!("{} {}", word("name"), word("version"))
        })
        .filter(|pin| {
            ["vllm", "torch ", "triton ", "flash", "amd-aiter"]
                .iter()
                .any(|name| pin.starts_with(name))
        })
        .collect();
    pins.sort();
    format!("{made}\n{}\n\n{}", wishes.join("\n"), pins.join("\n"))
}

#[test]
fn vllm_is_locked_for_the_release_of_amds_wheel() {
    // AMD-Ecosystem/ai-ecosystem, the page that installs vLLM for ROCm 10.0.0 by pip.
    assert_snapshot!(served("10.0"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        made `[TEMP]/project/rocm.toml`
        chosen for you: python 3.14 (`--python`)
        chosen for you: tensor_parallel 1 (7b parameters, 14.0 GB of weights on each GPU, 171.5 GB for the cache)
        made `serve.py`
        made `load.py`
        next: rocmenv lock && rocmenv sync
        then: rocmenv run python serve.py --random-weights, and in another shell rocmenv run python load.py

        [project]
        name = "s"
        [requires]
        rocm = "10.0"
        python = "3.14"
        vllm = "*"
        pytorch = "2.12.0"
        [rocm]
        components = []
        channel = "auto"
        [python-packages]
        flash-attn = "==2.8.3"
        amd-aiter = "==0.1.20.post1"

        amd-aiter 0.1.20.post1
        flash-attn 2.8.3
        torch 2.12.0+rocm10.0.0
        vllm 0.27.1+rocm10.0.0
        "#);
}

#[test]
fn vllm_is_locked_from_its_own_index_with_that_indexs_pytorch() {
    // vLLM's installation page: wheels.vllm.ai, variant rocm700, Python 3.12.
    assert_snapshot!(served("7.0"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        made `[TEMP]/project/rocm.toml`
        chosen for you: python 3.12 (`--python`)
        chosen for you: tensor_parallel 1 (7b parameters, 14.0 GB of weights on each GPU, 171.5 GB for the cache)
        made `serve.py`
        made `load.py`
        next: rocmenv lock && rocmenv sync
        then: rocmenv run python serve.py --random-weights, and in another shell rocmenv run python load.py

        [project]
        name = "s"
        [requires]
        rocm = "7.0"
        python = "3.12"
        vllm = "*"
        [rocm]
        components = []
        channel = "auto"
        [python-packages]

        torch 2.9.0a0+git1c57644
        triton 3.4.0
        vllm 0.18.0+rocm700
        "#);
}
