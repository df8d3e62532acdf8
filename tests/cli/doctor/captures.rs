//! Captures: nothing personal in them, the same answer elsewhere.

use rocmenv_tests::Sandbox;

use super::codes_in;
use crate::rocmenv;

/// Values that a capture must not hold, as they stand in outputs of tools.
const PLANTED: &[&str] = &[
    "mallory",
    "secretbox",
    "4f3c2b1a-9d8e-4a7b-8c6d-5e4f3a2b1c0d",
    "GPU-a1b2c3d4e5f60718",
    "SN1234567890",
    "00:1b:44:11:3a:b7",
    "192.168.17.42",
    "hf_QwErTyUiOpAsDfGhJkLz",
    "ghp_0123456789abcdefABCDEF0123456789abcd",
    "hunter2hunter2",
    "mallory.m@example.com",
];

#[test]
fn a_capture_holds_nothing_of_whom_it_is() {
    let mut sandbox = Sandbox::new();
    sandbox.env("USER", "mallory").env("HOSTNAME", "secretbox");
    sandbox.env("LD_LIBRARY_PATH", "/home/mallory/rocm/lib:/opt/rocm/lib");
    sandbox.write(
        "run.log",
        "Linux secretbox 6.8.0-45-generic #45-Ubuntu SMP x86_64 GNU/Linux\n\
         uid=1000(mallory) gid=1000(mallory) groups=1000(mallory),44(video),992(render)\n\
         Uuid:                    GPU-a1b2c3d4e5f60718\n\
         \"Serial Number\": \"SN1234567890\", ASIC_SERIAL: 0x1A2B3C4D5E6F7081\n\
         root=UUID=4f3c2b1a-9d8e-4a7b-8c6d-5e4f3a2b1c0d ro quiet\n\
         eth0 00:1b:44:11:3a:b7 192.168.17.42\n\
         HF_TOKEN=hf_QwErTyUiOpAsDfGhJkLz GITHUB=ghp_0123456789abcdefABCDEF0123456789abcd\n\
         password: hunter2hunter2, mail mallory.m@example.com\n\
         File \"/home/mallory/train.py\", line 3; C:\\Users\\Mallory\\train.py; mallory@secretbox:~$\n\
         kfd kfd: amdgpu: skipped device 1002:744c, PCI rejects atomics 494<509\n",
    );
    let output = rocmenv(&sandbox, "doctor --log run.log --capture report.txt");
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let report = sandbox.read("report.txt");
    let lower = report.to_lowercase();
    for planted in PLANTED.iter().chain(&["0x1A2B3C4D5E6F7081"]) {
        assert!(!lower.contains(&planted.to_lowercase()), "{planted} is in\n{report}");
    }
    // what a diagnosis needs is still there
    for kept in ["6.8.0-45-generic", "1002:744c", "494<509", "992(render)", "/opt/rocm/lib"] {
        assert!(report.contains(kept), "{kept} is not in\n{report}");
    }
    assert!(codes_in(&sandbox, &report).0.contains(&"D-mec-firmware-old".to_owned()));
}

#[test]
fn a_capture_gives_the_same_findings_elsewhere() {
    let sandbox = Sandbox::new();
    let capture = "rocmenv-capture 1\n=== facts\nos = ubuntu-24.04\ngpus = gfx1100, gfx1036\n\
        kernel = 6.8.0-45-generic\n=== outputs/a.txt\nRuntimeError: HIP error: invalid device function\n\
        torch==2.9.1+rocm6.4\nHIP_VISIBLE_DEVICES=0\n";
    let first = codes_in(&sandbox, capture);
    assert!(!first.0.is_empty());
    let output = rocmenv(&sandbox, "doctor --from case.txt --capture again.txt");
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let again = sandbox.read("again.txt");
    assert_eq!(codes_in(&sandbox, &again), first);
}

#[test]
fn a_folder_of_outputs_is_read_by_content() {
    let sandbox = Sandbox::new();
    sandbox.write("box/dmesg", "kfd kfd: amdgpu: PITCAIRN  not supported in kfd\n");
    sandbox
        .write("box/some-name.log", "Unable to open /dev/kfd read-write: Cannot allocate memory\n");
    sandbox.write("box/facts", "os = ubuntu-22.04\n");
    let output = rocmenv(&sandbox, "doctor --from box --json");
    assert_eq!(output.code, 6);
    assert!(output.stdout.contains("\"D-gpu-not-in-kfd\""), "{}", output.stdout);
    assert!(!output.stdout.contains("\"D-kfd-permission\""), "{}", output.stdout);
}

#[test]
fn a_broken_capture_is_said_to_be_one() {
    let sandbox = Sandbox::new();
    sandbox.write("case.txt", "rocmenv-capture 1\n=== facts\ngpus = RX 9999\n");
    let output = rocmenv(&sandbox, "doctor --from case.txt");
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("RX 9999"), "{}", output.stderr);
    sandbox.write("case.txt", "rocmenv-capture 9\n");
    assert_eq!(rocmenv(&sandbox, "doctor --from case.txt").code, 2);
}
