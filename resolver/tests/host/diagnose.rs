//! Properties of a diagnosis that hold on every capture.

use std::collections::BTreeSet;
use std::fs;

use proptest::prelude::*;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::faults::Severity;
use rocmenv_resolver::diagnose::{Evidence, capture, diagnose, gather, parse, probe};
use rocmenv_resolver::host::{ProbeOptions, probe as probe_host};

use crate::support::{Machine, data};

/// All captures of public reports.
fn captures() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for letter in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let text = fs::read_to_string(data(&format!("doctor/cases-{letter}.txt"))).unwrap();
        for case in text.split("@@@ ").skip(1) {
            let (source, rest) = case.split_once('\n').unwrap();
            let at = rest.find(capture::FIRST_LINE).unwrap();
            found.push((source.to_owned(), rest[at..].to_owned()));
        }
    }
    found
}

fn codes(evidence: Evidence, registry: &Registry) -> Vec<String> {
    let facts = gather(evidence, registry);
    diagnose(&facts, registry).findings.into_iter().map(|finding| finding.code).collect()
}

#[test]
fn faults_found_never_contradict_each_other() {
    let registry = Registry::embedded();
    let against = |code: &str| -> Vec<String> {
        let row = registry.faults().fault.iter().find(|row| row.code == code);
        row.expect("every finding has a row").contradicts.clone()
    };
    for (source, text) in captures() {
        let found = codes(capture::read(&text, &registry).unwrap(), &registry);
        for code in &found {
            let clash: Vec<_> =
                against(code).into_iter().filter(|other| found.contains(other)).collect();
            assert!(clash.is_empty(), "{source}: {code} against {clash:?}");
        }
    }
}

#[test]
fn every_fault_has_its_page_and_contradicts_only_faults_that_exist() {
    let registry = Registry::embedded();
    let known: BTreeSet<&str> =
        registry.faults().fault.iter().map(|row| row.code.as_str()).collect();
    assert_eq!(known.len(), registry.faults().fault.len(), "a code is there twice");
    assert!(known.len() >= 60);
    for row in &registry.faults().fault {
        let page = data(&format!("../../docs/codes/{}.md", row.code));
        let text = fs::read_to_string(&page).unwrap_or_else(|_| panic!("{} has no page", row.code));
        for part in ["Evidence:", "What to do:", "Verify:", "Source:"] {
            assert!(text.contains(part), "{}: no {part}", row.code);
        }
        assert!(!row.report.is_empty() && !row.remedy.is_empty(), "{}", row.code);
        for step in &row.remedy {
            assert!(step.run.is_some() != step.say.is_some(), "{}: {step:?}", row.code);
            let places = ["any", "linux", "debian", "fedora", "suse", "arch", "wsl", "windows"];
            assert!(places.contains(&step.on.as_str()), "{}: {}", row.code, step.on);
        }
        for other in &row.contradicts {
            assert!(known.contains(other.as_str()), "{} contradicts {other}", row.code);
        }
    }
}

/// Machines on which everything works, by the whole road from their files.
#[test]
fn healthy_machines_have_no_error() {
    let registry = Registry::embedded();
    for name in ["rx7900xtx-with-igpu", "mi25-old-kernel", "wsl-ubuntu", "alpine-no-gpu"] {
        let machine = Machine::named(name);
        let root = machine.root();
        let options = ProbeOptions { products: &registry, disks: Vec::new(), interpreters: false };
        let host = probe_host(&root, &options);
        let probed = probe::probe(&root, host, &probe::Options::default());
        let evidence = Evidence { facts: probed.facts, texts: probed.texts, ..Evidence::default() };
        let diagnosis = diagnose(&gather(evidence, &registry), &registry);
        let errors: Vec<_> =
            diagnosis.findings.iter().filter(|one| one.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }
}

#[test]
fn machines_with_a_fault_show_it() {
    let registry = Registry::embedded();
    let found = |name: &str| {
        let machine = Machine::named(name);
        let root = machine.root();
        let options = ProbeOptions { products: &registry, disks: Vec::new(), interpreters: false };
        let host = probe_host(&root, &options);
        let probed = probe::probe(&root, host, &probe::Options::default());
        let evidence = Evidence { facts: probed.facts, texts: probed.texts, ..Evidence::default() };
        codes(evidence, &registry)
    };
    assert!(found("mi350x-driver-not-loaded").contains(&"D-dkms-not-built".to_owned()));
    assert!(found("mi300x-cpx").contains(&"D-kfd-permission".to_owned()));
    assert!(found("docker-mi250").iter().any(|code| code.starts_with("D-container-")));
}

/// Two shapes of one tool give the same GPU.
#[test]
fn both_shapes_of_amd_smi_are_read() {
    let registry = Registry::embedded();
    let inner = r#"[{"gpu": 0, "asic": {"market_name": "AMD Radeon RX 7800 XT", "device_id": "0x747e", "rev_id": "0xc8"}, "bus": {"bdf": "0000:03:00.0"}}]"#;
    let bare = parse::parse(&format!("SyntaxWarning: 'return'\n{inner}\n"), &registry);
    let wrapped = parse::parse(&format!("{{\"gpu_data\": {inner}}}"), &registry);
    assert_eq!(bare.host.gpus, wrapped.host.gpus);
    let gpus = bare.host.gpus.unwrap();
    assert_eq!(gpus[0].gfx.unwrap().to_string(), "gfx1101");
    assert_eq!(gpus[0].address.unwrap().to_string(), "0000:03:00.0");
}

/// rocm-smi joins the numbers of an instruction set in decimal; it is never taken from there.
#[test]
fn the_instruction_set_of_rocm_smi_is_not_believed() {
    let registry = Registry::embedded();
    let table = "GPU  NODE  DID     GUID   GFX VER   GFX RAS  BUS\n\
                 0    1     0x7480  3799   gfx11002  N/A      0000:03:00.0\n\
                 1    2     0x164e  39463  gfx1036   N/A      0000:12:00.0\n";
    let names: Vec<String> = parse::parse(table, &registry)
        .host
        .gpus
        .unwrap()
        .iter()
        .map(|gpu| gpu.gfx.unwrap().to_string())
        .collect();
    assert_eq!(names, ["gfx1102", "gfx1036"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The outputs of one report, and its lines among them, may come in any order.
    #[test]
    fn the_order_of_evidence_does_not_matter(
        which in 0_usize..170,
        seed in any::<u64>(),
    ) {
        let registry = Registry::embedded();
        let all = captures();
        let (source, text) = &all[which % all.len()];
        let mut evidence = capture::read(text, &registry).unwrap();
        // single lines that stand for themselves are outputs of their own
        let mut texts: Vec<String> = Vec::new();
        for text in &evidence.texts {
            let single = text.lines().all(|line| line.contains("==") || line.contains("dmesg"));
            if single { texts.extend(text.lines().map(str::to_owned)) } else { texts.push(text.clone()) }
        }
        texts.push("[    1.577002] kfd kfd: added device 1002:67df".to_owned());
        evidence.texts = texts.clone();
        let expected = codes(evidence.clone(), &registry);
        let mut state = seed;
        for at in (1..texts.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let other = usize::try_from(state >> 33).unwrap() % (at + 1);
            texts.swap(at, other);
        }
        evidence.texts = texts;
        prop_assert_eq!(codes(evidence, &registry), expected, "{}", source);
    }
}
