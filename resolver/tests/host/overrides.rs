//! Facts that are given in place of what a machine says.

use proptest::prelude::*;
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_resolver::host::{
    HostFacts, Overrides, driver_release, read_host_file, write_host_file,
};

use crate::products::TestProducts;
use crate::support::Machine;

fn given(facts: &HostFacts, texts: &[&str]) -> Result<HostFacts, String> {
    let mut overrides = Overrides::default();
    for text in texts {
        let text = Sourced::new((*text).to_owned(), Origin::Flag("--set".to_owned()));
        overrides.set_text(text).map_err(|error| error.to_string())?;
    }
    overrides.apply(facts, &TestProducts).map_err(|error| error.to_string())
}

#[test]
fn a_host_can_be_described_from_nothing() {
    let facts = given(
        &HostFacts::unknown(),
        &[
            "driver=30.20.1",
            "os=ubuntu-24.04",
            "kernel=6.8",
            "libc=2.39",
            "arch=x86_64",
            "gpus=MI300Xx2, gfx1103",
            "python=3.12",
            "rocm=10.1.0",
            "memory=64GiB",
            "wsl=none",
            "container=docker",
        ],
    );
    insta::assert_snapshot!(write_host_file(&facts.unwrap()).unwrap(), @r#"
        {
          "schema": 1,
          "base": "described",
          "overrides": {
            "arch": {
              "value": "x86_64",
              "origin": {
                "flag": "--set"
              }
            },
            "container": {
              "value": "docker",
              "origin": {
                "flag": "--set"
              }
            },
            "driver": {
              "value": "30.20.1",
              "origin": {
                "flag": "--set"
              }
            },
            "gpus": {
              "value": "MI300Xx2, gfx1103",
              "origin": {
                "flag": "--set"
              }
            },
            "kernel": {
              "value": "6.8",
              "origin": {
                "flag": "--set"
              }
            },
            "libc": {
              "value": "2.39",
              "origin": {
                "flag": "--set"
              }
            },
            "memory": {
              "value": "64GiB",
              "origin": {
                "flag": "--set"
              }
            },
            "os": {
              "value": "ubuntu-24.04",
              "origin": {
                "flag": "--set"
              }
            },
            "python": {
              "value": "3.12",
              "origin": {
                "flag": "--set"
              }
            },
            "rocm": {
              "value": "10.1.0",
              "origin": {
                "flag": "--set"
              }
            },
            "wsl": {
              "value": "none",
              "origin": {
                "flag": "--set"
              }
            }
          },
          "os": {
            "family": "linux",
            "release": "ubuntu-24.04"
          },
          "kernel": {
            "release": "6.8"
          },
          "libc": {
            "kind": "glibc",
            "version": "2.39"
          },
          "arch": "x86_64",
          "cpu": {},
          "memory": {
            "total-bytes": 68719476736
          },
          "driver": {
            "loaded": true,
            "flavour": "dkms",
            "release": "30.20.1"
          },
          "gpus": [
            {
              "gfx": "gfx942",
              "gfx-source": "given",
              "product": "AMD Instinct MI300X",
              "kind": "discrete"
            },
            {
              "gfx": "gfx942",
              "gfx-source": "given",
              "product": "AMD Instinct MI300X",
              "kind": "discrete"
            },
            {
              "gfx": "gfx1103",
              "gfx-source": "given",
              "kind": "integrated"
            }
          ],
          "container": {
            "kind": "docker"
          },
          "rocm": [
            {
              "path": "/opt/rocm",
              "version": "10.1.0"
            }
          ],
          "python": [
            {
              "path": "python3.12",
              "real-path": "python3.12",
              "version": "3.12",
              "implementation": "cpython",
              "free-threaded": false,
              "origin": "given"
            }
          ]
        }
    "#);
}

#[test]
fn a_windows_driver_is_an_adrenalin_whatever_is_said_first() {
    let facts = given(&HostFacts::unknown(), &["driver=26.8.1", "os=windows-11-25H2"]).unwrap();
    assert_eq!(serde_json::to_value(facts.driver.flavour).unwrap(), "adrenalin");
    let facts = given(&HostFacts::unknown(), &["driver=26.8.1", "os=ubuntu-24.04", "wsl=2"]);
    assert_eq!(serde_json::to_value(facts.unwrap().driver.flavour).unwrap(), "adrenalin");
}

#[test]
fn what_the_probe_read_of_another_driver_does_not_stay() {
    let facts = Machine::named("rx7900xtx-with-igpu").facts();
    let other = given(&facts, &["driver=6.2.0"]).unwrap();
    let release = driver_release(&other, &TestProducts).unwrap();
    assert_eq!((release.release.as_str(), release.origin.to_string().as_str()), ("6.2.0", "--set"));
    assert_eq!(other.driver.module_version, None);
    assert_eq!(other.origin_of("kernel"), Origin::Probed("probe".to_owned()));
    let in_tree = given(&facts, &["driver=in-tree"]).unwrap();
    assert_eq!(driver_release(&in_tree, &TestProducts), None);
}

#[test]
fn every_other_fact_is_reached_by_its_path() {
    let facts = Machine::named("rx7900xtx-with-igpu").facts();
    let changed = given(
        &facts,
        &[
            "cpu.threads=32",
            "os.codename=null",
            "devices.0.open=permission-denied",
            "gpus.0.firmware.mes=0x80",
            "gpus.1.kind=discrete",
            "driver.module-version=6.12.12",
            "rocm.0.version=7",
        ],
    );
    let changed = changed.unwrap();
    assert_eq!(changed.cpu.threads, Some(32));
    assert_eq!(changed.os.codename, None);
    assert_eq!(changed.gpus.as_ref().unwrap()[0].firmware["mes"], "0x80");
    assert_eq!(changed.rocm[0].version.as_deref(), Some("7"));
    assert_eq!(changed.overrides.len(), 7);
    assert_eq!(changed.disks, facts.disks);
}

#[test]
fn what_cannot_be_given_is_refused_with_the_reason() {
    let facts = Machine::named("rx7900xtx-with-igpu").facts();
    let texts = [
        "kernel",
        "kernl=6.8",
        "driver.relase=1",
        "kernel=generic",
        "gpus=RX 7900 XTZ",
        "gpus=gfx9",
        "libc=bionic-1",
        "os=Ubuntu 24.04",
        "cpu.threads=many",
        "gpus.7.kind=discrete",
        "schema=2",
        "wsl=3",
    ];
    let refusals: Vec<_> = texts.iter().map(|text| given(&facts, &[text]).unwrap_err()).collect();
    insta::assert_snapshot!(refusals.join("\n"), @r#"
        `kernel` is not a fact (write `KEY=VALUE`, such as `driver=30.20.1`)
        unknown fact `kernl`; did you mean `kernel`?
        unknown fact `driver.relase`; did you mean `driver.release`?
        `generic` is not a value of `kernel`: a kernel release begins with numbers, such as `6.8`
        unknown GPU `RX 7900 XTZ`; did you mean `RX 7900 XT`?
        `gfx9` is not a value of `gpus`: `gfx9` is not a gfx target (such as `gfx90a` or `gfx1100`)
        `bionic-1` is not a value of `libc`: write `2.36` for glibc or `musl-1.2`
        `Ubuntu 24.04` is not a value of `os`: `Ubuntu 24.04` is not an operating system (such as `ubuntu-24.04` or `windows-11-25H2`)
        `many` is not a value of `cpu.threads`: invalid type: string "many", expected u32
        unknown fact `gpus.7.kind`; did you mean `gpus`?
        unknown fact `schema`
        `3` is not a value of `wsl`: write `1`, `2` or `none`
    "#);
}

proptest! {
    /// Whatever is given is either refused or becomes a fact that a host file keeps.
    #[test]
    fn what_is_accepted_survives_a_host_file(key in key(), value in value()) {
        let machine = HostFacts::unknown();
        if let Ok(facts) = given(&machine, &["gpus=gfx942x2", &format!("{key}={value}")]) {
            let text = write_host_file(&facts).unwrap();
            prop_assert_eq!(read_host_file(&text).unwrap(), facts);
        }
    }
}

fn key() -> impl Strategy<Value = String> {
    let known = [
        "os",
        "kernel",
        "libc",
        "arch",
        "gpus",
        "driver",
        "python",
        "rocm",
        "memory",
        "wsl",
        "container",
        "cpu.threads",
        "gpus.1.pci",
        "gpus.0.firmware.mes",
        "os.like",
        "unread",
        "driver.release",
        "container.kind",
        "gpus.0.partition",
        "base",
    ];
    prop_oneof![
        4 => prop::sample::select(known.to_vec()).prop_map(str::to_owned),
        1 => "[a-z0-9.-]{0,12}",
    ]
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9x.,: -]{0,16}",
        "(gfx[0-9a-f]{3,4}|RX 7900 XTX?|none)( ?x[0-9]{1,2})?(, ?gfx1100)?",
        "[0-9]{1,3}([.-][0-9a-z]{1,3}){0,3}",
        "(\\{\"kind\": \"none\"\\}|\\[\\]|null|\\[\"a\"\\]|\\{\"index\": 0, \"count\": 1\\})",
        "\\PC{0,12}",
    ]
}
