//! Instruction sets out of KFD's numbers, against AMD's list of targets and against the
//! values of real nodes.

use std::fmt::Write;

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_resolver::host::facts::GfxSource;

use crate::support::Machine;

/// The targets of AMD's package rocm-bootstrap 0.3.0: name, major, minor, stepping. Its 34th,
/// `gfx1250-strict`, is a build variant of gfx1250 that KFD does not tell apart.
const TARGETS: &[(&str, u32, u32, u32)] = &[
    ("gfx900", 9, 0, 0),
    ("gfx902", 9, 0, 2),
    ("gfx904", 9, 0, 4),
    ("gfx906", 9, 0, 6),
    ("gfx908", 9, 0, 8),
    ("gfx909", 9, 0, 9),
    ("gfx90a", 9, 0, 10),
    ("gfx90c", 9, 0, 12),
    ("gfx942", 9, 4, 2),
    ("gfx950", 9, 5, 0),
    ("gfx1010", 10, 1, 0),
    ("gfx1011", 10, 1, 1),
    ("gfx1012", 10, 1, 2),
    ("gfx1013", 10, 1, 3),
    ("gfx1030", 10, 3, 0),
    ("gfx1031", 10, 3, 1),
    ("gfx1032", 10, 3, 2),
    ("gfx1033", 10, 3, 3),
    ("gfx1034", 10, 3, 4),
    ("gfx1035", 10, 3, 5),
    ("gfx1036", 10, 3, 6),
    ("gfx1100", 11, 0, 0),
    ("gfx1101", 11, 0, 1),
    ("gfx1102", 11, 0, 2),
    ("gfx1103", 11, 0, 3),
    ("gfx1150", 11, 5, 0),
    ("gfx1151", 11, 5, 1),
    ("gfx1152", 11, 5, 2),
    ("gfx1153", 11, 5, 3),
    ("gfx1200", 12, 0, 0),
    ("gfx1201", 12, 0, 1),
    ("gfx1250", 12, 5, 0),
    ("gfx1250", 12, 5, 0),
    ("gfx1251", 12, 5, 1),
];

#[test]
fn all_targets_of_rocm_bootstrap_are_read_from_a_topology() {
    assert_eq!(TARGETS.len(), 34);
    let machine = Machine::empty();
    machine.node(0, &[("cpu_cores_count", 8), ("simd_count", 0), ("gfx_target_version", 0)]);
    for (node, &(_, major, minor, stepping)) in (1..).zip(TARGETS) {
        let number = u64::from(major * 10_000 + minor * 100 + stepping);
        machine.node(node, &[("simd_count", 8), ("gfx_target_version", number)]);
    }
    let gpus = machine.facts().gpus.unwrap();
    let read: Vec<_> = gpus.iter().map(|gpu| gpu.gfx.unwrap().to_string()).collect();
    let names: Vec<_> = TARGETS.iter().map(|target| target.0).collect();
    assert_eq!(read, names);
    assert!(gpus.iter().all(|gpu| gpu.gfx_source == Some(GfxSource::Kfd)));
}

#[test]
fn numbers_read_back_to_what_kfd_writes() {
    for &(name, major, minor, stepping) in TARGETS {
        let target: GfxTarget = name.parse().unwrap();
        assert_eq!(target.to_kfd(), major * 10_000 + minor * 100 + stepping);
    }
}

/// Values of nodes as public reports show them; `local_mem_size` is 0 on all but the oldest.
#[test]
fn nodes_of_known_cards_give_their_units_and_places() {
    let nodes: [&[(&str, u64)]; 7] = [
        // RX 7900 XTX
        &[
            ("simd_count", 192),
            ("simd_per_cu", 2),
            ("gfx_target_version", 110_000),
            ("device_id", 29772),
            ("location_id", 34304),
        ],
        // Radeon VII, without PCI lines
        &[("simd_count", 240), ("simd_per_cu", 4), ("gfx_target_version", 90_006)],
        // MI350X: 1024 of its SIMDs work
        &[
            ("simd_count", 1024),
            ("simd_per_cu", 4),
            ("gfx_target_version", 90_500),
            ("device_id", 30112),
        ],
        // Radeon 8060S (Strix Halo)
        &[("simd_count", 80), ("gfx_target_version", 110_501), ("device_id", 5510)],
        // MI210
        &[
            ("simd_count", 416),
            ("simd_per_cu", 4),
            ("gfx_target_version", 90_010),
            ("device_id", 29711),
            ("location_id", 25344),
        ],
        // two partitions of one MI308X
        &[
            ("simd_count", 80),
            ("simd_per_cu", 4),
            ("gfx_target_version", 90_402),
            ("device_id", 29858),
            ("location_id", 2560),
        ],
        &[
            ("simd_count", 80),
            ("simd_per_cu", 4),
            ("gfx_target_version", 90_402),
            ("device_id", 29858),
            ("location_id", 2561),
        ],
    ];
    let machine = Machine::empty();
    machine.node(0, &[("cpu_cores_count", 64), ("simd_count", 0)]);
    for (number, properties) in (1..).zip(nodes) {
        machine.node(number, properties);
    }
    let mut table = String::new();
    for gpu in machine.facts().gpus.unwrap() {
        let gfx = gpu.gfx.unwrap();
        let units = gpu.compute_units.map_or("?".to_owned(), |units| units.to_string());
        let pci = gpu.pci.map_or("?".to_owned(), |pci| pci.to_string());
        let address = gpu.address.map_or("?".to_owned(), |address| address.to_string());
        let part = gpu
            .partition
            .map_or(String::new(), |part| format!(" part {} of {}", part.index, part.count));
        writeln!(table, "{gfx} {units} CU {pci} at {address}{part}").unwrap();
    }
    insta::assert_snapshot!(table, @r#"
        gfx1100 96 CU 744c at 0000:86:00.0
        gfx906 60 CU ? at ?
        gfx950 256 CU 75a0 at ?
        gfx1151 ? CU 1586 at ?
        gfx90a 104 CU 740f at 0000:63:00.0
        gfx942 20 CU 74a2 at 0000:0a:00.0 part 0 of 2
        gfx942 20 CU 74a2 at 0000:0a:00.0 part 1 of 2
    "#);
}

/// 8 cards in 8 partitions each, numbered by function as kernels before 6.10 did.
#[test]
fn partitions_are_told_for_every_card() {
    let machine = Machine::empty();
    machine.node(0, &[("cpu_cores_count", 96), ("simd_count", 0), ("gfx_target_version", 0)]);
    for part in 0..64_u32 {
        let location = (u64::from(part / 8) * 0x20 + 5) << 8 | u64::from(part % 8);
        machine.node(
            part + 2,
            &[("simd_count", 152), ("gfx_target_version", 90_402), ("location_id", location)],
        );
    }
    let gpus = machine.facts().gpus.unwrap();
    assert_eq!(gpus.len(), 64);
    for (at, gpu) in (0..).zip(&gpus) {
        let partition = gpu.partition.as_ref().unwrap();
        assert_eq!((partition.index, partition.count), (at % 8, 8));
        assert_eq!(gpu.address.unwrap().function, 0);
    }
}

#[test]
fn without_the_line_the_pci_table_says_it_and_the_name_never_does() {
    let machine = Machine::empty();
    machine
        .node(1, &[("simd_count", 256), ("vendor_id", 4098), ("device_id", 26720)])
        .node(2, &[("simd_count", 64), ("vendor_id", 4098), ("device_id", 1)])
        .add("/sys/class/kfd/kfd/topology/nodes/2/name", "gfx1100\n");
    let gpus = machine.facts().gpus.unwrap();
    assert_eq!(gpus[0].gfx, "gfx900".parse().ok());
    assert_eq!(gpus[0].gfx_source, Some(GfxSource::PciTable));
    assert_eq!((gpus[1].gfx, gpus[1].gfx_source), (None, None));
}
