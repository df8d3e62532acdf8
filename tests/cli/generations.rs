//! `generations`, `rollback`, `verify`, `cache` and `gc` on environments as `sync` leaves them.

use rocmenv_tests::Sandbox;

use crate::{rocmenv, snapshot, with_environment};

/// A second generation in which `demo` is newer and `extra` is new; it is current.
fn with_two_generations(sandbox: &Sandbox) {
    with_environment(sandbox);
    record(sandbox, 1, &[("demo", "1.0")]);
    record(sandbox, 2, &[("demo", "2.0"), ("extra", "0.1")]);
    let old = sandbox.read(".rocmenv/host/generations/1/activation");
    let new = old.replace("generations/1", "generations/2");
    sandbox.write(".rocmenv/host/generations/2/activation", new);
    sandbox.write(".rocmenv/host/generations/2/rocm.toml", "[project]\nname = \"two\"\n");
    sandbox.write(".rocmenv/host/generations/2/rocm.lock", "version = 1\n");
    sandbox.write(".rocmenv/host/current", "2\n");
    sandbox.write(".rocmenv/host/previous", "1\n");
}

pub(crate) fn record(sandbox: &Sandbox, number: u32, packages: &[(&str, &str)]) {
    let artifacts: Vec<serde_json::Value> = packages
        .iter()
        .map(|(name, version)| {
            serde_json::json!({
                "name": name, "version": version, "index": "python", "kind": "wheel",
                "file": format!("{name}-{version}-py3-none-any.whl"),
                "sha256": null, "size": null,
            })
        })
        .collect();
    let path = format!(".rocmenv/host/generations/{number}");
    let record = serde_json::json!({
        "format": 1, "number": number, "target": "host", "env": "default", "groups": [],
        "created": format!("2026-11-0{number}T12:00:00Z"),
        "path": sandbox.project().join(&path),
        "python": null, "artifacts": artifacts, "objects": [], "links": [], "gates": [],
        "warnings": [],
    });
    sandbox.write(&format!("{path}/generation.json"), record.to_string());
}

#[test]
fn generations_are_listed_and_compared() {
    let sandbox = Sandbox::new();
    with_two_generations(&sandbox);
    insta::assert_snapshot!(snapshot(&sandbox, "generations"), @r#"
        exit: 0
        --- stdout ---
        GENERATION  MADE                  PACKAGES  PYTHON
        1           2026-11-01T12:00:00Z  1                 previous
        2           2026-11-02T12:00:00Z  2                 current
        --- stderr ---
        "#);
    insta::assert_snapshot!(snapshot(&sandbox, "generations diff 1 2"), @r#"
        exit: 0
        --- stdout ---
         ~ demo 1.0 -> 2.0
         + extra 0.1
        --- stderr ---
        "#);
    insta::assert_snapshot!(snapshot(&sandbox, "generations diff 1 7"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[generation-unknown]: there is no generation 7
        help: rocmenv generations
        ");
}

#[test]
fn rollback_switches_holds_and_leaves_the_files() {
    let sandbox = Sandbox::new();
    with_two_generations(&sandbox);
    insta::assert_snapshot!(snapshot(&sandbox, "rollback --dry-run"), @r#"
        exit: 0
        --- stdout ---
         ~ demo 2.0 -> 1.0
         - extra 0.1
        --- stderr ---
        nothing was changed (`--dry-run`)
        "#);
    assert_eq!(sandbox.read(".rocmenv/host/current"), "2\n");
    insta::assert_snapshot!(snapshot(&sandbox, "rollback"), @r#"
        exit: 0
        --- stdout ---
         ~ demo 2.0 -> 1.0
         - extra 0.1
        --- stderr ---
        generation 1 is current, 2 was
        rocm.toml and rocm.lock were left as they are; `sync` waits for `rocmenv rollback --files` or `rocmenv sync --unpin`
        "#);
    assert_eq!(sandbox.read(".rocmenv/host/current"), "1\n");
    assert_eq!(sandbox.read(".rocmenv/host/pinned"), "1\n");
    assert_eq!(sandbox.read("rocm.toml"), "[project]\nname = \"p\"\n");
    assert_eq!(rocmenv(&sandbox, "run hello").code, 7);
    // Forward to the newest again: nothing is held.
    assert_eq!(rocmenv(&sandbox, "rollback 2").code, 0);
    assert_eq!(sandbox.read(".rocmenv/host/current"), "2\n");
}

#[test]
fn rollback_with_files_puts_them_back_and_holds_nothing() {
    let sandbox = Sandbox::new();
    with_two_generations(&sandbox);
    sandbox.write("rocm.toml", "[project]\nname = \"three\"\n");
    assert_eq!(rocmenv(&sandbox, "rollback --files").code, 0);
    assert_eq!(sandbox.read("rocm.toml"), "[project]\nname = \"p\"\n");
    assert!(!rocmenv(&sandbox, "generations").stdout.contains("pinned"));
}

#[test]
fn the_first_generation_has_nothing_before_it() {
    let sandbox = Sandbox::new();
    with_environment(&sandbox);
    record(&sandbox, 1, &[]);
    insta::assert_snapshot!(snapshot(&sandbox, "rollback"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[generation-unknown]: there is no generation before 1
        help: rocmenv generations
        "#);
}

#[test]
fn a_damaged_record_is_said_and_the_others_are_listed() {
    let sandbox = Sandbox::new();
    with_two_generations(&sandbox);
    sandbox.write(".rocmenv/host/generations/1/generation.json", "{");
    insta::assert_snapshot!(snapshot(&sandbox, "generations"), @r#"
        exit: 0
        --- stdout ---
        GENERATION  MADE                  PACKAGES  PYTHON
        2           2026-11-02T12:00:00Z  2                 current
        --- stderr ---
        warning: `[TEMP]/project/.rocmenv/host/generations/1/generation.json` is damaged: rocmenv sync
        "#);
}

#[test]
fn verify_says_what_changed_and_what_it_could_not_look_at() {
    let mut sandbox = Sandbox::new();
    with_two_generations(&sandbox);
    sandbox
        .write("rocm.toml", "[verify]\ncommands = [\"hello\", \"test -n \\\"$ROCM_PATH\\\"\"]\n");
    let site = ".rocmenv/host/generations/2/env/lib/python3.12/site-packages";
    sandbox.write(&format!("{site}/demo/__init__.py"), "answer = 42\n");
    sandbox.write(&format!("{site}/demo/same.py"), "");
    let row = "demo/__init__.py,sha256=9xe_2yIgQ5_D0Rx7qNy1GPhTjmyNRvyf0pwk2ZJXYIo,12\n\
               demo/missing.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\n\
               demo/same.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\n\
               demo-2.0.dist-info/RECORD,,\n";
    sandbox.write(&format!("{site}/demo-2.0.dist-info/RECORD"), row);
    let host = sandbox.write("host.json", r#"{"schema": 1, "gpus": []}"#);
    sandbox.env("ROCMENV_HOST", &host.display().to_string());
    sandbox.filter(r"\b\d+\.\d s\b", "[T] s");
    insta::assert_snapshot!(snapshot(&sandbox, "verify --deep --yes"), @r#"
        exit: 1
        --- stdout ---
        RESULT   STAGE     LEVEL  TIME   WHAT
        skipped  host      -             contract of the lock  the lock asks nothing of a host
        skipped  host      -             amdgpu driver         not loaded on this host
        skipped  host      -             AMD GPU               this host has none: nothing runs on one
        FAILED   files     read   [T] s  files of wheels       2 of 4: demo/__init__.py: changed; demo/missing.py: missing
        FAILED   commands  ran    [T] s  hello                 code 127: /usr/bin/sh: 1: hello: not found
        passed   commands  ran    [T] s  test -n "$ROCM_PATH"

        stages: host [T] s, files [T] s, rocm [T] s, import [T] s, framework [T] s, gpus [T] s, commands [T] s
        --- stderr ---
        not proven: that anything computes on an AMD GPU
        help: rocmenv sync --repair
        "#);
    assert_eq!(rocmenv(&sandbox, "verify host").code, 0);
    let json = rocmenv(&sandbox, "verify --json commands").stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["stages"][0]["findings"][1]["result"], "passed");
    insta::assert_snapshot!(snapshot(&sandbox, "verify magic"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error: there is no stage `magic`
        help: rocmenv verify host files rocm import framework gpus commands
        ");
}

#[test]
fn an_empty_store_takes_and_frees_nothing() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "cache size"), @r#"
        exit: 0
        --- stdout ---
        store     [TEMP]/home/data/rocmenv/store/v1
          objects    0 B (0)
          bytecode   0 B
          rewritten  0 B
          pythons    0 B
        cache     [TEMP]/home/cache/rocmenv
          all        0 B
          downloads  0 B
        --- stderr ---
        "#);
    insta::assert_snapshot!(snapshot(&sandbox, "gc --dry-run"), @r"
            exit: 0
            --- stdout ---
            would free 0 B in 0 files
            --- stderr ---
            ");
    assert!(rocmenv(&sandbox, "cache dir").stdout.ends_with("/home/cache/rocmenv\n"));
}
