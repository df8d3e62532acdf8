//! AMD's and PyTorch's channels with their own layouts: what is chosen from which index.

use insta::assert_snapshot;
use rocmenv_tests::Sandbox;
use rocmenv_tests::channels::{Internet, every_wheel_channel};

use super::{hide_python, rocmenv, snapshot};

/// What `lock` says and the chosen packages with their indexes.
fn locked(target: &str, requires: &str) -> String {
    let internet = Internet::start(every_wheel_channel());
    let mut sandbox = Sandbox::new();
    sandbox.internet(&internet);
    hide_python(&mut sandbox);
    sandbox.write("rocm.toml", format!("[requires]\n{requires}\n[targets.t]\n{target}\n"));
    let said = snapshot(&sandbox, "lock");
    if !sandbox.exists("rocm.lock") {
        return said;
    }
    let lock = sandbox.read("rocm.lock");
    let packages = lock.split("[[package]]").skip(1);
    let chosen = packages.map(|package| {
        let value = |key: &str| {
            let mut lines = package.lines();
            let line = lines.find_map(|line| line.strip_prefix(&format!("{key} = \"")));
            line.unwrap_or_default().trim_end_matches('"').to_owned()
        };
        format!("{} {} from {}", value("name"), value("version"), value("index"))
    });
    let chosen: Vec<String> = chosen.collect();
    format!("{said}--- lock ---\n{}", chosen.join("\n"))
}

#[test]
fn rocm_10_comes_from_amds_newest_index_with_device_wheels() {
    let target = "os = \"ubuntu-24.04\"\ngpus = [\"MI300X\"]\ndriver = \"31.50.0\"";
    assert_snapshot!(locked(target, "rocm = \"10.0\"\npython = \"3.13\"\npytorch = \"2.13\""), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    locked 16 packages for `t`: ROCm 10.0.0 (therock), Python [3]
     + amd-torch-device-gfx942 2.13.0+rocm10.0.0
     + amd-torchvision-device-gfx942 0.28.0+rocm10.0.0
     + filelock 1.0
     + fsspec 1.0
     + jinja2 1.0
     + networkx 1.0
     + rocm 10.0.0
     + rocm-bootstrap 0.3.0
     + rocm-sdk-core 10.0.0
     + rocm-sdk-device-gfx942 10.0.0
     + rocm-sdk-libraries 10.0.0
     + sympy 1.0
     + torch 2.13.0+rocm10.0.0
     + torchaudio 2.11.0.2+rocm10.0.0
     + torchvision 0.28.0+rocm10.0.0
     + typing-extensions 1.0
    warning: the index gives no hash of `amd_torch_device_gfx942-2.13.0+rocm10.0.0-cp313-cp313-linux_x86_64.whl` and 2 more; `rocmenv lock --hash` downloads and hashes
    --- lock ---
    amd-torch-device-gfx942 2.13.0+rocm10.0.0 from amd-whl-next
    amd-torchvision-device-gfx942 0.28.0+rocm10.0.0 from amd-whl-next
    filelock 1.0 from python
    fsspec 1.0 from python
    jinja2 1.0 from python
    networkx 1.0 from python
    rocm 10.0.0 from amd-whl-next
    rocm-bootstrap 0.3.0 from python
    rocm-sdk-core 10.0.0 from amd-whl-next
    rocm-sdk-device-gfx942 10.0.0 from amd-whl-next
    rocm-sdk-libraries 10.0.0 from amd-whl-next
    sympy 1.0 from python
    torch 2.13.0+rocm10.0.0 from amd-whl-next
    torchaudio 2.11.0.2+rocm10.0.0 from amd-whl-next
    torchvision 0.28.0+rocm10.0.0 from amd-whl-next
    typing-extensions 1.0 from python
    ");
}

#[test]
fn an_apu_gets_its_own_device_wheels() {
    let target =
        "os = \"ubuntu-24.04\"\nkernel = \"6.17\"\ngpus = [\"gfx1151\"]\ndriver = \"in-tree\"";
    assert_snapshot!(locked(target, "rocm = \"10.0\"\npython = \"3.13\"\npytorch = \"*\""), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    locked 16 packages for `t`: ROCm 10.0.0 (therock), Python [3]
     + amd-torch-device-gfx1151 2.13.0+rocm10.0.0
     + amd-torchvision-device-gfx1151 0.28.0+rocm10.0.0
     + filelock 1.0
     + fsspec 1.0
     + jinja2 1.0
     + networkx 1.0
     + rocm 10.0.0
     + rocm-bootstrap 0.3.0
     + rocm-sdk-core 10.0.0
     + rocm-sdk-device-gfx1151 10.0.0
     + rocm-sdk-libraries 10.0.0
     + sympy 1.0
     + torch 2.13.0+rocm10.0.0
     + torchaudio 2.11.0.2+rocm10.0.0
     + torchvision 0.28.0+rocm10.0.0
     + typing-extensions 1.0
    --- lock ---
    amd-torch-device-gfx1151 2.13.0+rocm10.0.0 from amd-whl-next
    amd-torchvision-device-gfx1151 0.28.0+rocm10.0.0 from amd-whl-next
    filelock 1.0 from python
    fsspec 1.0 from python
    jinja2 1.0 from python
    networkx 1.0 from python
    rocm 10.0.0 from amd-whl-next
    rocm-bootstrap 0.3.0 from python
    rocm-sdk-core 10.0.0 from amd-whl-next
    rocm-sdk-device-gfx1151 10.0.0 from amd-whl-next
    rocm-sdk-libraries 10.0.0 from amd-whl-next
    sympy 1.0 from python
    torch 2.13.0+rocm10.0.0 from amd-whl-next
    torchaudio 2.11.0.2+rocm10.0.0 from amd-whl-next
    torchvision 0.28.0+rocm10.0.0 from amd-whl-next
    typing-extensions 1.0 from python
    ");
}

#[test]
fn rocm_7_2_comes_from_pytorchs_index_with_its_triton() {
    let target = "os = \"ubuntu-24.04\"\ngpus = [\"MI300X\"]\ndriver = \"30.30.0\"";
    assert_snapshot!(locked(target, "rocm = \"7.2\"\npython = \"3.12\"\npytorch = \"*\""), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    locked 3 packages for `t`: ROCm 7.2.4 (amd), Python [3]
     + torch 2.14.1+rocm7.2
     + torchaudio 2.11.0+rocm7.2
     + torchvision 0.29.0+rocm7.2
    note: AMD's table for ROCm 7.2.4 ends at PyTorch 2.9.1 (ROCm/legacy-rocm-build, docs/compatibility/compatibility-matrix.rst)
    --- lock ---
    torch 2.14.1+rocm7.2 from pytorch-rocm7.2
    torchaudio 2.11.0+rocm7.2 from pytorch-rocm7.2
    torchvision 0.29.0+rocm7.2 from pytorch-rocm7.2
    ");
}

#[test]
fn a_cuda_build_never_stands_in_for_a_rocm_one() {
    let target = "os = \"ubuntu-24.04\"\ngpus = [\"MI300X\"]\ndriver = \"31.50.0\"";
    assert_snapshot!(locked(target, "rocm = \"10.0\"\npython = \"3.12\"\npytorch = \"2.15\""), @r"
    exit: 1
    --- stdout ---
    --- stderr ---
    error[R-not-found]: no set fits target `t`
    rocm.toml:4 asks for pytorch 2.15
    no pytorch is 2.15; the newest is 2.14.0
    help: rocmenv explain R-not-found
    ");
}

#[test]
fn a_hash_that_an_index_does_not_give_is_a_gap_until_it_is_filled() {
    let internet = Internet::start(every_wheel_channel());
    let mut sandbox = Sandbox::new();
    sandbox.internet(&internet);
    sandbox.write(
        "rocm.toml",
        "[requires]\nrocm = \"10.0\"\npython = \"3.13\"\npytorch = \"2.13\"\n\
         [targets.t]\nos = \"ubuntu-24.04\"\ngpus = [\"MI300X\"]\ndriver = \"31.50.0\"\n",
    );
    let said = rocmenv(&sandbox, "lock");
    assert_eq!(said.code, 0, "{}", said.snapshot());
    assert!(said.snapshot().contains("the index gives no hash of"), "{}", said.snapshot());
    let gaps = |lock: &str| {
        lock.split("[[package.file]]").skip(1).filter(|file| !file.contains("sha256 = ")).count()
    };
    assert!(gaps(&sandbox.read("rocm.lock")) > 0);
    assert_snapshot!(snapshot(&sandbox, "sync --locked --target t").lines().next().unwrap_or_default(), @"exit: 3");
    let hashed = rocmenv(&sandbox, "lock -q --hash");
    assert_eq!(hashed.code, 0, "{}", hashed.snapshot());
    assert_eq!(gaps(&sandbox.read("rocm.lock")), 0);
}
