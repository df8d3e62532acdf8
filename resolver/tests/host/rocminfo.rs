//! The probe against `rocminfo`: what KFD shows and what the runtime prints name the same
//! GPUs.

use std::fmt::Write;
use std::fs;

use rocmenv_resolver::host::facts::PciId;
use rocmenv_resolver::host::rocminfo::{RocmInfo, RocmInfoModule};

use crate::support::{Machine, data};

fn captures() -> Vec<(String, RocmInfo)> {
    let mut captures: Vec<_> = fs::read_dir(data("rocminfo"))
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let text = fs::read_to_string(entry.path()).unwrap();
            (entry.file_name().into_string().unwrap(), RocmInfo::parse(&text))
        })
        .collect();
    captures.sort_by(|a, b| a.0.cmp(&b.0));
    captures
}

#[test]
fn each_capture_gives_its_gpus_and_no_other_agents() {
    let mut table = String::new();
    for (file, info) in captures() {
        for (agent, gfx) in info.gpus() {
            let name = agent.marketing_name.as_deref().unwrap_or("?");
            let chip = agent.chip_id.unwrap_or_default();
            let module = &info.module;
            writeln!(table, "{file}: {gfx} {name} ({chip:04x}), {module:?}").unwrap();
        }
    }
    insta::assert_snapshot!(table, @r#"
        gfx1036-raphael-igpu-beside-dgpu.txt: gfx1036 AMD Radeon Graphics (164e), Some(Loaded { version: None })
        gfx1100-rx7900xtx.txt: gfx1100 AMD Radeon RX 7900 XTX (744c), Some(Loaded { version: None })
        gfx1151-strixhalo-linux.txt: gfx1151 AMD Radeon 8060S Graphics (1586), Some(Loaded { version: None })
        gfx1151-strixhalo-wsl.txt: gfx1151 AMD Radeon(TM) 8060S Graphics (1586), Some(Wsl)
        gfx1201-rx9070xt.txt: gfx1201 AMD Radeon RX 9070 XT (7550), Some(Loaded { version: None })
        gfx803-rx580.txt: gfx803 Radeon RX 580 Series (67df), Some(Loaded { version: None })
        gfx90a-mi250.txt: gfx90a AMD Instinct MI250X/MI250 (740c), Some(Loaded { version: Some("6.10.5") })
    "#);
}

/// A machine made of what `rocminfo` says of one GPU must give that GPU back.
#[test]
fn the_probe_agrees_with_every_capture() {
    let captures = captures();
    assert_eq!(captures.len(), 7);
    for (file, info) in captures {
        let gpus: Vec<_> = info.gpus().collect();
        let [(agent, gfx)] = gpus.as_slice() else { panic!("{file}: {} GPUs", gpus.len()) };
        let (chip, node) = (agent.chip_id.unwrap(), agent.node.unwrap_or(1));
        let name = agent.marketing_name.as_deref().unwrap();
        let machine = Machine::empty();
        machine
            .node(0, &[("cpu_cores_count", 8), ("simd_count", 0)])
            .node(
                node,
                &[
                    ("simd_count", 8),
                    ("gfx_target_version", gfx.to_kfd().into()),
                    ("device_id", chip.into()),
                    ("location_id", 768),
                ],
            )
            .add("/sys/bus/pci/devices/0000:03:00.0/device", &format!("0x{chip:04x}\n"))
            .add("/sys/bus/pci/devices/0000:03:00.0/revision", "0xc8\n")
            .add("/usr/share/libdrm/amdgpu.ids", &format!("1.0.0\n{chip:04X},\tC8,\t{name}\n"));
        let found = machine.facts().gpus.unwrap();
        assert_eq!(found.len(), 1, "{file}");
        assert_eq!(found[0].gfx, Some(*gfx), "{file}");
        assert_eq!(found[0].kfd_node, Some(node), "{file}");
        assert_eq!(found[0].marketing_name.as_deref(), Some(name), "{file}");
        let device = u16::try_from(chip).unwrap();
        assert_eq!(found[0].pci, Some(PciId { device, revision: Some(0xc8) }), "{file}");
    }
}

#[test]
fn the_first_line_tells_the_module() {
    let module = |text: &str| RocmInfo::parse(text).module;
    let loaded = |version: Option<&str>| {
        Some(RocmInfoModule::Loaded { version: version.map(str::to_owned) })
    };
    assert_eq!(
        module("ROCk module is NOT loaded, possibly no GPU devices\n"),
        Some(RocmInfoModule::NotLoaded)
    );
    assert_eq!(
        module("ROCk module is loaded\nUnable to open /dev/kfd read-write: Permission denied\n"),
        loaded(None)
    );
    assert_eq!(module("ROCk module version 6.7.0 is loaded\n"), loaded(Some("6.7.0")));
    assert_eq!(module("hsa api call failure at: rocminfo.cc:1324\n"), None);
}
