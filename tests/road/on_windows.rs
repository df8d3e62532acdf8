//! Locking for native Windows and for WSL2 from Linux: for every release of which AMD's tables
//! say something there, the channel, the tags of the wheels and the window of the driver.

use std::fmt::Write as _;

use insta::assert_snapshot;
use rocmenv_tests::channels::{Internet, every_wheel_channel};
use rocmenv_tests::{Sandbox, machine_python};

use super::{GREETING, hide_python, rocmenv, served, small};

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
        if ["os = ", "adrenalin", "driver "].iter().any(|it| line.starts_with(it)) {
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
          torch-2.13.0+rocm10.0.0-cp312-cp312-win_amd64.whl from amd-whl-next
          os = windows
          adrenalin >= 26.8.1
        Windows, ROCm 10.0, Python 3.12, gpus = ["gfx1151"], driver = "26.10.32"
          torch-2.13.0+rocm10.0.0-cp312-cp312-win_amd64.whl from amd-whl-next
          os = windows
          adrenalin >= 26.8.1
        Windows, ROCm 10.0, Python 3.12, gpus = ["gfx1151"], driver = "26.6.4"
          exit 1
          error[R-driver-window]: no set fits target `t`
          rocm.toml:2 asks for ROCm 10.0
          ROCm 10.0.0 needs driver 26.8.1 or newer (ROCm/rocm-docs, docs/data/driver-firmware-support.yaml); the driver of this target is 26.6.4 (rocm.toml:8)
          fix 1: ask for rocm 7.14: [requires] rocm = "7.14"
          fix 2: ask for rocm 7.2: [requires] rocm = "7.2"
          fix 3: move the driver from 26.6.4 to 26.8.1: [targets.t] driver = "26.8.1"
        Windows, ROCm 7.14.1, Python 3.12, gpus = ["RX 7900 XTX"], driver = "26.6.4"
          torch-2.12.0+rocm7.14.1-cp312-cp312-win_amd64.whl from amd-multi-arch
          os = windows
          adrenalin >= 26.6.4
        Windows, ROCm 7.14.0, Python 3.13, gpus = ["RX 7900 XTX"], driver = "26.10.28"
          torch-2.12.0+rocm7.14.1-cp313-cp313-win_amd64.whl from amd-multi-arch
          os = windows
          adrenalin >= 26.6.4
        Windows, ROCm 7.2.1, Python 3.12, gpus = ["RX 7900 XTX"], driver = "26.2.2"
          torch-2.9.1+rocm7.2.1-cp312-cp312-win_amd64.whl from amd-windows-7.2.1
          os = windows
          adrenalin >= 26.2.2
        Windows, ROCm 7.2.1, Python 3.12, gpus = ["RX 7900 XTX"], driver = "26.1.1"
          exit 1
          error[R-driver-window]: no set fits target `t`
          rocm.toml:2 asks for ROCm 7.2.1
          ROCm 7.2.1 needs driver 26.2.2 or newer (rocm.docs.amd.com/projects/radeon-ryzen, docs-7.1, docs-7.2.1, latest pages (excerpts)); the driver of this target is 26.1.1 (rocm.toml:8)
          fix 1: ask for rocm 7.2: [requires] rocm = "7.2"
          fix 2: move the driver from 26.1.1 to 26.2.2: [targets.t] driver = "26.2.2"
          help: rocmenv lock --fix 1
        Windows, ROCm 7.2.1, Python 3.13, gpus = ["RX 7900 XTX"], driver = "26.2.2"
          exit 1
          error[R-stated-no]: no set fits target `t`
          rocm.toml:4 asks for pytorch
          PyTorch 2.9.1: PyTorch 2.9.1 with ROCm 7.2.1: listed only for Python 3.12 (rocm.docs.amd.com/projects/radeon-ryzen, docs-7.1, docs-7.2.1, latest pages (excerpts))
          fix 1: ask for python 3.12: [requires] python = "3.12"
          help: rocmenv lock --fix 1
        Windows, ROCm 7.2.0, Python 3.12, gpus = ["RX 7900 XTX"], driver = "26.1.1"
          torch-2.9.1+rocmsdk20260116-cp312-cp312-win_amd64.whl from amd-windows-7.2
          os = windows
          adrenalin >= 26.1.1
        Windows, ROCm 7.1.1, Python 3.12, gpus = ["RX 7900 XTX"]
          torch-2.9.0+rocmsdk20251116-cp312-cp312-win_amd64.whl from amd-windows-7.1.1
          os = windows
        Windows, ROCm 6.4.4, Python 3.12, gpus = ["gfx1151"]
          torch-2.8.0a0+gitfc14c65-cp312-cp312-win_amd64.whl from amd-windows-6.4.4
          os = windows
        WSL, ROCm 10.0, Python 3.13, gpus = ["gfx1151"], driver = "26.8.1"
          torch-2.13.0+rocm10.0.0-cp313-cp313-linux_x86_64.whl from amd-whl-next
          os = linux
          adrenalin >= 26.8.1
        WSL, ROCm 10.0, Python 3.13, gpus = ["gfx1151"], driver = "26.1.1"
          exit 1
          error[R-driver-window]: no set fits target `t`
          rocm.toml:2 asks for ROCm 10.0
          ROCm 10.0.0 needs driver 26.8.1 or newer (ROCm/rocm-docs, docs/data/driver-firmware-support.yaml); the driver of this target is 26.1.1 (rocm.toml:9)
          fix 1: move the driver from 26.1.1 to 26.8.1: [targets.t] driver = "26.8.1"
          help: rocmenv lock --fix 1
        WSL, ROCm 7.14.0, Python 3.12, gpus = ["RX 7900 XTX"], driver = "26.6.4"
          torch-2.12.0+rocm7.14.1-cp312-cp312-linux_x86_64.whl from amd-multi-arch
          os = linux
          adrenalin >= 26.6.4
        WSL, ROCm 7.2, Python 3.12, gpus = ["RX 7900 XTX"], driver = "26.1.1"
          torch-2.14.1+rocm7.2-cp312-cp312-manylinux_2_28_x86_64.whl from pytorch-rocm7.2
          os = linux
          adrenalin >= 26.1.1
        WSL, ROCm 7.2, Python 3.12, gpus = ["RX 7900 XTX"], driver = "25.12.1"
          exit 1
          error[R-driver-window]: no set fits target `t`
          rocm.toml:2 asks for ROCm 7.2
          ROCm 7.2.0 to 7.2.4 (5 versions) needs driver 26.1.1 or newer (public repositories quoting the AMD page, (third-party public files)); the driver of this target is 25.12.1 (rocm.toml:9)
          fix 1: move the driver from 25.12.1 to 26.1.1: [targets.t] driver = "26.1.1"
          help: rocmenv lock --fix 1
        "#);
}

/// ROCm/librocdxg#34: before 7.13 the runtime finds no GPU of WSL2 unless it is told to look.
#[test]
fn wsl_is_told_to_look_for_its_gpu_where_the_release_does_not() {
    let told = |rocm: &str, driver: &str| {
        let (_server, sandbox) = served(small());
        let wsl = format!(
            r#"{{ "schema": 1, "os": {{ "family": "linux", "release": "ubuntu-24.04" }},
                "kernel": {{ "release": "6.6.87.2-microsoft-standard-WSL2" }}, "arch": "x86_64",
                "libc": {{ "kind": "glibc", "version": "2.39" }},
                "driver": {{ "flavour": "adrenalin", "release": "{driver}" }},
                "gpus": [ {{ "gfx": "gfx1100", "product": "AMD Radeon RX 7900 XTX" }} ],
                "wsl": {{ "version": 2, "dxg": true }},
                "rocm": [ {{ "path": "/opt/rocm", "version": "{rocm}" }} ] }}"#
        );
        sandbox.write("wsl.json", wsl);
        let (_, series) = machine_python();
        let requires = format!(
            "[requires]\nrocm = \"{rocm}\"\npython = \"{series}\"\n\
             [rocm]\nchannel = \"host\"\n[python]\nsource = \"host\"\n"
        );
        sandbox.write("rocm.toml", format!("{GREETING}{requires}"));
        let synced = rocmenv(&sandbox, "--host wsl.json sync -q");
        assert_eq!(synced.code, 0, "{}", synced.snapshot());
        let environment = rocmenv(&sandbox, "--host wsl.json run -q -- env").stdout;
        environment.lines().any(|line| line == "HSA_ENABLE_DXG_DETECTION=1")
    };
    assert!(told("7.2.0", "26.1.1"));
    assert!(!told("10.0.0", "26.8.1"));
}
