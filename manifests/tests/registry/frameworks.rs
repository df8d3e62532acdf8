//! Frameworks x release, cell by cell, and the builds that are known.

use std::str::FromStr;

use pep440_rs::Version;
use rocmenv_manifests::registry::rows::support::Platform;
use rocmenv_manifests::registry::{FrameworkQuestion, Judgement, Registry, Verdict};
use rocmenv_manifests::version::RocmVersion;

use super::cells::{Cells, rows};

const CELLS: &str = include_str!("../data/facts/framework-rocm.csv");

fn rocm(text: &str) -> RocmVersion {
    text.parse().unwrap()
}

struct Asked<'a> {
    framework: &'a str,
    version: &'a str,
    rocm: &'a str,
    platform: Option<Platform>,
    python: Option<&'a str>,
    gpu: &'a str,
}

fn judge(registry: &Registry, asked: &Asked<'_>) -> Judgement {
    let gpu = registry.gpu_named(asked.gpu);
    registry.framework_with_rocm(&FrameworkQuestion {
        framework: &registry.framework_named(asked.framework).unwrap().name,
        version: &Version::from_str(asked.version).unwrap(),
        rocm: &rocm(asked.rocm),
        platform: asked.platform,
        python: asked.python,
        gpu: gpu.as_ref(),
    })
}

#[test]
fn every_cell_of_the_framework_tables_is_listed() {
    let registry = Registry::embedded();
    let mut cells = Cells::default();
    for row in rows(CELLS) {
        let [release, framework, version, pythons, os, gfx, confidence] = row[..] else {
            panic!("{row:?}")
        };
        if framework == "llama.cpp" {
            continue;
        }
        let release = release.replace(".x", ".1");
        let platform = match os {
            "linux" => Platform::Linux,
            "windows" => Platform::Windows,
            "wsl" => Platform::Wsl,
            other => panic!("{other}"),
        };
        let gpu = match gfx {
            "radeon ryzen" => "RX 9070 XT",
            "not gfx950" => "gfx942",
            list => list.split(' ').next().unwrap(),
        };
        let pythons: Vec<_> = pythons.split(' ').collect();
        for python in pythons {
            let python = Some(python).filter(|python| !python.is_empty());
            let platform = Some(platform);
            let asked = Asked { framework, version, rocm: &release, platform, python, gpu };
            let judged = judge(&registry, &asked);
            let cell = format!("{framework} {version} x ROCm {release} {python:?} {gpu}");
            cells.expect(&cell, &judged, &[Verdict::Listed]);
            assert!(!judged.evidence.is_empty(), "{cell} has no document");
            assert_eq!(judged.is_contradicted(), confidence == "conflict", "{cell}");
        }
    }
    cells.finish(350);
}

#[test]
fn a_closed_release_refuses_what_it_does_not_list_and_nobody_built() {
    let registry = Registry::embedded();
    let linux = |framework, version, rocm| Asked {
        framework,
        version,
        rocm,
        platform: Some(Platform::Linux),
        python: None,
        gpu: "",
    };
    let judged = judge(&registry, &linux("tensorflow", "2.15.0", "6.3.0"));
    assert_eq!(judged.verdict, Verdict::StatedNo);
    insta::assert_snapshot!(
        judged.reason,
        @"not listed by AMD's matrix for ROCm 6.3.0, which has 2.17.0, 2.16.2, 2.15.1"
    );
    let judged = judge(&registry, &linux("pytorch", "2.10.0", "7.1.1"));
    assert_eq!(judged.verdict, Verdict::BuiltNotListed);
    insta::assert_snapshot!(judged.reason, @"built (torch 2.10.0+rocm7.1); AMD lists 2.9, 2.8, 2.7");
    // 7.0.1 was not read: open
    let judged = judge(&registry, &linux("pytorch", "2.2.0", "7.0.1"));
    assert_eq!(judged.verdict, Verdict::NotKnown);
    let judged = judge(&registry, &linux("jax", "0.12.0", "10.1.0"));
    assert_eq!(judged.verdict, Verdict::BuiltNotListed);
    insta::assert_snapshot!(
        judged.reason,
        @"built (jax-rocm10-plugin 0.12.0); AMD lists 0.11.1, 0.11.0, 0.10.2"
    );
}

#[test]
fn lists_are_narrow_in_gpu_and_python() {
    let registry = Registry::embedded();
    let ask = |framework, version, python, gpu| {
        let platform = Some(Platform::Linux);
        judge(&registry, &Asked { framework, version, rocm: "10.1.0", platform, python, gpu })
    };
    assert_eq!(ask("pytorch", "2.14.0", None, "RX 7900 XTX").verdict, Verdict::Listed);
    assert_eq!(ask("pytorch", "2.13.0", None, "MI300X").verdict, Verdict::Listed);
    // only 2.14.0 is listed for Radeon; 2.13.0 was built
    assert_eq!(ask("pytorch", "2.13.0", None, "RX 7900 XTX").verdict, Verdict::BuiltNotListed);
    let vllm = ask("vllm", "0.29.0", Some("3.12"), "MI300X");
    assert_eq!(vllm.verdict, Verdict::NotKnown);
    assert_eq!(vllm.reason.to_string(), "listed only for Python 3.14");
    let vllm = ask("vllm", "0.29.0", Some("3.14"), "MI250X").reason.to_string();
    assert!(vllm.starts_with("listed only for gfx942, gfx950, gfx1100, "), "{vllm}");
    let tensorflow = ask("tensorflow", "2.20.0", Some("3.12"), "RX 7900 XTX");
    assert_eq!(tensorflow.verdict, Verdict::BuiltNotListed);
}

#[test]
fn builds_are_known_by_the_rocm_that_they_say() {
    let registry = Registry::embedded();
    let versions = |framework: &str, release: &str| {
        let row = registry.framework_named(framework).unwrap();
        let builds = registry.builds_for(row, &rocm(release));
        builds.iter().map(|build| build.version.clone()).collect::<Vec<_>>()
    };
    // the newest that says it was built for 7.2; 0.12.0 is built for 7.14, others say unknown
    assert_eq!(versions("jax", "7.2.4")[0], "0.10.0");
    assert_eq!(versions("jax", "7.14.0")[0], "0.12.0");
    assert_eq!(versions("jax", "10.1.0"), ["0.12.0"]);
    let lowest = versions("pytorch", "6.0.0").pop().unwrap();
    assert_eq!(lowest, "2.3.0+rocm6.0");
    assert_eq!(versions("pytorch", "7.2.0")[0], "2.14.1+rocm7.2");
    assert!(versions("onnxruntime", "10.0.0").is_empty());
    let row = registry.framework_named("onnxruntime").unwrap();
    let newest = registry.builds_for(row, &rocm("7.2.4"))[0];
    assert_eq!((newest.version.as_str(), newest.channel.as_str()), ("1.27.1", "python"));
    assert_eq!(newest.serves_python("3.12"), Some(true));
    assert_eq!(newest.serves_python("3.10"), Some(false));
}

#[test]
fn coverage_says_for_which_targets_an_index_holds_code() {
    let registry = Registry::embedded();
    let build = |version: &str| {
        let builds = registry.builds_of("torch");
        builds.into_iter().find(|build| build.version == version).unwrap()
    };
    let judge = |version: &str, gfx: &str| {
        registry.build_has_code(build(version), gfx.parse().unwrap()).map(|judged| judged.verdict)
    };
    assert_eq!(judge("2.11.0+rocm7.2", "gfx1030"), Some(Verdict::Listed));
    assert_eq!(judge("2.11.0+rocm7.2", "gfx1031"), Some(Verdict::StatedNo));
    assert_eq!(judge("2.11.0+rocm7.2", "gfx1103"), Some(Verdict::StatedNo));
    assert_eq!(judge("2.13.0+rocm7.2", "gfx1103"), Some(Verdict::Listed));
    assert_eq!(judge("2.13.0+rocm10.0.0", "gfx1031"), Some(Verdict::Listed));
    assert_eq!(judge("2.9.1+rocm7.2.4.lw.git39497456", "gfx1031"), None);
}
