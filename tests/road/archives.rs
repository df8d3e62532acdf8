//! A whole ROCm as one archive: which file is whose, what is known of it, and that it runs.

use std::fmt::Write as _;

use insta::assert_snapshot;
use rocmenv_tests::channels::therock_tarball;

use super::{bare, connected, node, rocmenv, snapshot};

#[test]
fn a_file_that_is_not_the_one_that_the_registry_knows_is_refused() {
    let (_internet, sandbox) = connected(bare());
    sandbox.write(
        "rocm.toml",
        format!(
            "[requires]\nrocm = \"10.0\"\n[rocm]\nchannel = \"amd-tarball\"\n{}",
            node("\"MI300X\", \"RX 7900 XTX\"")
        ),
    );
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    assert!(
        sandbox
            .read("rocm.lock")
            .contains("name = \"therock-dist-linux-multiarch-10.0.0.tar.gz\"\nsha256 = \"1c5e8078")
    );
    let world = therock_tarball(bare(), "multiarch", "10.0.0");
    let (_internet, other) = connected(world);
    other.write("rocm.toml", sandbox.read("rocm.toml"));
    other.write("rocm.lock", sandbox.read("rocm.lock"));
    assert_snapshot!(snapshot(&other, "sync --target node"), @r"
    exit: 5
    --- stdout ---
    --- stderr ---
    error[hash-mismatch]: `therock-dist-linux-multiarch-10.0.0.tar.gz` has sha256 ce35d8726174f784717a4ccbb26896e99e0657de7a4f1611694602cae90f0f36, expected 1c5e807875d26a2470ecc7323daa5b5b9009208a55c3290ac255a909cde15fc6
    help: rocmenv explain hash-mismatch
    ");
}

#[test]
fn one_archive_brings_a_whole_rocm() {
    let (internet, sandbox) = connected(therock_tarball(bare(), "gfx110X-all", "10.0.0"));
    sandbox.write(
        "rocm.toml",
        format!(
            "[requires]\nrocm = \"10.0\"\n[rocm]\nchannel = \"amd-tarball\"\n\
             components = [\"runtime\", \"smi\"]\n{}",
            node("\"RX 7900 XTX\"")
        ),
    );
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    locked 1 package for `node`: ROCm 10.0.0 (amd-tarball)
     + therock-dist 10.0.0
    warning: the index gives no hash of `therock-dist-linux-gfx110X-all-10.0.0.tar.gz`; `rocmenv lock --hash` downloads and hashes
    ");
    assert_snapshot!(sandbox.read("rocm.lock"), @r#"
    # Written by rocmenv. Do not edit: change rocm.toml and run `rocmenv lock`.
    version = 1

    [[target]]
    name = "node"
    env = "default"
    inputs = "7b008fc0473d7a8d434cd88b7f6a6de9fe83bed767b3c904a1cc2a5aef59f785"
    rocm = "10.0.0"
    channel = "amd-tarball"
    packages = 1
    hard = [
        "os = linux",
        "arch = x86_64",
    ]
    soft = [
        "driver in 30.10..31.50.99",
        "gfx in gfx1100",
    ]

    [[package]]
    name = "therock-dist"
    version = "10.0.0"
    index = "amd-tarball"
    kind = "tarball"
    reason = "rocm.toml:2 ROCm, rocm.toml:5 runtime, rocm.toml:5 smi"
    for = ["node"]

    [[package.file]]
    name = "therock-dist-linux-gfx110X-all-10.0.0.tar.gz"
    targets = ["node"]
    "#);
    assert_snapshot!(snapshot(&sandbox, "sync --locked --target node"), @r"
    exit: 3
    --- stdout ---
    --- stderr ---
    error[hash-gap]: the lock has no hash of therock-dist-linux-gfx110X-all-10.0.0.tar.gz
    help: rocmenv lock --hash
    ");
    assert_snapshot!(snapshot(&sandbox, "sync --target node"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    warning: gaps: `therock-dist-linux-gfx110X-all-10.0.0.tar.gz` has no hash yet; it gets one now
     + therock-dist 10.0.0
    made generation 1 for `node`: 1 package
    ");
    assert_snapshot!(snapshot(&sandbox, "run -q rocminfo"), @r"
    exit: 0
    --- stdout ---
    rocminfo from a fixture
    --- stderr ---
    ");
    let ran = sandbox
        .command(env!("CARGO_BIN_EXE_rocmenv"))
        .args(["run", "-q", "sh", "-c", "cat $ROCM_PATH/.info/version; which hipcc"])
        .run();
    assert_snapshot!(ran.snapshot(), @r"
    exit: 0
    --- stdout ---
    10.0.0
    [TEMP]/project/.rocmenv/node/generations/1/rocm/bin/hipcc
    --- stderr ---
    ");
    let file = "therock-dist-linux-gfx110X-all-10.0.0.tar.gz";
    assert_eq!(internet.server.downloads(file), 1);
}

#[test]
fn each_target_has_the_archive_of_its_system_and_gpus() {
    let (_internet, sandbox) = connected(bare());
    let mut text = "[requires]\nrocm = \"10.0\"\n[rocm]\nchannel = \"amd-tarball\"\n".to_owned();
    for (name, gpus) in [
        ("one", "\"MI300X\""),
        ("two", "\"MI300X\", \"MI350X\""),
        ("older", "\"gfx906\""),
        ("apu", "\"gfx1151\""),
    ] {
        let _ = writeln!(text, "[targets.{name}]\nos = \"ubuntu-24.04\"\ngpus = [{gpus}]");
    }
    text.push_str("[targets.blank]\nos = \"ubuntu-24.04\"\n");
    text.push_str("[targets.desk]\nos = \"windows-11-25H2\"\ngpus = [\"RX 7900 XTX\"]\n");
    sandbox.write("rocm.toml", text);
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    warning: target `blank`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
    locked 1 package for `one`: ROCm 10.0.0 (amd-tarball)
     + therock-dist 10.0.0
    note: the target does not say its driver; it was not checked
    locked 1 package for `two`: ROCm 10.0.0 (amd-tarball)
     + therock-dist 10.0.0
    note: the target does not say its driver; it was not checked
    locked 1 package for `older`: ROCm 10.0.0 (amd-tarball)
     + therock-dist 10.0.0
    note: gfx906 on ubuntu-24.04 with ROCm 10.0.0: TheRock says `build-only` (ROCm/TheRock, SUPPORTED_GPUS.md)
    note: the target does not say its driver; it was not checked
    locked 1 package for `apu`: ROCm 10.0.0 (amd-tarball)
     + therock-dist 10.0.0
    note: the target does not say its driver; it was not checked
    locked 1 package for `blank`: ROCm 10.0.0 (amd-tarball)
     + therock-dist 10.0.0
    note: the target does not say its GPU; it was not checked
    note: the target does not say its driver; it was not checked
    locked 1 package for `desk`: ROCm 10.0.0 (amd-tarball)
     + therock-dist 10.0.0
    note: the target does not say its driver; it was not checked
    warning: the index gives no hash of `therock-dist-linux-gfx1151-10.0.0.tar.gz` and 2 more; `rocmenv lock --hash` downloads and hashes
    ");
    let lock = sandbox.read("rocm.lock");
    let files = lock.split("[[package.file]]").skip(1).map(|file| {
        let lines = file.lines().filter(|line| !line.starts_with("sha256"));
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    });
    assert_snapshot!(files.collect::<Vec<_>>().join("\n"), @r#"
    name = "therock-dist-linux-gfx1151-10.0.0.tar.gz" targets = ["apu"]
    name = "therock-dist-linux-gfx94X-dcgpu-10.0.0.tar.gz" targets = ["one"]
    name = "therock-dist-linux-multiarch-10.0.0.tar.gz" targets = [     "blank",     "older",     "two", ]
    name = "therock-dist-windows-gfx110X-all-10.0.0.tar.gz" targets = ["desk"]
    "#);
}

#[test]
fn a_release_that_the_archives_do_not_have_is_refused() {
    let (_internet, sandbox) = connected(bare());
    let said = |channel: &str, release: &str| {
        sandbox.write(
            "rocm.toml",
            format!(
                "[requires]\nrocm = \"{release}\"\n[rocm]\nchannel = \"{channel}\"\n{}",
                node("\"MI300X\"")
            ),
        );
        snapshot(&sandbox, "lock")
    };
    assert_snapshot!(said("amd-tarball", "7.2"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-not-found]: no set fits target `node`
        rocm.toml:2 asks for ROCm 7.2
        no ROCm on channel `amd-tarball` is 7.2; the newest is 10.1.0
        fix 1: ask for rocm 10.0: [requires] rocm = "10.0"
        fix 2: take ROCm from channel `auto`: [rocm] channel = "auto"
        help: rocmenv lock --fix 1
        "#);
    // how its files are named is not known
    assert_snapshot!(said("amd-tarball-multi-arch", "7.14"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-not-found]: no set fits target `node`
        rocm.toml:2 asks for ROCm 7.14
        there is no ROCm on channel `amd-tarball-multi-arch`
        fix 1: take ROCm from channel `auto`: [rocm] channel = "auto"
        help: rocmenv lock --fix 1
        "#);
}
