//! `matrix` and `registry`.

use rocmenv_tests::Sandbox;

use crate::{rocmenv, snapshot};

#[test]
fn the_matrix_of_releases_can_be_narrowed() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "matrix rocm therock"), @r#"
        exit: 0
        --- stdout ---
        ROCM    LINE     KIND        DATE        HIP     LLVM
        10.1.0  therock  production  2026-10-05
        10.0.0  therock  production  2026-08-26  10.0.0  24.0.0
        7.14.1  therock  production  2026-09-02
        7.14.0  therock  production  2026-07-15  7.14    23.0.0
        --- stderr ---
        an empty cell was not found in any document that was read
        registry of 2026-11-30
        "#);
}

#[test]
fn every_matrix_is_also_json_with_its_date() {
    for topic in ["rocm", "gpu", "driver", "framework", "roadmap"] {
        let output = rocmenv(&Sandbox::new(), &format!("matrix {topic} --json"));
        let json: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
        assert!(json["date"].as_str().is_some_and(|date| date.len() == 10), "{topic}");
        assert!(json["tables"].as_object().is_some_and(|tables| !tables.is_empty()), "{topic}");
    }
}

#[test]
fn the_roadmap_says_what_a_release_brings_and_takes_away() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "matrix roadmap 10.1.0"), @r"
        exit: 0
        --- stdout ---
        ROCM    WHAT               FROM                                                                                                                                                                         TO                              SOURCE
        10.1.0  released           therock production, 2026-10-05                                                                                                                                               drivers not known               rd-versions+rd-notes-10.1
        10.1.0  added component    hipThreads; in the Core SDK                                                                                                                                                                                  rd-notes-10.1
        10.1.0  added component    libhipcxx; in the Core SDK                                                                                                                                                                                   rd-notes-10.1
        10.1.0  added component    RPP; in the Core SDK                                                                                                                                                                                         rd-notes-10.1
        10.1.0  removed component  rocm-smi-lib; no longer built                                                                                                                                                amd-smi                         rd-notes-10.1
        10.1.0  moved component    librocdxg as packages of its own; WSL2; ROCr finds /dev/dxg by itself; technical preview                                                                                     librocdxg inside the artifacts  rd-notes-10.1
        10.1.0  removed system     Ubuntu 24.04.4 and 26.04; point releases are replaced                                                                                                                        Ubuntu 24.04.5 and 26.04.1      rd-notes-10.1
        -       said of stream     10.0.0: production on TheRock; 10.1.0 called the latest production release in its own transition guide                                                                       10.1.0                          rd-transition-10.1
        -       said of next       10.1.0: nothing newer found by 2026-11-30; TheRock main was 10.1.0 on 2026-08-22; at six weeks a 10.2 would fall in mid November 2026; stored copies end about October 2026                                  rd-versions+tr-tags
        -       said of removed    rocm-smi-lib: 10.1.0; no longer built; use amd-smi                                                                                                                                                           rd-notes-10.1
        --- stderr ---
        drivers: those that AMD's matrix lists; gfx: what a release's own table lists and the one before did not, and the other way
        a source is a key of `rocmenv matrix roadmap --json`, which has the documents with their days
        registry of 2026-11-30
        ");
    let json = rocmenv(&sandbox, "matrix roadmap --json").stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let releases = json["tables"]["roadmap"]["releases"].as_array().expect("releases");
    let changes = releases.iter().flat_map(|row| row["changes"].as_array().expect("changes"));
    for change in changes {
        let documents = change["evidence"].as_array().expect("documents");
        assert!(!documents.is_empty(), "{change}");
        assert!(documents.iter().all(|one| one["date"].as_str().is_some()), "{change}");
    }
}

#[test]
fn an_overlay_is_checked_added_and_shown_as_local() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[project]\n");
    sandbox.write("mine.toml", OVERLAY);
    insta::assert_snapshot!(snapshot(&sandbox, "registry --add mine.toml"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        wrote `[TEMP]/project/rocm.registry.d/mine.toml`
        "#);
    let shown = rocmenv(&sandbox, "matrix rocm 11.0");
    assert!(shown.stdout.contains("11.0.0"), "{}", shown.snapshot());
    let json = rocmenv(&sandbox, "registry --json").stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["local"][0]["key"], "our-lab");
}

#[test]
fn an_overlay_without_its_own_source_is_refused_and_not_copied() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[project]\n");
    sandbox.write("mine.toml", OVERLAY.replace("source = \"our-lab\"", "source = \"rd-versions\""));
    insta::assert_snapshot!(snapshot(&sandbox, "registry --add mine.toml"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[overlay-invalid]: the registry overlay `mine.toml` cites `rd-versions`, which is not one of its own sources
        help: rocmenv explain overlay-invalid
        "#);
    assert!(!sandbox.exists("rocm.registry.d/mine.toml"));
}

const OVERLAY: &str = r#"
[[sources.source]]
key = "our-lab"
site = "our laboratory"
note = "what we measured"

[[releases.release]]
version = "11.0.0"
line = "therock"
kind = "production"
source = "our-lab"
"#;
