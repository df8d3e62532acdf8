//! What `doctor` prints, its exit codes, its mends, and how long it takes.

use std::time::{Duration, Instant};

use rocmenv_tests::Sandbox;

use super::codes;
use crate::{rocmenv, snapshot};

const REFUSED: &str = "rocmenv-capture 1
=== facts
os = ubuntu-24.04
kernel = 6.8.0-45-generic
gpus = RX 7900 XTX
=== outputs/id.txt
uid=1000(me) gid=1000(me) groups=1000(me),44(video)
crw-rw---- 1 root 992 509, 0 Aug 22 21:34 /dev/kfd
Unable to open /dev/kfd read-write: Permission denied
";

#[test]
fn findings_say_what_was_seen_and_what_to_do() {
    let sandbox = Sandbox::new();
    sandbox.write("case.txt", REFUSED);
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --from case.txt"), @"");
}

#[test]
fn a_symptom_is_walked_in_order() {
    let sandbox = Sandbox::new();
    sandbox.write("case.txt", REFUSED);
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --from case.txt --symptom no-gpu"), @"");
}

#[test]
fn slow_training_is_walked_from_bandwidth_to_temperature() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "case.txt",
        "rocmenv-capture 1\n=== facts\nos = ubuntu-24.04\ngpus = gfx1100x2\n=== outputs/a\n\
         NCCL WARN Missing \"iommu=pt\" from kernel command line\nAMD_SERIALIZE_KERNEL=3\n",
    );
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --from case.txt --symptom slow-training"), @"");
}

#[test]
fn requirements_show_the_baseline_and_what_amd_states() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "case.txt",
        "rocmenv-capture 1\n=== facts\nos = windows-11-25H2\narch = x86_64\ngpus = RX 6800 XT\nmemory = 32GiB\n",
    );
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --from case.txt --requirements --rocm 10.0.0"), @"");
    let asked = "doctor --from case.txt --requirements --rocm 10.0.0 --power-supply 850 --workload multi-gpu-training --json";
    let output = rocmenv(&sandbox, asked);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
    let verdict = |item: &str| {
        let lines = json["lines"].as_array().expect("lines");
        lines.iter().find(|line| line["item"] == item).map(|line| line["verdict"].clone())
    };
    assert_eq!(verdict("power-supply").expect("a line"), "supported");
    assert_eq!(verdict("gpu-count").expect("a line"), "below-minimum");
    assert_eq!(verdict("gpu").expect("a line"), "stated-no");
}

#[test]
fn the_exit_code_says_who_has_to_change() {
    assert_eq!(codes(REFUSED).1, 6);
    let mask = "rocmenv-capture 1\n=== facts\nos = ubuntu-24.04\ngpus = gfx1100\n=== outputs/a\nHIP_VISIBLE_DEVICES=-1\n";
    assert_eq!(codes(mask).1, 1);
    assert_eq!(
        codes("MIOpen(HIP): Warning [SQLiteBase] Missing system database file: gfx1030_40.kdb").1,
        0
    );
}

#[test]
fn what_nothing_matches_is_reported_as_such() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "case.txt",
        "flux capacitor error: 1.21 gigawatts not found\nNo HIP GPUs are available\n",
    );
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --from case.txt"), @"");
}

#[test]
fn only_what_rocmenv_owns_is_mended() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --fix D-kfd-permission"), @"");
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --fix D-archive-corupt"), @"");
    sandbox.write("../home/cache/rocmenv/downloads/broken.whl", "broken");
    let cached = || sandbox.exists("../home/cache/rocmenv/downloads/broken.whl");
    assert_eq!(rocmenv(&sandbox, "doctor --fix D-archive-corrupt --dry-run").code, 0);
    assert!(cached());
    assert_eq!(rocmenv(&sandbox, "doctor --fix D-archive-corrupt").code, 0);
    assert!(!cached());
}

/// On this machine, in a debug build, without external tools; the best of three, since other
/// work runs beside the tests.
#[test]
fn a_live_diagnosis_takes_less_than_300_ms() {
    let sandbox = Sandbox::new();
    let once = || {
        let start = Instant::now();
        let output = rocmenv(&sandbox, "doctor --json");
        assert!([0, 1, 6].contains(&output.code), "{}", output.snapshot());
        start.elapsed()
    };
    let best = (0..3).map(|_| once()).min().expect("three runs");
    assert!(best < Duration::from_millis(300), "{best:?}");
}
