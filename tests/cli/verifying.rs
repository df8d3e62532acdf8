//! The programs of `verify`, against a HIP and a PyTorch that are made here: what they say of GPUs
//! that answer, that are missing, and that compute wrong. No GPU is used and none is proven.

use rocmenv_tests::{STUB_TENSORS, Sandbox};
use serde_json::Value;

use super::repository;

/// A runtime with two devices whose memory is the host's. `BROKEN` loses what is written.
const HIP: &str = r#"
#include <stdlib.h>
#include <string.h>
int hipRuntimeGetVersion(int *v) { *v = 70226015; return 0; }
int hipGetDeviceCount(int *n) { *n = DEVICES; return DEVICES ? 0 : 100; }
const char *hipGetErrorString(int code) { return code == 100 ? "no ROCm-capable device is detected" : "other"; }
int hipSetDevice(int d) { return d < DEVICES ? 0 : 101; }
int hipMalloc(void **p, size_t n) { *p = malloc(n); return 0; }
int hipMemset(void *p, int v, size_t n) { memset(p, BROKEN ? 0 : v, n); return 0; }
int hipMemcpy(void *to, const void *from, size_t n, int kind) { memcpy(to, from, n); return kind == 2 ? 0 : 1; }
int hipFree(void *p) { free(p); return 0; }
"#;

/// A PyTorch as far as the program asks it: two GPUs of gfx1100 with code for gfx11-generic.
const TORCH: &str = r#"
import random
__version__ = "2.9.1+rocm7.2"
class version:
    hip, cuda = "7.2.26015", None
class Properties:
    gcnArchName = "gfx1100:sramecc+:xnack-"
class cuda:
    is_available = staticmethod(lambda: COUNT > 0)
    device_count = staticmethod(lambda: COUNT)
    get_device_properties = staticmethod(lambda device: Properties)
class _C:
    _cuda_getArchFlags = staticmethod(lambda: "gfx942 gfx11-generic")
COUNT = 2
"#;

/// Runs a program and gives a line for each finding.
fn program(sandbox: &Sandbox, name: &str, words: &str) -> String {
    let file = repository(&format!("cli/scripts/verify/{name}")).display().to_string();
    let output = sandbox
        .command("python3")
        .arg("-B")
        .arg(&file)
        .args(words.split_whitespace())
        .env("PYTHONPATH", "site")
        .run();
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let line = |line: &str| {
        let value: Value = serde_json::from_str(line).expect("JSON");
        let text = |key: &str| value[key].as_str().unwrap_or("-").to_owned();
        let gpu = if value["gpu"] == true { " on a GPU" } else { "" };
        format!("{} {}{gpu}: {}: {}\n", text("result"), text("level"), text("what"), text("detail"))
    };
    output.stdout.lines().map(line).collect()
}

fn with_hip(devices: u32, is_broken: bool) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("hip.c", HIP);
    sandbox.write("rocm/.info/version", "7.2.0-26015\n");
    sandbox.write("rocm/lib/librccl.so.1", "no library\n");
    let (devices, broken) =
        (format!("-DDEVICES={devices}"), format!("-DBROKEN={}", u32::from(is_broken)));
    let words = ["-shared", "-fPIC", &devices, &broken, "-o", "rocm/lib/libamdhip64.so.7", "hip.c"];
    let output = sandbox.command("cc").args(words).run();
    assert_eq!(output.code, 0, "{}", output.snapshot());
    sandbox
}

fn rocm(sandbox: &Sandbox, words: &str) -> String {
    program(sandbox, "rocm.py", &format!("--prefix rocm {words}"))
}

#[test]
fn hip_answers_and_its_memory_is_written_and_read() {
    let sandbox = with_hip(2, false);
    insta::assert_snapshot!(rocm(&sandbox, "--rocm 7.2.0 --hip 7.2.26015 --gpus 2"), @r"
        passed read: ROCm by .info/version: 7.2.0-26015, as locked
        failed loaded: library rccl: rocm/lib/librccl.so.1: file too short
        passed loaded: ROCm libraries: 1 load: amdhip64
        passed ran: HIP runtime: answers: version 7.2.26015, that of ROCm 7.2.0
        passed ran: HIP devices: HIP sees 2
        passed ran on a GPU: memory of GPU 0: 4096 bytes written and read back
        passed ran on a GPU: memory of GPU 1: 4096 bytes written and read back
        ");
    insta::assert_snapshot!(rocm(&sandbox, "--rocm 6.4.1 --hip 6.4.43483 --gpus 4"), @r"
        failed read: ROCm by .info/version: 7.2.0-26015; locked is 6.4.1
        failed loaded: library rccl: rocm/lib/librccl.so.1: file too short
        passed loaded: ROCm libraries: 1 load: amdhip64
        failed ran: HIP runtime: 7.2.26015; ROCm 6.4.1 has HIP 6.4.43483
        failed ran: HIP devices: HIP sees 2 of 4 that the driver shows; no mask is set
        passed ran on a GPU: memory of GPU 0: 4096 bytes written and read back
        passed ran on a GPU: memory of GPU 1: 4096 bytes written and read back
        ");
}

#[test]
fn bytes_that_do_not_come_back_fail() {
    let said = rocm(&with_hip(1, true), "--gpus 1");
    assert!(said.contains("failed ran on a GPU: memory of GPU 0: other bytes came back"), "{said}");
}

#[test]
fn no_device_is_absent_where_there_is_none_and_failed_where_the_driver_shows_one() {
    let sandbox = with_hip(0, false);
    let none = rocm(&sandbox, "--gpus 0");
    assert!(
        none.contains("absent ran: HIP devices: HIP sees no GPU: error 100 (no ROCm-"),
        "{none}"
    );
    let shown = rocm(&sandbox, "--gpus 1");
    assert!(shown.contains("failed ran: HIP devices:"), "{shown}");
    assert!(shown.contains("; the driver shows 1"), "{shown}");
}

fn torch(change: &str, words: &str) -> String {
    let sandbox = Sandbox::new();
    sandbox.write("site/torch/__init__.py", format!("{TORCH}{STUB_TENSORS}{change}\n"));
    program(&sandbox, "framework.py", &format!("pytorch {words}"))
}

#[test]
fn a_framework_is_the_right_build_and_computes_on_each_gpu() {
    let words = "--build rocm --rocm 7.2.0 --gfx gfx1100 --gpus 2";
    insta::assert_snapshot!(torch("", words), @r"
        passed loaded: pytorch: version: 2.9.1+rocm7.2
        passed loaded: pytorch: build: built for rocm 7.2
        passed read: pytorch: code for the GPUs: gfx1100 covered; it holds gfx942 gfx11-generic
        passed ran: pytorch: GPUs: it sees 2
        passed ran on a GPU: pytorch: first kernel on GPU 0: 256 x 256 matrix product, off by 0.0e+00 of its value
        passed ran on a GPU: pytorch: first kernel on GPU 1: 256 x 256 matrix product, off by 0.0e+00 of its value
        ");
}

#[test]
fn what_is_wrong_with_a_framework_is_said() {
    let words = "--build rocm --rocm 7.2.0 --gfx gfx1100 --gpus 2";
    let off = torch("FACTOR = 1.5", words);
    assert!(off.contains("failed ran on a GPU: pytorch: first kernel on GPU 1"), "{off}");
    let cuda = torch("version.hip, version.cuda = None, '12.8'", words);
    assert!(
        cuda.contains("failed loaded: pytorch: build: built for cuda 12.8; rocm is asked"),
        "{cuda}"
    );
    let other = torch("", "--build rocm --rocm 10.0.0 --gfx gfx1100 --gpus 2");
    assert!(other.contains("built for rocm 7.2; locked is ROCm 10.0.0"), "{other}");
    let blind = torch("COUNT = 0", words);
    assert!(
        blind.contains("failed ran: pytorch: GPUs: it sees none; the driver shows 2"),
        "{blind}"
    );
    let uncovered = torch("Properties.gcnArchName = 'gfx906'", words);
    assert!(
        uncovered.contains("failed read: pytorch: code for the GPUs: nothing for gfx906"),
        "{uncovered}"
    );
    let broken = torch("raise ImportError('libx.so.7 is not there')", words);
    assert_eq!(broken, "failed loaded: pytorch: ImportError: libx.so.7 is not there\n");
    let alone = torch("COUNT = 0", "--build any --gpus 0");
    assert!(
        alone.contains("absent -: pytorch: first kernel: not run: no GPU to run it on"),
        "{alone}"
    );
}
