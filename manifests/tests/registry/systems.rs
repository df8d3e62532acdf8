//! GPU x system: the table of 10.0.0 cell by cell, other releases, kernels.

use std::collections::BTreeSet;

use rocmenv_manifests::registry::{Kernel, Registry, System, Verdict};
use rocmenv_manifests::version::RocmVersion;

use super::cells::{Cells, rows};

const CELLS: &str = include_str!("../data/facts/product-os-10.0.0.csv");

fn rocm(text: &str) -> RocmVersion {
    text.parse().unwrap()
}

fn system(os: &str) -> System {
    match os.strip_prefix("wsl-") {
        Some(os) => System { os: os.parse().unwrap(), wsl: true },
        None => System { os: os.parse().unwrap(), wsl: false },
    }
}

/// The systems of one row of the document, as os-release names them.
fn systems(row: &[&str]) -> BTreeSet<String> {
    let named = |text: &str| {
        let text = text.split(" (").next().unwrap();
        let (name, version) = text.rsplit_once(' ').unwrap();
        let id = match name {
            "Ubuntu" => "ubuntu",
            "Debian" => "debian",
            "RHEL" => "rhel",
            "Oracle Linux" => "ol",
            "Rocky Linux" => "rocky",
            "SLES" => "sles",
            other => panic!("{other}"),
        };
        format!("{id}-{version}")
    };
    let linux = row[2].split("; ").map(named);
    let windows = (!row[3].is_empty()).then(|| "windows-11-25H2".to_owned());
    let wsl = row[4].split(", ").filter(|text| !text.is_empty());
    let wsl = wsl.map(|text| format!("wsl-ubuntu-{}", text.trim_start_matches("Ubuntu ")));
    linux.chain(windows).chain(wsl).collect()
}

#[test]
fn every_cell_of_the_product_table_is_answered_as_printed() {
    let registry = Registry::embedded();
    let all = rows(CELLS);
    let columns: BTreeSet<String> = all.iter().flat_map(|row| systems(row)).collect();
    let mut cells = Cells::default();
    for row in &all {
        let gpu = registry.gpu_named(row[0]).unwrap_or_else(|| panic!("{}", row[0]));
        assert_eq!(gpu.gfx.to_string(), row[1], "{}", row[0]);
        let listed = systems(row);
        for column in &columns {
            let judged = registry.gpu_on_system(&gpu, &system(column), &rocm("10.0.0"));
            let allowed: &[Verdict] =
                if listed.contains(column) { &[Verdict::Listed] } else { &[Verdict::StatedNo] };
            cells.expect(&format!("{} on {column}", row[0]), &judged, allowed);
        }
    }
    cells.finish(84 * columns.len());
}

#[test]
fn support_is_per_product_and_a_bare_target_says_so() {
    let registry = Registry::embedded();
    let judge = |gpu: &str, os: &str, release: &str| {
        let gpu = registry.gpu_named(gpu).unwrap();
        registry.gpu_on_system(&gpu, &system(os), &rocm(release))
    };
    assert_eq!(judge("W6800", "ubuntu-24.04", "10.0.0").verdict, Verdict::Listed);
    let rx = judge("RX 6800 XT", "ubuntu-24.04", "10.0.0");
    assert_eq!(rx.verdict, Verdict::BuiltNotListed);
    assert_eq!(judge("RX 6800 XT", "windows-11-25H2", "10.0.0").verdict, Verdict::StatedNo);
    // AMD's documents give this processor gfx1152 and gfx1153
    let disputed = judge("Ryzen AI 5 435", "ubuntu-24.04", "10.0.0");
    assert_eq!(disputed.verdict, Verdict::Listed);
    assert!(disputed.is_contradicted());
    let bare = judge("gfx1030", "ubuntu-24.04", "10.0.0");
    assert_eq!(bare.verdict, Verdict::NotKnown);
    insta::assert_snapshot!(bare.reason, @"it depends on the product: AMD Radeon PRO V620, AMD Radeon PRO W6800 listed, AMD Radeon RX 6950 XT, AMD Radeon RX 6900 XT, AMD Radeon RX 6800 XT, AMD Radeon RX 6800 not");
    assert_eq!(judge("gfx950", "ubuntu-24.04", "10.0.0").verdict, Verdict::Listed);

    let older = judge("RX 6800 XT", "ubuntu-24.04", "7.2.1");
    assert_eq!(older.verdict, Verdict::BuiltNotListed);
    insta::assert_snapshot!(older.reason, @"not listed; of the same target AMD Radeon PRO V620, AMD Radeon PRO W6800 listed");
}

#[test]
fn what_was_not_read_is_not_known() {
    let registry = Registry::embedded();
    let judge = |gpu: &str, os: &str, release: &str| {
        let gpu = registry.gpu_named(gpu).unwrap();
        registry.gpu_on_system(&gpu, &system(os), &rocm(release)).verdict
    };
    assert_eq!(judge("RX 7900 XTX", "ubuntu-24.04", "7.12.0"), Verdict::NotKnown);
    assert_eq!(judge("RX 7900 XTX", "ubuntu-24.04", "11.0.0"), Verdict::NotKnown);
    assert_eq!(judge("gfx1031", "ubuntu-24.04", "7.2.0"), Verdict::NotKnown);
    assert_eq!(judge("R9600", "ubuntu-24.04", "10.1.0"), Verdict::NotKnown);
    assert_eq!(judge("gfx1031", "ubuntu-24.04", "10.1.0"), Verdict::BuiltNotListed);
    assert_eq!(judge("gfx1152", "ubuntu-24.04", "7.1.0"), Verdict::StatedNo);
}

#[test]
fn distributions_are_listed_for_the_gpus_that_amd_names() {
    let registry = Registry::embedded();
    let judge = |os: &str, release: &str, gpu: &str| {
        let gpu = registry.gpu_named(gpu);
        registry.system_with_rocm(&system(os), &rocm(release), gpu.as_ref())
    };
    assert_eq!(judge("ubuntu-24.04", "7.1.1", "RX 7900 XTX").verdict, Verdict::Listed);
    assert_eq!(judge("debian-12", "6.4.1", "MI300X").verdict, Verdict::Listed);
    let limited = judge("debian-12", "6.4.1", "RX 7900 XTX");
    assert_eq!(limited.verdict, Verdict::StatedNo);
    assert_eq!(limited.reason.to_string(), "listed only for AMD Instinct MI300X");
    assert_eq!(judge("ubuntu-22.04.1", "5.7.1", "").verdict, Verdict::StatedNo);
    assert_eq!(judge("fedora-43", "10.0.0", "").verdict, Verdict::NotKnown);
    let conflict = judge("azurelinux-3.0", "7.1.0", "MI300X");
    assert_eq!(conflict.verdict, Verdict::NotKnown);
    assert!(conflict.is_contradicted());
}

#[test]
fn the_in_tree_driver_is_judged_by_kernel_and_never_by_amds_windows() {
    let registry = Registry::embedded();
    let judge = |gpu: &str, os: &str, kernel: &str, release: &str| {
        let gpu = registry.gpu_named(gpu).unwrap();
        let kernel = Kernel::parse(kernel);
        let system = system(os);
        registry.in_tree_with_rocm(kernel.as_ref(), Some(&gpu), Some(&system), &rocm(release))
    };
    let wanted = judge("Ryzen AI Max+ 395", "ubuntu-24.04", "6.17.0-1020-oem", "10.0.0");
    assert_eq!(wanted.verdict, Verdict::Listed);
    let old = judge("Ryzen AI Max+ 395", "ubuntu-24.04", "6.14.0-1018-oem", "10.0.0");
    assert_eq!(old.verdict, Verdict::StatedNo);
    assert_eq!(old.reason.to_string(), "the kernel is older than 6.17");
    let floor = judge("Ryzen AI Max+ 395", "ubuntu-24.04", "6.14.0-1017-oem", "7.14.0");
    assert_eq!(floor.verdict, Verdict::StatedNo);
    assert_eq!(judge("RX 7900 XTX", "fedora-43", "6.17.9", "10.0.0").verdict, Verdict::NotKnown);
}

#[test]
fn rdna35_kernels_follow_amds_table() {
    let registry = Registry::embedded();
    let gpu = registry.gpu_named("gfx1151").unwrap();
    let judge = |os: &str, kernel: &str, release: &str| {
        let kernel = Kernel::parse(kernel).unwrap();
        let judged = registry.apu_kernel_with_rocm(&kernel, &gpu, &system(os), &rocm(release));
        judged.map(|judged| judged.verdict)
    };
    assert_eq!(judge("fedora-43", "6.18.6", "7.2.1"), Some(Verdict::Listed));
    assert_eq!(judge("fedora-43", "6.17.8", "7.2.1"), Some(Verdict::NotKnown));
    assert_eq!(judge("fedora-43", "6.17.8", "7.2.0"), Some(Verdict::StatedNo));
    assert_eq!(judge("fedora-43", "6.18.6", "7.1.1"), Some(Verdict::StatedNo));
    assert_eq!(judge("ubuntu-24.04", "6.14.0-1018-oem", "7.2.1"), Some(Verdict::Listed));
    assert_eq!(judge("ubuntu-24.04", "6.14.0-1018-oem", "7.1.1"), Some(Verdict::StatedNo));
    assert_eq!(judge("ubuntu-24.04", "6.8.0-45-generic", "7.2.1"), None);
}
