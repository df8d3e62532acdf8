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
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --from case.txt"), @r#"
        exit: 6
        --- stdout ---
        error D-kfd-permission: This process may not open /dev/kfd
          seen    /dev/kfd belongs to group 992, 0660
                  Unable to open /dev/kfd read-write: Permission denied
                  groups of this process: 44 1000
          do      $ sudo usermod -aG $(getent group 992 | cut -d: -f1) "$USER"  (needs root, a new login)
                  log out and in again (or reboot): a running session keeps its old groups  (needs a new login)
          verify  id -nG | grep -w $(getent group 992 | cut -d: -f1) && rocminfo

        1 error
        --- stderr ---
        "#);
}

#[test]
fn a_symptom_is_walked_in_order() {
    let sandbox = Sandbox::new();
    sandbox.write("case.txt", REFUSED);
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --from case.txt --symptom no-gpu"), @r#"
        exit: 6
        --- stdout ---
        rocminfo or HIP sees no GPU
        1. is an AMD GPU on the bus: fine
           AMD Radeon RX 7900 XTX (gfx1100)
        2. is amdgpu loaded: not known
           not known; ls /sys/module/amdgpu
        3. does KFD take the GPU: not known
           not known; dmesg | grep kfd
        4. may this process open the nodes: FAULT
           /dev/kfd: EACCES
           D-kfd-permission
        5. do masks leave a GPU: fine
           no mask is set
        6. does the runtime fit the driver: not known
           not known; rocminfo

        mend this first:
        error D-kfd-permission: This process may not open /dev/kfd
          seen    /dev/kfd belongs to group 992, 0660
                  Unable to open /dev/kfd read-write: Permission denied
                  groups of this process: 44 1000
          why     The node is there and the kernel refuses it by owner and mode (EACCES). The group that owns the node is not among the groups of this process; its name differs between distributions. ROCm programs show this as HSA_STATUS_ERROR_OUT_OF_RESOURCES, which has nothing to do with memory.
          do      $ sudo usermod -aG $(getent group 992 | cut -d: -f1) "$USER"  (needs root, a new login)
                  log out and in again (or reboot): a running session keeps its old groups  (needs a new login)
          verify  id -nG | grep -w $(getent group 992 | cut -d: -f1) && rocminfo
          source  ROCm/ROCm#1080 (2020-04-12, third-party)
                  ROCm/rocminfo#34 (2020-04-21, reporter)
        --- stderr ---
        "#);
}

#[test]
fn slow_training_is_walked_from_bandwidth_to_temperature() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "case.txt",
        "rocmenv-capture 1\n=== facts\nos = ubuntu-24.04\ngpus = gfx1100x2\n=== outputs/a\n\
         NCCL WARN Missing \"iommu=pt\" from kernel command line\nAMD_SERIALIZE_KERNEL=3\n",
    );
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --from case.txt --symptom slow-training"), @r"
        exit: 6
        --- stdout ---
        training is slower than it should be
        1. bandwidth: links, memory window, memory of the host: not known
           not known; cat /sys/bus/pci/devices/*/current_link_width
        2. occupancy: the right device, tuned libraries, nothing serialized: FAULT
           not known; rocmenv doctor --from the log of a run
           D-debug-variables
        3. copies and collectives: peer-to-peer, IOMMU, shared memory: FAULT
           not known; cat /proc/cmdline; sudo lspci -vvv | grep -E 'ACSCtl|AtomicOps'; NCCL_DEBUG=INFO of a run
           D-iommu-pt
        4. temperature and power: not known
           not known; amd-smi metric --temperature --power, while it runs

        mend this first:
        warning D-debug-variables: Debugging variables slow everything down
          seen    AMD_SERIALIZE_KERNEL=3
          why     Serialized kernels and copies, blocking launches or verbose logs are set in the environment.
          do      $ unset AMD_SERIALIZE_KERNEL
          verify  env | grep -E 'AMD_|HIP_|MIOPEN_'
          source  rocm.docs.amd.com projects/HIP docs-6.4.0, reference/env_variables (debug variables) (2026-11-30, vendor)
        --- stderr ---
        ");
}

#[test]
fn requirements_show_the_baseline_and_what_amd_states() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "case.txt",
        "rocmenv-capture 1\n=== facts\nos = windows-11-25H2\narch = x86_64\ngpus = RX 6800 XT\nmemory = 32GiB\n",
    );
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --from case.txt --requirements --rocm 10.0.0"), @r"
        exit: 1
        --- stdout ---
        single-gpu-training, ROCm 10.0.0

                          MINIMUM                 RECOMMENDED             THIS MACHINE                     VERDICT
        operating system  windows-11-22H2         windows-11-23H2         windows-11-25H2                  fully supported
        processor         AMD Zen, Intel Haswell  AMD Zen, Intel Haswell  x86_64                           not known
        memory (GB)       16                      32                      32 GB                            fully supported
        GPU               RX 6800 XT              RX 7900 XTX, MI300X     AMD Radeon RX 6800 XT (gfx1030)  stated no
        GPU memory (GB)   16                      24                      not known                        not known
        storage (GB)      50                      100                     not known                        not known
        power supply (W)  750                     1000                    not known                        not known

        operating system: AMD lists it for ROCm 10.0.0
        processor: its name is not known; AMD asks for PCIe atomics and recommends no more than that; rocm.docs.amd.com install-on-windows docs-6.4.2, system requirements, CPU support (2025-09-08); the pages of install-on-linux say the same
        memory (GB): baseline of the environment matrix
        GPU: ROCm 10.0.0: a document says `unsupported` (the baseline alone: supported)
        GPU memory (GB): could not be read; the memory of an RX 6800 XT and of an RX 7900 XTX; baseline of the environment matrix
        storage (GB): could not be read; SSD; NVMe recommended; baseline of the environment matrix
        power supply (W): cannot be read; say it with --power-supply WATTS; baseline of the environment matrix

        what would run: AMD Radeon RX 6800 XT (gfx1030) on Linux
        --- stderr ---
        ");
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

/// AMD's present table has neither of them on Windows, and says where they run.
#[test]
fn two_products_of_the_baseline_are_stated_no_on_windows() {
    for (gpu, runs) in
        [("RX 6800 XT", "AMD Radeon RX 6800 XT"), ("MI300X", "AMD Instinct MI300X on ubuntu-24.04")]
    {
        let sandbox = Sandbox::new();
        sandbox.write(
            "case.txt",
            format!(
                "rocmenv-capture 1\n=== facts\nos = windows-11-25H2\narch = x86_64\ngpus = {gpu}\n"
            ),
        );
        let output = rocmenv(&sandbox, "doctor --from case.txt --requirements");
        assert_eq!(output.code, 1);
        let row = output.stdout.lines().find(|line| line.starts_with("GPU ")).expect("a row");
        assert!(row.ends_with("stated no"), "{}", output.stdout);
        let instead = output.stdout.lines().find(|line| line.starts_with("what would run: "));
        assert!(instead.is_some_and(|line| line.contains(runs)), "{}", output.stdout);
        // another release has its own word, and the present one stands beside it
        let other = rocmenv(&sandbox, "doctor --from case.txt --requirements --rocm 7.2.0").stdout;
        assert!(other.contains("AMD's table of 10.0.0: stated no"), "{other}");
    }
}

/// The generation of the processor, and what the way to it shows.
#[test]
fn the_processor_is_judged_by_generation_and_by_its_atomics() {
    let judged = |model: &str, more: &str| {
        let sandbox = Sandbox::new();
        let host = format!(
            r#"{{"schema": 1, "os": {{"family": "linux", "release": "ubuntu-24.04"}}, "arch": "x86_64", "cpu": {{"model": "{model}"}}}}"#
        );
        sandbox.write(
            "case.txt",
            format!("rocmenv-capture 1\n=== host.json\n{host}\n=== doctor.json\n{{{more}}}\n"),
        );
        let output = rocmenv(&sandbox, "doctor --from case.txt --requirements --json");
        let json: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
        let lines = json["lines"].as_array().expect("lines");
        let line = lines.iter().find(|line| line["item"] == "cpu").expect("a processor");
        (line["verdict"].as_str().unwrap_or_default().to_owned(), line["baseline"].clone())
    };
    let none = serde_json::Value::Null;
    assert_eq!(judged("AMD Ryzen 9 7950X", ""), ("fully-supported".to_owned(), none.clone()));
    assert_eq!(judged("AMD FX(tm)-8350", ""), ("below-minimum".to_owned(), none.clone()));
    assert_eq!(judged("Intel(R) N100", ""), ("not-known".to_owned(), none.clone()));
    let works = |works: bool| format!("\"kfd-atomics\": {{\"0000:03:00.0\": {works}}}");
    assert_eq!(judged("Intel(R) N100", &works(true)), ("fully-supported".to_owned(), none));
    assert_eq!(
        judged("AMD Ryzen 9 7950X", &works(false)),
        ("below-minimum".to_owned(), serde_json::json!("fully-supported"))
    );
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
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --from case.txt"), @r"
        exit: 0
        --- stdout ---
        seen, and explained by no fault above:
          No HIP GPUs are available

        not recognised:
          flux capacitor error: 1.21 gigawatts not found

        no fault that is known was found
        to have the rest looked at, send the file of `rocmenv doctor --capture FILE`
        --- stderr ---
        ");
}

#[test]
fn only_what_rocmenv_owns_is_mended() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --fix D-kfd-permission"), @r"
        exit: 6
        --- stdout ---
        --- stderr ---
        error[fix-not-ours]: `D-kfd-permission` is not in what rocmenv owns: the host has to change
        help: rocmenv explain D-kfd-permission
        ");
    insta::assert_snapshot!(snapshot(&sandbox, "doctor --fix D-archive-corupt"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error: no fault is named `D-archive-corupt`
        help: rocmenv explain D-archive-corrupt
        ");
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
