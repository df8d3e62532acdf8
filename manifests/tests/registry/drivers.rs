//! Drivers: AMD's matrix cell by cell, the three numbers, Windows.

use std::collections::BTreeSet;

use rocmenv_manifests::registry::{Pattern, Registry, Verdict};
use rocmenv_manifests::version::{Dotted, DriverVersion, RocmVersion};

use super::cells::{Cells, rows};

const CELLS: &str = include_str!("../data/facts/driver-rocm.csv");

fn version(text: &str) -> DriverVersion {
    text.parse().unwrap()
}

fn rocm(text: &str) -> RocmVersion {
    text.parse().unwrap()
}

/// A version that a pattern of the table stands for.
fn of(pattern: &str, last: &str) -> String {
    match pattern.split_once('-') {
        Some((low, _)) => low.to_owned(),
        None => pattern.replace(".x", last),
    }
}

#[test]
fn every_cell_of_the_matrix_is_answered_as_printed() {
    let registry = Registry::embedded();
    let mut cells = Cells::default();
    for row in rows(CELLS) {
        let [driver, release, status, scope] = row[..] else { panic!("{row:?}") };
        if release == "any" {
            continue;
        }
        let products = scope.starts_with("MI").then(|| scope.split(' ').collect::<Vec<_>>());
        for last in [".0", ".1"] {
            let asked = (version(&of(driver, last)), rocm(&of(release, ".0")));
            for product in products.clone().unwrap_or_else(|| vec![""]) {
                let gpu = registry.gpu_named(product);
                let judged = registry.driver_with_rocm(&asked.0, &asked.1, gpu.as_ref());
                let cell = format!("driver {} x ROCm {} {product}", asked.0, asked.1);
                let allowed: &[Verdict] = match status {
                    "supported" => &[Verdict::Listed],
                    "not listed" => &[Verdict::StatedNo],
                    "conflict" => {
                        assert!(judged.is_contradicted(), "{cell}");
                        &[Verdict::NotKnown]
                    }
                    "unknown" => &[Verdict::NotKnown],
                    other => panic!("{other}"),
                };
                cells.expect(&cell, &judged, allowed);
            }
        }
    }
    cells.finish(300);
}

#[test]
fn absence_from_the_matrix_is_a_no_within_it_and_unknown_beyond() {
    let registry = Registry::embedded();
    let all = rows(CELLS);
    let matrix: BTreeSet<(&str, &str)> = all
        .iter()
        .filter(|row| row[0].split('.').next_back() == Some("x"))
        .map(|row| (row[0], row[1]))
        .collect();
    let drivers: BTreeSet<&str> = matrix.iter().map(|(driver, _)| *driver).collect();
    let releases: BTreeSet<&str> = matrix.iter().map(|(_, release)| *release).collect();
    let mut cells = Cells::default();
    for driver in &drivers {
        for release in releases.iter().filter(|release| !matrix.contains(&(driver, release))) {
            let asked = (version(&of(driver, ".0")), rocm(&of(release, ".2")));
            let judged = registry.driver_with_rocm(&asked.0, &asked.1, None);
            // 7.1.0 has release notes that list older drivers for some products
            let allowed: &[Verdict] =
                if judged.is_contradicted() { &[Verdict::NotKnown] } else { &[Verdict::StatedNo] };
            cells.expect(&format!("driver {} x ROCm {}", asked.0, asked.1), &judged, allowed);
        }
    }
    cells.finish(100);
    for (driver, release) in
        [("31.50.0", "10.1.0"), ("30.20.0", "10.1.0"), ("31.20.0", "7.2.0"), ("32.10.0", "10.0.0")]
    {
        let judged = registry.driver_with_rocm(&version(driver), &rocm(release), None);
        assert_eq!(judged.verdict, Verdict::NotKnown, "{driver} x {release}");
    }
}

#[test]
fn a_refusal_says_who_says_so_and_what_is_listed() {
    let registry = Registry::embedded();
    let judged = registry.driver_with_rocm(&version("6.2.0"), &rocm("10.0.0"), None);
    insta::assert_snapshot!(
        format!("{}: {}\n{}", judged.verdict, judged.reason, judged.evidence[0]),
        @r"
    stated no: not listed by AMD's matrix of driver and ROCm, which has ROCm 6.0.x, ROCm 6.1.x, ROCm 6.2.x, ROCm 6.3.x, ROCm 6.4.x, ROCm 7.0.x
    ROCm/amdgpu-docs, docs/compatibility/compatibility-matrix.rst
    "
    );
    let drivers = registry.drivers_for(&rocm("10.0.0"));
    let drivers: Vec<_> = drivers.into_iter().map(Pattern::to_string).collect();
    assert_eq!(drivers, ["30.10.x", "30.20.x", "30.30.x", "31.40.x", "31.50.x"]);
}

#[test]
fn disagreeing_documents_are_shown_as_such() {
    let registry = Registry::embedded();
    let mi300x = registry.gpu_named("MI300X").unwrap();
    let judged = registry.driver_with_rocm(&version("6.3.2"), &rocm("7.1.0"), Some(&mi300x));
    assert_eq!(judged.verdict, Verdict::Listed);
    assert_eq!(judged.evidence[0].key, "rd-release-7.1");
    assert_eq!(judged.contradicted_by[0].key, "ad-matrix-10.0");

    let radeon = registry.gpu_named("RX 7900 XTX").unwrap();
    let judged = registry.driver_with_rocm(&version("6.3.2"), &rocm("7.1.0"), Some(&radeon));
    assert_eq!(judged.verdict, Verdict::StatedNo);

    let judged = registry.driver_with_rocm(&version("6.3.2"), &rocm("7.1.0"), None);
    assert_eq!(judged.verdict, Verdict::NotKnown);
    assert!(judged.is_contradicted());
}

#[test]
fn a_module_version_becomes_a_release_by_the_map_or_stays_unknown() {
    let registry = Registry::embedded();
    let module = |text: &str| text.parse::<Dotted>().unwrap();
    let release = |text: &str, build| {
        let found = registry.release_of_module(&module(text), build);
        found.map(|found| found.release.to_string())
    };
    assert_eq!(release("6.16.6", None).as_deref(), Some("30.20.1"));
    assert_eq!(release("6.12.12", Some("2164967")).as_deref(), Some("6.4.x"));
    assert_eq!(release("6.7.0", None), None);
    assert_eq!(release("6.99.0", None), None);

    let judge = |text: &str, rocm_release: &str| {
        registry.module_with_rocm(&module(text), None, &rocm(rocm_release), None).verdict
    };
    assert_eq!(judge("6.16.6", "10.0.0"), Verdict::Listed);
    assert_eq!(judge("6.12.12", "10.0.0"), Verdict::StatedNo);
    assert_eq!(judge("6.12.12", "6.4.1"), Verdict::Listed);
    assert_eq!(judge("6.7.0", "10.0.0"), Verdict::NotKnown);
}

#[test]
fn a_newer_windows_driver_is_allowed_and_an_older_one_refused() {
    let registry = Registry::embedded();
    let judge = |driver: &str, release: &str, wsl| {
        registry.windows_driver_with_rocm(&version(driver), &rocm(release), wsl)
    };
    assert_eq!(judge("26.8.1", "10.0.0", false).verdict, Verdict::Listed);
    assert_eq!(judge("26.10.32", "10.0.0", false).verdict, Verdict::Listed);
    let newer = judge("26.9.1", "10.0.0", false);
    assert_eq!(newer.verdict, Verdict::NotKnown);
    assert_eq!(newer.reason.to_string(), "newer than 26.8.1, the listed one");
    let older = judge("26.6.4", "10.0.0", false);
    assert_eq!(older.verdict, Verdict::StatedNo);
    assert_eq!(older.reason.to_string(), "older than 26.8.1, the listed one");
    assert_eq!(judge("26.1.1", "7.2.2", true).verdict, Verdict::Listed);
    assert_eq!(judge("26.1.1", "7.2.1", false).verdict, Verdict::StatedNo);
    assert_eq!(judge("26.8.1", "10.1.0", false).verdict, Verdict::NotKnown);
}
