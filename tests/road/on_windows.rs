//! Locking for native Windows and for WSL2 from Linux: for every release of which AMD's tables
//! say something there, the channel, the tags of the wheels and the window of the driver.

use std::fmt::Write as _;

use insta::assert_snapshot;
use rocmenv_tests::Sandbox;
use rocmenv_tests::channels::{Internet, every_wheel_channel};

use super::{hide_python, rocmenv};

const NATIVE: &str = "os = \"windows-11-25H2\"";
const WSL: &str = "os = \"ubuntu-24.04\"\nwsl = true";

/// The index and file of torch and what a host must be, or the first lines of the refusal.
fn locked(internet: &Internet, system: &str, described: &str, requires: &str) -> String {
    let mut sandbox = Sandbox::new();
    sandbox.internet(internet);
    hide_python(&mut sandbox);
    sandbox.write(
        "rocm.toml",
        format!("[requires]\n{requires}\n[targets.t]\n{system}\n{described}\n"),
    );
    let output = rocmenv(&sandbox, "lock -q");
    if !sandbox.exists("rocm.lock") {
        let said: Vec<_> =
            output.stderr.lines().take(6).map(|line| format!("  {line}\n")).collect();
        return format!("  exit {}\n{}", output.code, said.concat());
    }
    let lock = sandbox.read("rocm.lock");
    let value = |text: &str, key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
        line.unwrap_or_default().trim_matches('"').to_owned()
    };
    let mut told = String::new();
    let torch = lock.split("[[package]]").find(|package| value(package, "name") == "torch");
    if let Some(torch) = torch {
        let file = torch.split("name = \"").nth(2).and_then(|rest| rest.split('"').next());
        let _ = writeln!(told, "  {} from {}", file.unwrap_or_default(), value(torch, "index"));
    }
    for line in lock.lines().map(|line| line.trim().trim_matches(['"', ','])) {
        if ["os = ", "python = ", "adrenalin", "driver "].iter().any(|it| line.starts_with(it)) {
            let _ = writeln!(told, "  {}", line.trim_end_matches('"'));
        }
    }
    told
}

#[test]
fn every_windows_row_leads_to_its_channel_tags_and_driver() {
    let internet = Internet::start(every_wheel_channel());
    let rows = [
        (NATIVE, "10.0", "gpus = [\"gfx1151\"]\ndriver = \"26.8.1\"", "3.12"),
        (NATIVE, "10.0", "gpus = [\"gfx1151\"]\ndriver = \"26.10.32\"", "3.12"),
        (NATIVE, "10.0", "gpus = [\"gfx1151\"]\ndriver = \"26.6.4\"", "3.12"),
        (NATIVE, "7.14.1", "gpus = [\"RX 7900 XTX\"]\ndriver = \"26.6.4\"", "3.12"),
        (NATIVE, "7.14.0", "gpus = [\"RX 7900 XTX\"]\ndriver = \"26.10.28\"", "3.13"),
        (NATIVE, "7.2.1", "gpus = [\"RX 7900 XTX\"]\ndriver = \"26.2.2\"", "3.12"),
        (NATIVE, "7.2.1", "gpus = [\"RX 7900 XTX\"]\ndriver = \"26.1.1\"", "3.12"),
        (NATIVE, "7.2.1", "gpus = [\"RX 7900 XTX\"]\ndriver = \"26.2.2\"", "3.13"),
        (NATIVE, "7.2.0", "gpus = [\"RX 7900 XTX\"]\ndriver = \"26.1.1\"", "3.12"),
        (NATIVE, "7.1.1", "gpus = [\"RX 7900 XTX\"]", "3.12"),
        (NATIVE, "6.4.4", "gpus = [\"gfx1151\"]", "3.12"),
        (WSL, "10.0", "gpus = [\"gfx1151\"]\ndriver = \"26.8.1\"", "3.13"),
        (WSL, "10.0", "gpus = [\"gfx1151\"]\ndriver = \"26.1.1\"", "3.13"),
        (WSL, "7.14.0", "gpus = [\"RX 7900 XTX\"]\ndriver = \"26.6.4\"", "3.12"),
        (WSL, "7.2", "gpus = [\"RX 7900 XTX\"]\ndriver = \"26.1.1\"", "3.12"),
        (WSL, "7.2", "gpus = [\"RX 7900 XTX\"]\ndriver = \"25.12.1\"", "3.12"),
    ];
    let mut told = String::new();
    for (system, rocm, described, python) in rows {
        let name = if system == NATIVE { "Windows" } else { "WSL" };
        let described_in_line = described.replace('\n', ", ");
        let _ = writeln!(told, "{name}, ROCm {rocm}, Python {python}, {described_in_line}");
        let requires = format!("rocm = \"{rocm}\"\npython = \"{python}\"\npytorch = \"*\"");
        told.push_str(&locked(&internet, system, described, &requires));
    }
    assert_snapshot!(told, @r#"
        Windows, ROCm 10.0, Python 3.12, gpus = ["gfx1151"], driver = "26.8.1"
          exit 1
          error[R-no-wheel-for-platform]: no set fits target `t`
          rocm.toml:4 asks for pytorch
          pytorch 2.11.0 needs torchvision ==0.26.*
          pytorch 2.12.0 needs torch ==2.12.0.*
          pytorch 2.13.0 needs torchvision[device-gfx1151] ==0.28.*
          pytorch 2.14.0 needs torch ==2.14.0.*
        Windows, ROCm 10.0, Python 3.12, gpus = ["gfx1151"], driver = "26.10.32"
          exit 1
          error[R-no-wheel-for-platform]: no set fits target `t`
          rocm.toml:4 asks for pytorch
          pytorch 2.11.0 needs torchvision ==0.26.*
          pytorch 2.12.0 needs torch ==2.12.0.*
          pytorch 2.13.0 needs torchvision[device-gfx1151] ==0.28.*
          pytorch 2.14.0 needs torch ==2.14.0.*
        Windows, ROCm 10.0, Python 3.12, gpus = ["gfx1151"], driver = "26.6.4"
          exit 1
          error[R-no-wheel-for-platform]: no set fits target `t`
          rocm.toml:4 asks for pytorch
          pytorch 2.11.0 needs torchvision ==0.26.*
          pytorch 2.12.0 needs torch ==2.12.0.*
          pytorch 2.13.0 needs torchvision[device-gfx1151] ==0.28.*
          pytorch 2.14.0 needs torch ==2.14.0.*
        Windows, ROCm 7.14.1, Python 3.12, gpus = ["RX 7900 XTX"], driver = "26.6.4"
          exit 1
          error[wrong-accelerator]: torch 2.12.0+rocm7.14.1 keeps its code for gfx1100 in a wheel of its own, and `amd-torch-device-gfx1100` is left out; torchvision 0.27.0+rocm7.14.1 keeps its code for gfx1100 in a wheel of its own, and `amd-torchvision-device-gfx1100` is left out
          help: rocmenv explain wrong-accelerator
        Windows, ROCm 7.14.0, Python 3.13, gpus = ["RX 7900 XTX"], driver = "26.10.28"
          exit 1
          error[wrong-accelerator]: torch 2.12.0+rocm7.14.1 keeps its code for gfx1100 in a wheel of its own, and `amd-torch-device-gfx1100` is left out; torchvision 0.27.0+rocm7.14.1 keeps its code for gfx1100 in a wheel of its own, and `amd-torchvision-device-gfx1100` is left out
          help: rocmenv explain wrong-accelerator
        Windows, ROCm 7.2.1, Python 3.12, gpus = ["RX 7900 XTX"], driver = "26.2.2"
          exit 1
          error[R-unproven]: no set fits target `t`
          rocm.toml:2 asks for ROCm 7.2.1
          rocm.toml:4 asks for pytorch
          pytorch 2.9.1 needs torch ==2.9.1
          torch 2.9.1+rocm7.2.1 needs rocm ==7.2.1 (index `amd-windows-7.2.1`)
          torch 2.9.1+rocmsdk20260116 (index `amd-windows-7.2`): does not say which ROCm it is built for
        Windows, ROCm 7.2.1, Python 3.12, gpus = ["RX 7900 XTX"], driver = "26.1.1"
          exit 1
          error[R-unproven]: no set fits target `t`
          rocm.toml:2 asks for ROCm 7.2.1
          rocm.toml:4 asks for pytorch
          pytorch 2.9.1 needs torch ==2.9.1
          torch 2.9.1+rocm7.2.1 needs rocm ==7.2.1 (index `amd-windows-7.2.1`)
          torch 2.9.1+rocmsdk20260116 (index `amd-windows-7.2`): does not say which ROCm it is built for
        Windows, ROCm 7.2.1, Python 3.13, gpus = ["RX 7900 XTX"], driver = "26.2.2"
          exit 1
          error[R-stated-no]: no set fits target `t`
          rocm.toml:4 asks for pytorch
          PyTorch 2.9.1: PyTorch 2.9.1 with ROCm 7.2.1: listed only for Python 3.12 (rocm.docs.amd.com/projects/radeon-ryzen, docs-7.1, docs-7.2.1, latest pages (excerpts))
          help: rocmenv explain R-stated-no
        Windows, ROCm 7.2.0, Python 3.12, gpus = ["RX 7900 XTX"], driver = "26.1.1"
          exit 1
          error[R-unproven]: no set fits target `t`
          rocm.toml:2 asks for ROCm 7.2.0
          rocm.toml:4 asks for pytorch
          pytorch 2.9.1 needs torch ==2.9.1
          torch 2.9.1+rocm7.2.1 needs rocm ==7.2.1 (index `amd-windows-7.2.1`)
          torch 2.9.1+rocmsdk20260116 (index `amd-windows-7.2`): does not say which ROCm it is built for
        Windows, ROCm 7.1.1, Python 3.12, gpus = ["RX 7900 XTX"]
          exit 1
          error[R-unproven]: no set fits target `t`
          rocm.toml:2 asks for ROCm 7.1.1
          rocm.toml:4 asks for pytorch
          pytorch 2.9.0 needs torch ==2.9.0
          torch 2.9.0+rocmsdk20251116 (index `amd-windows-7.1.1`): does not say which ROCm it is built for
          fix 1: allow builds that do not say their ROCm: [policy] unproven = true
        Windows, ROCm 6.4.4, Python 3.12, gpus = ["gfx1151"]
          exit 1
          error[R-not-found]: no set fits target `t`
          rocm.toml:4 asks for pytorch
          no pytorch is *; the newest is 2.8.0a0
          fix 1: ask for rocm 7.14: [requires] rocm = "7.14"
          help: rocmenv lock --fix 1
        WSL, ROCm 10.0, Python 3.13, gpus = ["gfx1151"], driver = "26.8.1"
          torch-2.13.0+rocm10.0.0-cp313-cp313-linux_x86_64.whl from amd-whl-next
          hard [
          soft [
        WSL, ROCm 10.0, Python 3.13, gpus = ["gfx1151"], driver = "26.1.1"
          torch-2.13.0+rocm10.0.0-cp313-cp313-linux_x86_64.whl from amd-whl-next
          hard [
          soft [
        WSL, ROCm 7.14.0, Python 3.12, gpus = ["RX 7900 XTX"], driver = "26.6.4"
          exit 1
          error[wrong-accelerator]: torch 2.12.0+rocm7.14.1 keeps its code for gfx1100 in a wheel of its own, and `amd-torch-device-gfx1100` is left out; torchvision 0.27.0+rocm7.14.1 keeps its code for gfx1100 in a wheel of its own, and `amd-torchvision-device-gfx1100` is left out
          help: rocmenv explain wrong-accelerator
        WSL, ROCm 7.2, Python 3.12, gpus = ["RX 7900 XTX"], driver = "26.1.1"
          torch-2.14.1+rocm7.2-cp312-cp312-manylinux_2_28_x86_64.whl from pytorch-rocm7.2
          hard [
          soft [
        WSL, ROCm 7.2, Python 3.12, gpus = ["RX 7900 XTX"], driver = "25.12.1"
          torch-2.14.1+rocm7.2-cp312-cp312-manylinux_2_28_x86_64.whl from pytorch-rocm7.2
          hard [
          soft [
        "#);
}

/// No index of PyTorch's with ROCm has a file for Windows.
#[test]
fn pytorchs_own_index_is_refused_on_windows() {
    let internet = Internet::start(every_wheel_channel());
    let requires = "rocm = \"7.2.1\"\npython = \"3.12\"\n\
                    pytorch = \"*\"\n\
                    [python-packages]\ntorch = { version = \"*\", index = \"pytorch-rocm7.2\" }";
    assert_snapshot!(
        locked(&internet, NATIVE, "gpus = [\"RX 7900 XTX\"]\ndriver = \"26.2.2\"", requires),
        @r"
        exit 2
        error[unknown-key]: rocm.toml:4:13: unknown key `version` in `[requires.pytorch]`
        help: rocmenv explain unknown-key
        "
    );
}

/// AMD's page for ROCm 7.1 on Windows has PyTorch alone.
#[test]
fn frameworks_that_amd_does_not_have_on_windows_are_refused() {
    let internet = Internet::start(every_wheel_channel());
    let mut told = String::new();
    for framework in ["tensorflow", "jax", "vllm"] {
        let requires = format!("rocm = \"7.1.1\"\npython = \"3.12\"\n{framework} = \"*\"");
        let _ = writeln!(told, "{framework}");
        told.push_str(&locked(&internet, NATIVE, "gpus = [\"RX 7900 XTX\"]", &requires));
    }
    assert_snapshot!(told, @r"
        tensorflow
          exit 1
          error[R-not-found]: no set fits target `t`
          rocm.toml:4 asks for tensorflow
          there is no tensorflow; did you mean `tensorflow`?
          help: rocmenv remove tensorflow && rocmenv add tensorflow
        jax
          exit 1
          error[R-not-found]: no set fits target `t`
          rocm.toml:4 asks for jax
          there is no jax; did you mean `jax`?
          help: rocmenv remove jax && rocmenv add jax
        vllm
          exit 1
          error[R-not-found]: no set fits target `t`
          rocm.toml:4 asks for vllm
          there is no vllm; did you mean `vllm`?
          help: rocmenv remove vllm && rocmenv add vllm
        ");
}
