//! Windows, natively and outside of a WSL: captured machines, and what must never be taken for
//! something else.

use std::path::PathBuf;

use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::host::windows::{Sources, WindowsFacts, feature_release};
use rocmenv_resolver::host::{HostFacts, ProbeOptions, probe, read_host_file, write_host_file};
use rocmenv_resolver::target::{TargetDriver, from_host};

use crate::support::Machine;

fn facts(machine: &Machine) -> HostFacts {
    let registry = Registry::embedded();
    let disks = vec![PathBuf::from(r"C:\Users\me\project"), PathBuf::from("/home/me")];
    let options = ProbeOptions { products: &registry, disks, interpreters: false };
    probe(&machine.root(), &options)
}

fn text(name: &str) -> String {
    let facts = facts(&Machine::named(name));
    let text = write_host_file(&facts).unwrap();
    assert_eq!(read_host_file(&text).unwrap(), facts);
    text
}

/// The fact at the end of a path of keys.
fn at(facts: &HostFacts, path: &str) -> serde_json::Value {
    let value = serde_json::to_value(facts).unwrap();
    value.pointer(path).cloned().unwrap_or_default()
}

#[test]
fn a_card_beside_an_integrated_gpu_by_one_query() {
    insta::assert_snapshot!(text("windows-11-rx7900xtx"), @r#"
        {
          "schema": 1,
          "base": "probed",
          "os": {
            "family": "windows",
            "release": "windows-11-25H2",
            "pretty-name": "Windows 11 Pro"
          },
          "kernel": {},
          "arch": "x86_64",
          "cpu": {
            "model": "AMD Ryzen 9 7950X 16-Core Processor",
            "sockets": 1,
            "cores": 16,
            "threads": 32
          },
          "memory": {
            "total-bytes": 68337434624
          },
          "disks": [
            {
              "path": "C:\\Users\\me\\project",
              "total-bytes": 2000396742656,
              "free-bytes": 1204886016000
            }
          ],
          "driver": {
            "loaded": true,
            "flavour": "adrenalin",
            "release": "26.8.1",
            "windows-number": "32.0.31041.1004",
            "windows-date": "2026-07-30"
          },
          "gpus": [
            {
              "gfx": "gfx1036",
              "gfx-source": "pci-table",
              "product-candidates": [
                "AMD Radeon 610M",
                "AMD Raphael",
                "AMD Granite Ridge",
                "AMD Mendocino"
              ],
              "marketing-name": "AMD Radeon(TM) Graphics",
              "pci": "164e:c1",
              "kernel-driver": "amdkmdag",
              "kind": "integrated",
              "vram-bytes": 536870912
            },
            {
              "gfx": "gfx1100",
              "gfx-source": "pci-table",
              "product": "AMD Radeon RX 7900 XTX",
              "marketing-name": "AMD Radeon RX 7900 XTX",
              "pci": "744c:c8",
              "kernel-driver": "amdkmdag",
              "kind": "discrete",
              "vram-bytes": 25753026560
            }
          ],
          "windows": {
            "edition": "Professional",
            "build": 26200,
            "revision": 7462,
            "long-paths": true,
            "smart-app-control": "evaluation",
            "vc-runtime": {
              "installed": true,
              "version": "14.44.35211.00"
            },
            "wsl": {
              "installed": true,
              "version": "2.6.3.0"
            },
            "adapters": [
              {
                "name": "AMD Radeon(TM) Graphics",
                "vendor": "1002",
                "pci": "164e:c1",
                "driver-number": "32.0.31041.1004",
                "driver-date": "2026-07-30",
                "adrenalin": "26.8.1",
                "memory-bytes": 536870912,
                "problem": 0
              },
              {
                "name": "AMD Radeon RX 7900 XTX",
                "vendor": "1002",
                "pci": "744c:c8",
                "driver-number": "32.0.31041.1004",
                "driver-date": "2026-07-30",
                "adrenalin": "26.8.1",
                "memory-bytes": 25753026560,
                "problem": 0
              }
            ],
            "hip-runtimes": [
              {
                "path": "C:\\Windows\\System32\\amdhip64_6.dll",
                "version": "6.2.41512.0"
              },
              {
                "path": "C:\\Windows\\System32\\amdhip64_7.dll",
                "version": "7.1.52802.0"
              },
              {
                "path": "C:\\Program Files\\AMD\\ROCm\\7.1\\bin\\amdhip64_7.dll"
              }
            ]
          },
          "rocm": [
            {
              "path": "C:\\Program Files\\AMD\\ROCm\\7.1",
              "version": "7.1"
            }
          ],
          "python": [
            {
              "path": "C:\\Users\\me\\AppData\\Local\\Programs\\Python\\Python312\\python.exe",
              "real-path": "C:\\Users\\me\\AppData\\Local\\Programs\\Python\\Python312\\python.exe",
              "version": "3.12.10",
              "implementation": "cpython",
              "free-threaded": false,
              "origin": "launcher"
            },
            {
              "path": "C:\\Program Files\\Python314\\python3.14t.exe",
              "real-path": "C:\\Program Files\\Python314\\python3.14t.exe",
              "version": "3.14",
              "implementation": "cpython",
              "free-threaded": true,
              "origin": "launcher"
            }
          ],
          "environment": [
            {
              "name": "HIP_PATH",
              "value": "C:\\Program Files\\AMD\\ROCm\\7.1\\",
              "role": "location"
            }
          ]
        }
        "#);
}

#[test]
fn an_export_and_a_list_say_as_much_as_they_hold() {
    insta::assert_snapshot!(text("windows-10-vega-beside-nvidia"), @r#"
        {
          "schema": 1,
          "base": "probed",
          "os": {
            "family": "windows",
            "release": "windows-10-22H2"
          },
          "kernel": {},
          "cpu": {},
          "memory": {},
          "driver": {
            "loaded": true,
            "flavour": "adrenalin",
            "windows-number": "31.0.21925.1001",
            "windows-date": "2026-05-12"
          },
          "gpus": [
            {
              "marketing-name": "Radeon RX Vega",
              "pci": "687f:c1",
              "kernel-driver": "amdkmdag"
            }
          ],
          "windows": {
            "edition": "Core",
            "build": 19045,
            "revision": 6002,
            "adapters": [
              {
                "name": "NVIDIA GeForce GTX 1080 Ti",
                "vendor": "10de",
                "pci": "1b06:a1",
                "driver-number": "32.0.15.8142",
                "problem": 0
              },
              {
                "name": "Radeon RX Vega",
                "vendor": "1002",
                "pci": "687f:c1",
                "driver-number": "31.0.21925.1001",
                "driver-date": "2026-05-12",
                "problem": 43
              }
            ]
          }
        }
        "#);
}

#[test]
fn a_report_of_dxdiag_names_the_card() {
    insta::assert_snapshot!(text("windows-11-rx7600-dxdiag"), @r#"
        {
          "schema": 1,
          "base": "probed",
          "os": {
            "family": "windows"
          },
          "kernel": {},
          "cpu": {},
          "memory": {},
          "driver": {
            "loaded": true,
            "flavour": "adrenalin",
            "windows-number": "32.0.31041.1004"
          },
          "gpus": [
            {
              "gfx": "gfx1102",
              "gfx-source": "pci-table",
              "product": "AMD Radeon RX 7600",
              "marketing-name": "AMD Radeon RX 7600",
              "pci": "7480:cf",
              "kernel-driver": "amdkmdag",
              "kind": "discrete"
            }
          ],
          "windows": {
            "adapters": [
              {
                "name": "AMD Radeon RX 7600",
                "vendor": "1002",
                "pci": "7480:cf",
                "driver-number": "32.0.31041.1004"
              }
            ]
          }
        }
        "#);
}

#[test]
fn the_windows_outside_says_driver_and_card_of_a_wsl() {
    let facts = facts(&Machine::named("wsl-ubuntu-with-windows"));
    assert_eq!(at(&facts, "/wsl/windows"), "windows-11-24H2");
    assert_eq!(at(&facts, "/driver/release"), "26.1.1");
    assert_eq!(at(&facts, "/driver/windows-number"), "32.0.23017.1001");
    assert_eq!(at(&facts, "/gpus/0/product"), "AMD Radeon RX 7900 XTX");
    assert_eq!(at(&facts, "/gpus/0/gfx"), "gfx1100");
    // it is Linux all the same
    assert_eq!(at(&facts, "/os/release"), "ubuntu-22.04");
    assert_eq!(at(&facts, "/windows"), serde_json::Value::Null);
    let target = from_host("host".parse().unwrap(), &facts, &Registry::embedded());
    assert!(target.wsl);
    let driver = target.driver.unwrap().value;
    assert_eq!(driver, TargetDriver::Adrenalin("26.1.1".parse().unwrap()));
}

#[test]
fn a_wsl_without_its_windows_reads_the_shared_driver() {
    let machine = Machine::named("wsl-ubuntu");
    let folder = "/usr/lib/wsl/drivers/u0419999.inf_amd64_0123456789abcdef";
    let inf = "[Version]\nClass=Display\nDriverVer = 01/14/2026, 32.0.23017.1001\n\
               [ATI.Mfg.NTamd64.10.0]\n\"AMD Radeon RX 7900 XTX\" = ati, PCI\\VEN_1002&DEV_744C\n";
    machine.add(&format!("{folder}/u0419999.inf"), inf);
    let found = facts(&machine);
    assert_eq!(at(&found, "/driver/windows-number"), "32.0.23017.1001");
    assert_eq!(at(&found, "/driver/windows-date"), "2026-01-14");
    assert_eq!(at(&found, "/driver/release"), serde_json::Value::Null);
    // a second driver lies there: which of them runs is not known
    let folder = folder.replace("u0419999", "u0420000");
    machine.add(&format!("{folder}/u0420000.inf"), inf);
    assert_eq!(at(&facts(&machine), "/driver/windows-number"), serde_json::Value::Null);
}

#[test]
fn a_windows_that_does_not_answer_is_not_known_and_no_fault() {
    let machine = Machine::empty();
    machine.add(".rocmenv-capture.toml", "family = \"windows\"\n");
    let facts = facts(&machine);
    assert_eq!(at(&facts, "/os/family"), "windows");
    assert_eq!(facts.gpus, None);
    assert_eq!(facts.unread[0].what, "Windows, by PowerShell");
    let machine = Machine::empty();
    machine.add(".rocmenv-capture.toml", "family = \"windows\"\n");
    machine.add("windows.json", "Get-CimInstance : access denied\n");
    assert_eq!(self::facts(&machine).unread[0].what, "windows.json");
}

/// microsoft/WSL#41654 and ROCm/TheRock#5543: reports give 32.0.31041.1004 as "the driver".
#[test]
fn windows_number_of_a_driver_never_becomes_an_adrenalin_version() {
    let facts = facts(&Machine::named("windows-10-vega-beside-nvidia"));
    assert_eq!(facts.driver.windows_number.as_deref(), Some("31.0.21925.1001"));
    assert_eq!(facts.driver.release, None);
    let target = from_host("host".parse().unwrap(), &facts, &Registry::embedded());
    assert_eq!(target.driver, None);
}

#[test]
fn builds_are_feature_releases() {
    let known = [19_045, 22_621, 22_631, 26_100, 26_200].map(feature_release);
    assert_eq!(known, ["22H2", "22H2", "23H2", "24H2", "25H2"].map(Some));
    let release = |build: u32, said: &str| {
        let key = r"HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion";
        let json = format!(
            r#"{{"Registry":[{{"Key":"{key}","Name":"CurrentBuild","Value":"{build}"}},
                {{"Key":"{key}","Name":"DisplayVersion","Value":"{said}"}}]}}"#
        );
        let sources = Sources::from_json(&json).unwrap();
        WindowsFacts::of(&sources).release().map(|release| release.to_string())
    };
    assert_eq!(release(26_200, "25H2").as_deref(), Some("windows-11-25H2"));
    assert_eq!(release(19_045, "22H2").as_deref(), Some("windows-10-22H2"));
    // a build after this program: what Windows says of itself
    assert_eq!(release(28_000, "26H2").as_deref(), Some("windows-11-26H2"));
}

/// PEP 514: `ExecutablePath` is optional, a tag may say another architecture, and HKEY_CURRENT_USER
/// goes before HKEY_LOCAL_MACHINE.
#[test]
fn interpreters_of_the_launcher_are_read_as_they_registered_themselves() {
    let key = |root: &str, tag: &str| {
        format!(r"{root}\\SOFTWARE\\Python\\PythonCore\\{tag}\\InstallPath")
    };
    let (user, all) = ("HKEY_CURRENT_USER", "HKEY_LOCAL_MACHINE");
    let rows = [
        (key(user, "3.12"), "", r"C:\\Py312\\"),
        (key(user, "3.11-32"), "ExecutablePath", r"C:\\Py311-32\\python.exe"),
        (key(all, "3.13t"), "", r"C:\\Py313t"),
        (key(all, "3.13t"), "executablepath", r"C:\\Py313t\\python3.13t.exe"),
        (key(all, "3.14-arm64"), "ExecutablePath", r"C:\\Arm\\python.exe"),
    ];
    let rows = rows.map(|(key, name, value)| {
        format!(r#"{{"Key":"{key}","Name":"{name}","Value":"{value}"}}"#)
    });
    let sources = Sources::from_json(&format!(r#"{{"Registry":[{}]}}"#, rows.join(","))).unwrap();
    let found = WindowsFacts::of(&sources).interpreters();
    let said: Vec<_> = found
        .iter()
        .map(|one| format!("{} {} {}", one.path, one.version, one.free_threaded))
        .collect();
    assert_eq!(said, [r"C:\Py312\python.exe 3.12 false", r"C:\Py313t\python3.13t.exe 3.13 true"]);
}
