//! Windows and WSL2 from the outside, on Linux: what `host` shows of one, and `check` on every row
//! that AMD's tables of frameworks and drivers have for them.

use rocmenv_tests::Sandbox;

use crate::snapshot;

/// What `check` says of words that are parted at `;`.
fn check(words: &str) -> (i32, String) {
    let sandbox = Sandbox::new();
    let words = words.split(';').map(str::trim).filter(|word| !word.is_empty());
    let output = sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).arg("check").args(words).run();
    (output.code, output.stdout)
}

/// The rows of AMD's table of frameworks for Windows and WSL2: release, version (none where the row
/// is of all), Pythons, platform, and where its files are (none where no file was seen).
const FRAMEWORKS: &[(&str, &str, &str, &str, &str)] = &[
    ("7.2.0", "", "3.12", "windows", "amd-windows-7.2"),
    ("7.2.1", "", "3.12", "windows", "amd-windows-7.2.1"),
    ("7.14.0", "2.12.0", "3.14 3.13 3.12 3.11", "windows", "amd-multi-arch"),
    ("7.14.0", "2.12.0", "3.14 3.13 3.12 3.11", "wsl", "amd-multi-arch"),
    ("10.0.0", "2.13.0", "3.14 3.13 3.12 3.11", "windows", "amd-whl-next"),
    ("10.1.0", "2.14.0", "3.14 3.13 3.12 3.11", "windows", ""),
    ("10.1.0", "2.14.0", "3.14 3.13 3.12 3.11", "wsl", "amd-whl-next"),
];

fn host(platform: &str) -> &'static str {
    if platform == "wsl" { "--os;ubuntu-24.04;--wsl" } else { "--os;windows-11-25H2" }
}

#[test]
fn every_framework_row_gives_channel_and_python() {
    for (rocm, version, pythons, platform, index) in FRAMEWORKS {
        let exact = if version.is_empty() { String::new() } else { format!("=={version}") };
        for python in ["3.14", "3.13", "3.12", "3.11", "3.10"] {
            let host = host(platform);
            let words = format!("rocm=={rocm};pytorch{exact};{host};--python;{python}");
            let (code, said) = check(&words);
            let is_listed = pythons.split(' ').any(|own| own == python);
            if is_listed {
                assert_eq!(code, 0, "{words}\n{said}");
                let row =
                    said.lines().find(|line| line.contains("  pytorch 2.")).unwrap_or_default();
                let is_listed = row.trim_start().starts_with("listed");
                assert!(is_listed || version.is_empty(), "{words}\n{said}");
                let from = format!("from `{index}`");
                assert!(index.is_empty() || said.contains(&from), "{words}\n{said}");
            } else {
                // AMD's own files of 7.2 are for one Python; elsewhere the list ends there
                let sure = version.is_empty();
                assert!(!sure || code == 1, "{words}\n{said}");
                let row =
                    said.lines().find(|line| line.contains("  pytorch 2.")).unwrap_or_default();
                assert!(!row.trim_start().starts_with("listed"), "{words}\n{said}");
            }
        }
    }
}

/// AMD's rows of Windows drivers: release, kind of host, the listed driver, the one before it and
/// the one after. Makers' drivers are a line of their own.
const DRIVERS: &[(&str, &str, &str, &str, &str)] = &[
    ("7.14.0", "windows", "26.6.4", "26.6.1", "26.8.1"),
    ("7.14.1", "windows", "26.6.4", "25.12.1", "26.7.1"),
    ("10.0.0", "windows", "26.8.1", "26.6.4", "26.9.1"),
    ("7.14.0", "windows", "26.10.28", "", "26.10.32"),
    ("7.14.1", "windows", "26.10.28", "", "26.10.32"),
    ("10.0.0", "windows", "26.10.32", "26.10.28", ""),
    ("7.2.0", "windows", "26.1.1", "25.12.1", "26.2.2"),
    ("7.2.1", "windows", "26.2.2", "26.1.1", "26.6.4"),
    ("7.2.4", "wsl", "26.1.1", "25.8.1", "26.2.2"),
    ("7.2.0", "wsl", "26.1.1", "25.8.1", "26.2.2"),
    ("10.0.0", "wsl", "26.8.1", "26.1.1", "26.9.1"),
    ("7.14.0", "wsl", "26.6.4", "26.1.1", "26.8.1"),
];

#[test]
fn every_driver_row_is_a_floor() {
    for (rocm, platform, listed, older, newer) in DRIVERS {
        let ask = |driver: &str, verdict: &str, exit: i32| {
            if driver.is_empty() {
                return;
            }
            let words = format!("rocm=={rocm};{};--driver;{driver}", host(platform));
            let (code, said) = check(&words);
            let row = said.lines().find(|line| line.contains(&format!("driver {driver}")));
            let row = row.unwrap_or_default().trim_start();
            assert!(code == exit && row.starts_with(verdict), "{words}\n{said}");
        };
        ask(listed, "listed", 0);
        ask(older, "stated no", 1);
        ask(newer, "not known", 0);
        // a number of Windows' own line is in no relation to any of them
        ask("32.0.31041.1004", "not known", 0);
        ask("20.0.31041.1004", "not known", 0);
    }
}

#[test]
fn what_windows_has_not_is_refused_and_wsl_is_offered_where_the_product_has_it() {
    let native = "--gpu;RX 9070 XT;--os;windows-11-25H2";
    let said = |words: &str| {
        let (code, said) = check(&format!("{words};{native}"));
        format!("exit: {code}\n{said}")
    };
    insta::assert_snapshot!(said("jax;rocm==10.0.0"), @r"
        exit: 1
        the described host: no, not with ROCm 10.0.0 (therock)
          jax: no known build of `*`
            known: jax-rocm10-plugin 0.11.2 from `python` for cp312 cp313 cp314 cp315, linux_x86_64 only

          VERDICT  WHAT                                      WITH         SOURCE                   WHY
          listed   AMD Radeon RX 9070 XT on windows-11-25H2  ROCm 10.0.0  rd-os-10.0 rd-gpus-10.0  a document lists it
          listed   windows-11-25H2                           ROCm 10.0.0  rd-os-10.0               a document lists it

          because AMD lists jax with ROCm 10.0.0 for Linux only, and no build of it for another system is known
          not described, so not checked: driver (--driver), Python (--python)
        ");
    insta::assert_snapshot!(said("tensorflow;rocm==10.1.0"), @r"
        exit: 1
        the described host: no, not with ROCm 10.1.0 (therock)
          tensorflow: no known build of `*`
            known: tensorflow-rocm 2.21.0+rocm10.1.0 from `amd-frameworks` for cp312, linux_x86_64 only
            known: tensorflow-rocm 2.20.0+rocm10.1.0 from `amd-frameworks` for cp312, linux_x86_64 only

          VERDICT  WHAT                                      WITH         SOURCE                    WHY
          listed   AMD Radeon RX 9070 XT on windows-11-25H2  ROCm 10.1.0  rd-os-10.0 rd-notes-10.1  a document lists it
          listed   windows-11-25H2                           ROCm 10.1.0  rd-os-10.0 rd-notes-10.1  a document lists it

          because AMD lists tensorflow with ROCm 10.1.0 for Linux only, and no build of it for another system is known
          would do: take ubuntu-26.04 under WSL2 (`wsl = true` in a target) (ROCm 10.1.0, tensorflow-rocm 2.21.0+rocm10.1.0; built, not listed)
          not described, so not checked: driver (--driver), Python (--python)
        ");
    let older = "pytorch;rocm==10.0.0;--gpu;RX 9070 XT;--os;windows-11-24H2";
    let (_, older) = check(older);
    let remedy = older.lines().filter(|line| line.contains("would do")).collect::<Vec<_>>();
    insta::assert_snapshot!(remedy.join("\n"), @"  would do: take ubuntu-26.04 under WSL2 (`wsl = true` in a target) (ROCm 10.0.0, torch[device-gfx1201] 2.13.0+rocm10.0.0; built, not listed)");
    insta::assert_snapshot!(said("vllm;rocm==7.1.1"), @r"
        exit: 1
        the described host: no, not with ROCm 7.1.1 (classic)
          vllm: no known build of `*`

          VERDICT    WHAT                                      WITH        SOURCE  WHY
          not known  AMD Radeon RX 9070 XT on windows-11-25H2  ROCm 7.1.1          no document that was read speaks of AMD Radeon RX 9070 XT on windows-11-25H2 with ROCm 7.1.1
          not known  windows-11-25H2                           ROCm 7.1.1          no document that was read speaks of windows-11-25H2 with ROCm 7.1.1

          because vllm on native Windows and ROCm 7.1.1: not listed by AMD's Radeon and Ryzen page for ROCm on Windows, which has pytorch
          not described, so not checked: driver (--driver), Python (--python)
        ");
    insta::assert_snapshot!(said("pytorch;rocm==10.0.0;--driver;26.6.4"), @r"
        exit: 1
        the described host: no, not with ROCm 10.0.0 (therock)
          pytorch: torch[device-gfx1201] 2.13.0+rocm10.0.0 from `amd-whl-next`
            with amd-torch-device-gfx1201, amd-torch-device-gfx12-0
            torchvision 0.28 belongs to it
            torchaudio 2.11 belongs to it
            AMD lists 2.13.0
          Python: 3.14 3.13 3.12 3.11

          VERDICT    WHAT                                      WITH                   SOURCE                   WHY
          stated no  driver 26.6.4                             ROCm 10.0.0            rd-drv-10.0              older than 26.8.1, the listed one
          listed     AMD Radeon RX 9070 XT on windows-11-25H2  ROCm 10.0.0            rd-os-10.0 rd-gpus-10.0  a document lists it
          listed     windows-11-25H2                           ROCm 10.0.0            rd-os-10.0               a document lists it
          listed     pytorch 2.13.0                            ROCm 10.0.0            3p-torch10               win_amd64 wheels cp310-cp314 observed in the index by a third party
          listed     torch 2.13.0+rocm10.0.0                   AMD Radeon RX 9070 XT  wl-ownership             by device wheels amd-torch-device-*

          because driver 26.6.4 and ROCm 10.0.0: older than 26.8.1, the listed one
          would do: ask for rocm 7.14.0 (ROCm 7.14.0, torch[device-gfx1201] 2.12.0+rocm7.14.0; listed)
          not described, so not checked: Python (--python)
        ");
}

#[test]
fn a_windows_is_shown_with_both_numbers_of_its_driver() {
    let sandbox = Sandbox::new();
    sandbox.write("desk.json", DESK);
    insta::assert_snapshot!(snapshot(&sandbox, "--host desk.json host"), @r"
        exit: 0
        --- stdout ---
        Host
          system  Windows 11 Pro (windows-11-25H2)
          kernel  x86_64

        Driver
          driver   AMD Software (Adrenalin)
          release  26.8.1 (by what the driver recorded)
          number   32.0.31041.1004, of 2026-07-30 (Windows' own number)

        Windows
          build              26200.7462, Professional
          long paths         off: 260 characters at most
          Smart App Control  on: it blocks unsigned libraries
          VC++ runtime       14.44.35211.00
          WSL                not installed
          other adapter      NVIDIA GeForce GTX 1080 Ti
          problem            AMD Radeon RX 7900 XTX: code 43 of the device manager
          HIP runtime        C:\Windows\System32\amdhip64_7.dll (7.1.52802.0)

        GPUs
          AMD Radeon RX 7900 XTX  gfx1100 (by its PCI id), discrete, 24.0 GiB, 744c:c8, driven by Windows

        ROCm on the host
          7.1  C:\Program Files\AMD\ROCm\7.1

        Python
          3.12.10  C:\Python312\python.exe (of the launcher, not run)
        --- stderr ---
        ");
}

const DESK: &str = r#"{ "schema": 1, "base": "probed",
  "os": { "family": "windows", "release": "windows-11-25H2", "pretty-name": "Windows 11 Pro" },
  "arch": "x86_64", "driver": { "loaded": true, "flavour": "adrenalin", "release": "26.8.1",
    "windows-number": "32.0.31041.1004", "windows-date": "2026-07-30" },
  "gpus": [ { "gfx": "gfx1100", "gfx-source": "pci-table", "product": "AMD Radeon RX 7900 XTX",
    "pci": "744c:c8", "kernel-driver": "amdkmdag", "kind": "discrete", "vram-bytes": 25753026560 } ],
  "windows": { "edition": "Professional", "build": 26200, "revision": 7462, "long-paths": false,
    "smart-app-control": "on", "vc-runtime": { "installed": true, "version": "14.44.35211.00" },
    "wsl": { "installed": false },
    "adapters": [ { "name": "NVIDIA GeForce GTX 1080 Ti", "vendor": "10de" },
      { "name": "AMD Radeon RX 7900 XTX", "vendor": "1002", "pci": "744c:c8", "problem": 43 } ],
    "hip-runtimes": [ { "path": "C:\\Windows\\System32\\amdhip64_7.dll", "version": "7.1.52802.0" } ] },
  "rocm": [ { "path": "C:\\Program Files\\AMD\\ROCm\\7.1", "version": "7.1" } ],
  "python": [ { "path": "C:\\Python312\\python.exe", "real-path": "C:\\Python312\\python.exe",
    "version": "3.12.10", "implementation": "cpython", "origin": "launcher" } ] }"#;
