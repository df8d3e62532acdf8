//! An upgrade of a target that rocm.toml describes: another machine than this one.

use crate::node::Node;

/// The node's project, for a machine that is described.
fn described() -> Node {
    let mut node = Node::with(TARGET, |wheel, _| wheel);
    node.sandbox.filter("warning: fit: .*\n", "");
    node
}

/// A call on this very machine, which is not the described one.
fn here(node: &Node, words: &str) -> rocmenv_tests::Output {
    let program = env!("CARGO_BIN_EXE_rocmenv");
    node.sandbox.command(program).args(words.split_whitespace()).run()
}

#[test]
fn a_described_machine_is_not_probed_from_here() {
    let node = described();
    let begin = "--target cluster upgrade --to 10.0 --driver 31.50.0 --apply --yes";
    insta::assert_snapshot!(here(&node, begin).snapshot(), @r"
        exit: 6
        --- stdout ---
        stage 1 is yours: firmware 01.26.00.04
          firmware has to become 01.26.00.04
        note: the maker of the machine gives the bundle 01.26.00.04 for AMD Instinct MI300X
        note: where the driver does not show it, `rocmenv upgrade --continue --yes` says that it is done
        stage 2 is yours: driver 30.20.1 -> 31.50.0
          driver has to become 31.50.0
        do:
          sudo apt autoremove amdgpu-dkms
          sudo mkdir --parents --mode=0755 /etc/apt/keyrings && wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg --dearmor | sudo tee /etc/apt/keyrings/rocm.gpg > /dev/null
          echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/amdgpu/31.50/ubuntu noble main' | sudo tee /etc/apt/sources.list.d/amdgpu.list
          sudo apt update
          sudo apt install amdgpu-dkms
          sudo reboot
        hold:
          sudo apt-mark hold amdgpu-dkms amdgpu-dkms-firmware
        way back:
          sudo apt-mark unhold amdgpu-dkms amdgpu-dkms-firmware
          sudo apt autoremove amdgpu-dkms
          sudo mkdir --parents --mode=0755 /etc/apt/keyrings && wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg --dearmor | sudo tee /etc/apt/keyrings/rocm.gpg > /dev/null
          echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/amdgpu/30.20.1/ubuntu noble main' | sudo tee /etc/apt/sources.list.d/amdgpu.list
          sudo apt update
          sudo apt install amdgpu-dkms
          sudo reboot
        note: the driver's packages are not kept (no key that you trust for repo.radeon.com is in your apt sources or rocm.toml): they come from AMD's repository
        note: the packages of driver 30.20.1 are not kept: the way back needs AMD's repository
        `cluster` is described in rocm.toml and is another machine, which cannot be probed from here
        then: rocmenv --host FILE upgrade --continue, with what `rocmenv host --json` says there (or `rocmenv upgrade --continue --yes` says that it is done, or `rocmenv upgrade --abort`)
        --- stderr ---
        ");
    // This machine says nothing of that one, however often it is asked.
    assert_eq!(here(&node, "upgrade --continue").code, 6);
    // The user says it, a step that was shown at a time.
    insta::assert_snapshot!(here(&node, "upgrade --continue --yes").snapshot(), @r"
        exit: 6
        --- stdout ---
        stage 3 is yours: ROCm of the host 7.2.4 -> 10.0.0
          ROCm has to become 10.0.0
        do:
          sudo apt autoremove rocm-core
          echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://stable.repo.amd.com/rocm/core/packages/ubuntu2404/ stable main' | sudo tee /etc/apt/sources.list.d/rocm.list && sudo apt update
          sudo apt install amdrocm-core-sdk10.0
        way back:
          sudo apt remove amdrocm-core-sdk10.0
          echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/rocm/apt/7.2.4 noble main' | sudo tee /etc/apt/sources.list.d/rocm.list && sudo apt update
          sudo apt install rocm
        kernels that AMD names: 6.17 HWE; 6.17 OEM; 6.8 GA
        note: AMD's guide has ROCm 7.2.4 removed before 10.0.0 is installed
        `cluster` is described in rocm.toml and is another machine, which cannot be probed from here
        then: rocmenv --host FILE upgrade --continue, with what `rocmenv host --json` says there (or `rocmenv upgrade --continue --yes` says that it is done, or `rocmenv upgrade --abort`)
        --- stderr ---
        stage 1: firmware none -> 01.26.00.04: so you say
        stage 2: driver 30.20.1 -> 31.50.0: so you say
        ");
    assert!(node.file("rocm.toml").contains("driver = \"31.50.0\""), "the description follows");
    insta::assert_snapshot!(here(&node, "upgrade --continue --yes").snapshot(), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        stage 3: ROCm 7.2.4 -> 10.0.0, jax 0.30.0 -> 0.32.0: generation 2, verified
        all 3 stages are done
        ");
    let text = node.file("rocm.toml");
    assert!(text.contains("rocm = \"10.0.0\""), "{text}");
}

#[test]
fn the_facts_of_a_described_machine_can_be_handed_over() {
    let node = described();
    let begin = "--target cluster upgrade --to 10.0 --driver 31.50.0 --apply --yes";
    assert_eq!(here(&node, begin).code, 6);
    let waiting = node.call("first", "upgrade --continue --yes");
    assert_eq!(waiting.code, 6, "{}", waiting.snapshot());
    assert!(waiting.stdout.contains("driver has to become 31.50.0; this host has 30.20.1"));
    assert_eq!(node.call("driver", "upgrade --continue --yes").code, 6, "its ROCm is next");
    node.must("last", "upgrade --continue");
}

const TARGET: &str = r#"
[targets.cluster]
os = "ubuntu-24.04"
gpus = ["MI300X"]
driver = "30.20.1"
rocm = "7.2.4"
"#;
