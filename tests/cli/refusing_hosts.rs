//! Refusals whose way out is the host: a GPU that is left out, another kernel, another system.

use rocmenv_tests::Sandbox;

use crate::{rocmenv, snapshot};

/// A project of one ROCm on a described live host.
fn on(host: &str, rocm: &str) -> Sandbox {
    let mut sandbox = Sandbox::new();
    let host = sandbox.write("host.json", host);
    sandbox.env("ROCMENV_HOST", &host.display().to_string());
    sandbox.write("rocm.toml", format!("[requires]\nrocm = \"{rocm}\" # ours\n"));
    sandbox
}

/// Two cards, of which stock ROCm no longer knows the second (ROCm/ROCm#4625).
const TWO_CARDS: &str = r#"{"schema": 1, "arch": "x86_64",
 "os": {"family": "linux", "release": "ubuntu-24.04"}, "kernel": {"release": "6.8.0-45-generic"},
 "libc": {"kind": "glibc", "version": "2.39"},
 "gpus": [{"gfx": "gfx906", "kfd-node": 1}, {"gfx": "gfx1100", "kfd-node": 2}]}"#;

#[test]
fn rocm_4625_a_gpu_of_the_live_host_is_left_out() {
    let sandbox = on(TWO_CARDS, "7.2");
    insta::assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-gpu-not-supported]: no set fits target `host`
        rocm.toml:2 asks for ROCm 7.2
        ROCm 7.2.0 to 7.2.4 (5 versions) needs a GPU other than gfx906; the GPU of this target is gfx906, gfx1100 (default): gfx906: stock ROCm has no kernels for gfx906 since 6.4.0; take ROCm 6.3 (ROCm/ROCm, issue 4625)
        fix 1: ask for rocm 10.1: [requires] rocm = "10.1"
        fix 2: ask for rocm 6.2: [requires] rocm = "6.2"
        fix 3: leave gfx906 out: [targets.ubuntu-24-04-gfx1100] os = "ubuntu-24.04", kernel = "6.8.0", libc = "2.39", gpus = ["gfx1100"]; [tune] ROCR_VISIBLE_DEVICES = "1"; then `rocmenv sync --target ubuntu-24-04-gfx1100`
        help: rocmenv lock --fix 1
        "#);
    insta::assert_snapshot!(snapshot(&sandbox, "lock --fix 3"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        fix 3: leave gfx906 out
        added os = "ubuntu-24.04" to [targets.ubuntu-24-04-gfx1100]
        added kernel = "6.8.0" to [targets.ubuntu-24-04-gfx1100]
        added libc = "2.39" to [targets.ubuntu-24-04-gfx1100]
        added gpus = ["gfx1100"] to [targets.ubuntu-24-04-gfx1100]
        added ROCR_VISIBLE_DEVICES = "1" to [tune]
        locked 0 packages for `ubuntu-24-04-gfx1100`: ROCm 7.2.4 (amd)
        note: the target does not say its driver; it was not checked
        "#);
    insta::assert_snapshot!(sandbox.read("rocm.toml"), @r#"
        [requires]
        rocm = "7.2" # ours

        [targets.ubuntu-24-04-gfx1100]
        os = "ubuntu-24.04"
        kernel = "6.8.0"
        libc = "2.39"
        gpus = ["gfx1100"]

        [tune]
        ROCR_VISIBLE_DEVICES = "1"
        "#);
}

/// A Ryzen whose kernel AMD says not to be supported with the release.
const OLD_KERNEL: &str = r#"{"schema": 1, "arch": "x86_64",
 "os": {"family": "linux", "release": "debian-13"}, "kernel": {"release": "6.12.0-1-amd64"},
 "libc": {"kind": "glibc", "version": "2.41"}, "driver": {"flavour": "in-tree"},
 "gpus": [{"gfx": "gfx1151", "kfd-node": 1}]}"#;

#[test]
fn a_kernel_that_a_table_names_is_a_change_of_the_host() {
    let sandbox = on(OLD_KERNEL, "==7.2.0");
    insta::assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-kernel-not-supported]: no set fits target `host`
        rocm.toml:2 asks for ROCm ==7.2.0
        ROCm 7.2.0 needs a newer kernel; the kernel of this target is 6.12.0 (default): kernel 6.12.0 with ROCm 7.2.0: a document says `unsupported` (ROCm/rocm-docs, docs/reference/system-optimization/rdna3-5.rst)
        fix 1: ask for rocm 7.2: [requires] rocm = "7.2"
        fix 2: boot kernel 6.18.4 in place of 6.12.0 (ROCm/rocm-docs, docs/reference/system-optimization/rdna3-5.rst): `sudo apt-get update`, `sudo apt-get install linux-image-amd64 linux-headers-amd64`, `sudo reboot`, `uname -r` (must begin with 6.18.4), then `rocmenv lock`
        help: rocmenv lock --fix 1
        "#);
    assert_eq!(rocmenv(&sandbox, "lock --fix 2").code, 6);
    sandbox.write(
        "rocm.toml",
        "[requires]\nrocm = \"==7.2.0\"\n\n[targets.apu]\nos = \"debian-13\"\nkernel = \"6.12.0\"\n\
         gpus = [\"gfx1151\"]\ndriver = \"in-tree\"\n",
    );
    insta::assert_snapshot!(snapshot(&sandbox, "lock --fix 2"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        fix 2: boot kernel 6.18.4 in place of 6.12.0 (ROCm/rocm-docs, docs/reference/system-optimization/rdna3-5.rst)
        changed kernel in [targets.apu] from "6.12.0" to "6.18.4"
        locked 0 packages for `apu`: ROCm 7.2.0 (amd)
        note: no document that was read speaks of debian-13 with ROCm 7.2.0
        note: the kernel's own driver with ROCm 7.2.0: AMD's windows say nothing of the kernel's own driver
        "#);
}

/// A node whose system the table of the release does not have.
const OLD_SYSTEM: &str = r#"{"schema": 1, "arch": "x86_64",
 "os": {"family": "linux", "release": "ubuntu-20.04"}, "kernel": {"release": "5.15.0-100-generic"},
 "libc": {"kind": "glibc", "version": "2.31"},
 "gpus": [{"gfx": "gfx942", "product": "AMD Instinct MI300X", "kfd-node": 1}]}"#;

#[test]
fn a_system_that_a_table_lists_is_a_change_of_the_host() {
    let sandbox = on(OLD_SYSTEM, "10.0");
    let said = rocmenv(&sandbox, "lock").stderr;
    let fixes: Vec<&str> = said.lines().filter(|line| line.starts_with("fix ")).collect();
    insta::assert_snapshot!(fixes.join("\n"), @r#"
        fix 1: ask for rocm 10.1: [requires] rocm = "10.1"
        fix 2: ask for rocm 6.1: [requires] rocm = "6.1"
        fix 3: move from ubuntu-20.04 to ubuntu-22.04.5 (ROCm/rocm-docs, docs/data/os-support.yaml): `sudo apt update && sudo apt full-upgrade`, `sudo do-release-upgrade`, then `rocmenv lock`
        "#);
    sandbox.write(
        "rocm.toml",
        "[requires]\nrocm = \"10.0\"\n\n[targets.lab]\nos = \"ubuntu-20.04\"\nkernel = \"5.15.0\"\n\
         gpus = [\"MI300X\"]\ndriver = \"31.40.0\"\n",
    );
    insta::assert_snapshot!(snapshot(&sandbox, "lock --fix 3"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        fix 3: move from ubuntu-20.04 to ubuntu-22.04.5 (ROCm/rocm-docs, docs/data/os-support.yaml)
        changed os in [targets.lab] from "ubuntu-20.04" to "ubuntu-22.04.5"
        removed kernel from [targets.lab]
        locked 0 packages for `lab`: ROCm 10.0.0 (therock)
        "#);
}
