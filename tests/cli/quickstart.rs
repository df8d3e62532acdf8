//! `quickstart`: what it chooses, and on the real indexes where that is allowed.

use rocmenv_tests::Sandbox;

use crate::rocmenv;

#[test]
fn without_a_gpu_a_described_target_is_chosen_and_dry_run_writes_nothing() {
    let mut sandbox = Sandbox::new();
    let host = sandbox.write(
        "host.json",
        r#"{"schema": 1, "os": {"family": "linux", "release": "debian-12"}, "gpus": []}"#,
    );
    sandbox.env("ROCMENV_HOST", &host.display().to_string());
    let output = rocmenv(&sandbox, "quickstart --dry-run");
    assert_eq!(output.code, 0, "{}", output.snapshot());
    assert!(output.stderr.starts_with("1. host: debian-12, no AMD GPU"), "{}", output.stderr);
    assert!(
        output.stdout.contains("onnxruntime = ") && output.stdout.contains("[targets.example]")
    );
    assert!(!sandbox.exists("rocmenv-quickstart"));
}

#[test]
fn with_a_gpu_the_host_itself_is_chosen() {
    let mut sandbox = Sandbox::new();
    let host = sandbox.write(
        "host.json",
        r#"{"schema": 1, "os": {"family": "linux", "release": "ubuntu-24.04"},
            "gpus": [{"gfx": "gfx1100", "product": "AMD Radeon RX 7900 XTX"}]}"#,
    );
    sandbox.env("ROCMENV_HOST", &host.display().to_string());
    let output = rocmenv(&sandbox, "quickstart --dry-run");
    assert_eq!(output.code, 0, "{}", output.snapshot());
    assert!(output.stderr.starts_with("1. host: ubuntu-24.04, AMD Radeon RX 7900 XTX"));
    assert!(output.stdout.contains("pytorch = ") && !output.stdout.contains("\n[targets."));
}

/// The first call falls back to another target and ends without its packages.
#[test]
fn a_second_call_goes_on_with_the_target_of_the_first() {
    let mut sandbox = Sandbox::new();
    let host = sandbox.write(
        "host.json",
        r#"{"schema": 1, "os": {"family": "linux", "release": "ubuntu-24.04"}, "arch": "x86_64",
            "libc": {"kind": "glibc", "version": "2.39"},
            "gpus": [{"gfx": "gfx1100", "product": "AMD Radeon RX 7900 XTX"}]}"#,
    );
    sandbox.env("ROCMENV_HOST", &host.display().to_string());
    let first = rocmenv(&sandbox, "quickstart --offline");
    assert!(first.stderr.contains("taking a stack that needs less"), "{}", first.snapshot());
    let again = rocmenv(&sandbox, "quickstart --offline");
    assert!(again.stderr.contains("is there already"), "{}", again.snapshot());
    assert!(!again.stderr.contains("unknown-target"), "{}", again.snapshot());
    assert_eq!(again.code, first.code, "{}", again.snapshot());
}

#[test]
fn the_whole_road_on_the_real_index() {
    if !rocmenv_tests::online("the quickstart on the real general index") {
        return;
    }
    let mut sandbox = Sandbox::online();
    let host = sandbox.write(
        "host.json",
        r#"{"schema": 1, "os": {"family": "linux", "release": "debian-12"}, "arch": "x86_64",
            "libc": {"kind": "glibc", "version": "2.36"}, "gpus": []}"#,
    );
    sandbox.env("ROCMENV_HOST", &host.display().to_string());
    let output = rocmenv(&sandbox, "quickstart");
    assert_eq!(output.code, 0, "{}", output.snapshot());
    assert!(output.stdout.contains("import onnxruntime"));
    let again = rocmenv(&sandbox, "quickstart");
    assert!(again.code == 0 && again.stderr.contains("is up to date"), "{}", again.snapshot());
}
