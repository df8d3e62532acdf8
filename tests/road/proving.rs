//! Proof before installing: what native files hold for the target's GPU, asked of wheels, of the
//! lock, of the environment, and as a gate of `sync`.

use insta::assert_snapshot;
use rocmenv_tests::native::{ElfBuilder, bundle, compressed, kernel_archive, section_of};
use rocmenv_tests::{Fault, Index, IndexServer, Sandbox, WheelBuilder, World, machine_python};

use super::{hide_python, rocmenv, snapshot};

/// A project of one package with this library, on a host whose GPU is a gfx1100.
fn project(library: &ElfBuilder) -> (IndexServer, Sandbox) {
    project_of(vec![wheel(library)], World::new())
}

fn wheel(library: &ElfBuilder) -> WheelBuilder {
    WheelBuilder::new("kernels", "1.0").file("kernels/libk.so", library.build())
}

fn project_of(wheels: Vec<WheelBuilder>, world: World) -> (IndexServer, Sandbox) {
    let index = wheels.into_iter().fold(Index::new("main"), |index, wheel| index.wheel(wheel));
    let server = IndexServer::start(world.index(index));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    hide_python(&mut sandbox);
    // Sizes follow from this machine's compressor.
    sandbox.filter(r"read [\d.]+ k?B of [\d.]+ k?B", "read [N] of [N]");
    let host = sandbox.write("host.json", HOST);
    sandbox.env("ROCMENV_HOST", &host.display().to_string());
    let (_, series) = machine_python();
    sandbox.write(
        "rocm.toml",
        format!("[requires]\npython = \"{series}\"\n\n[python-packages]\nkernels = \"*\"\n"),
    );
    (server, sandbox)
}

const HOST: &str = r#"{"schema": 1, "os": {"family": "linux"}, "arch": "x86_64",
 "libc": {"kind": "glibc", "version": "2.36"}, "gpus": [{"gfx": "gfx1100", "kfd-node": 1}]}"#;

fn code(targets: &[&str]) -> ElfBuilder {
    ElfBuilder::new().code(section_of(&[bundle(targets), compressed(&bundle(targets), 3, true)]))
}

#[test]
fn sync_says_in_one_line_that_the_gpu_is_covered() {
    let (_server, sandbox) = project(&code(&["gfx1100", "gfx942"]));
    assert_snapshot!(snapshot(&sandbox, "sync"), @"");
    assert_snapshot!(snapshot(&sandbox, "prove"), @"");
    assert_snapshot!(snapshot(&sandbox, "prove --gpu gfx942 --gpu gfx1201"), @"");
    // The second time nothing is asked, because nothing is made.
    let again = rocmenv(&sandbox, "sync");
    assert!(!again.stderr.contains("proof"), "{}", again.snapshot());
}

#[test]
fn a_gpu_that_is_not_covered_stops_sync_before_anything_changes() {
    let (_server, sandbox) = project(&code(&["gfx942", "gfx90a:xnack-"]));
    assert_snapshot!(snapshot(&sandbox, "sync"), @"");
    assert!(!sandbox.exists(".rocmenv/host/current"));
    assert_snapshot!(snapshot(&sandbox, "prove --lock"), @"");
    assert_snapshot!(snapshot(&sandbox, "sync --allow-uncovered"), @"");
    let skipped = rocmenv(&sandbox, "sync --skip-gate proof --json");
    assert_eq!(skipped.code, 0, "{}", skipped.snapshot());
    let generation = sandbox.read(".rocmenv/host/generations/1/generation.json");
    assert!(generation.contains("not covered"), "{generation}");
}

#[test]
fn a_lock_is_proved_before_anything_is_downloaded() {
    let library = code(&["gfx11-generic"]).section(".symtab", noise(2_000_000));
    let (server, sandbox) = project(&library);
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    assert_snapshot!(snapshot(&sandbox, "prove --lock"), @"");
    assert_eq!(server.downloads("kernels-1.0-py3-none-any.whl"), 0);
    let proved = rocmenv(&sandbox, "prove --wheel kernels==1.0 --json");
    let proved: serde_json::Value = serde_json::from_str(&proved.stdout).expect("JSON");
    let read = &proved["reads"][0];
    let (fetched, size) = (read["fetched"].as_u64().unwrap(), read["size"].as_u64().unwrap());
    assert!(size > 1_900_000 && fetched < size / 4, "{fetched} of {size}");
    assert_eq!(proved["coverage"]["gpus"][0]["verdict"], "generic");
    assert_eq!(proved["level"], "static");
    let whole = rocmenv(&sandbox, "prove --wheel kernels==1.0 --whole --json");
    let whole: serde_json::Value = serde_json::from_str(&whole.stdout).expect("JSON");
    assert!(whole["reads"][0]["fetched"].as_u64().unwrap() >= size);
    assert_eq!(whole["linked"]["unread"], 0);
}

#[test]
fn wheels_that_cannot_be_proved_are_told() {
    let (_server, sandbox) = project(&code(&["gfx1100"]));
    assert_snapshot!(snapshot(&sandbox, "prove --wheel kernels"), @"");
    assert_snapshot!(snapshot(&sandbox, "prove --wheel kernels==3.0"), @"");
    sandbox.write("broken-1.0-py3-none-any.whl", "no zip at all, though it is long enough");
    assert_snapshot!(snapshot(&sandbox, "prove --wheel broken-1.0-py3-none-any.whl"), @"");
    let world = World::new().fault("kernels-1.0-py3-none-any.whl", Fault::RangeIgnored);
    let (_server, sandbox) = project_of(vec![wheel(&code(&["gfx1100"]))], world);
    assert_snapshot!(snapshot(&sandbox, "prove --wheel kernels==1.0"), @"");
}

#[test]
fn missing_and_damaged_code_is_not_known_and_says_why() {
    let good = compressed(&bundle(&["gfx1100"]), 3, true);
    let mut broken = good.clone();
    broken[40..].fill(0xff);
    let wheel = WheelBuilder::new("kernels", "1.0")
        .file("kernels/missing.so", ElfBuilder::new().without_code().build())
        .file("kernels/broken.so", ElfBuilder::new().code(broken).build())
        .file("kernels/cut.so", ElfBuilder::new().code(&good[..60]).build())
        .file("kernels/headless.so", b"\x7fELF and nothing more".to_vec());
    let sandbox = Sandbox::new();
    sandbox.write("kernels-1.0-py3-none-any.whl", wheel.build().bytes);
    let call = "prove --gpu gfx1100 --whole --wheel kernels-1.0-py3-none-any.whl -q";
    assert_snapshot!(snapshot(&sandbox, call), @"");
}

/// A device wheel that is left out: the libraries are there, their code is not (ROCm/TheRock#7839).
#[test]
fn therock_7839_a_device_wheel_that_was_left_out_is_named() {
    let split =
        ElfBuilder::new().without_code().reference("lib/libk.so", &[".kpack/k_@GFXARCH@.kpack"]);
    let device = |gpu: &str| {
        let archive = kernel_archive(&[("lib/libk.so#0", &[gpu])]);
        WheelBuilder::new("kernels-device", "1.0")
            .without_module()
            .file(&format!("kernels/.kpack/k_{gpu}.kpack"), archive)
    };
    let (_server, sandbox) = project(&split);
    assert_snapshot!(snapshot(&sandbox, "sync"), @"");
    let needy = wheel(&split).requires("kernels-device");
    let (_server, sandbox) = project_of(vec![needy, device("gfx1100")], World::new());
    let output = rocmenv(&sandbox, "sync");
    assert!(output.stderr.contains("proof: gfx1100 covered natively"), "{}", output.snapshot());
}

#[test]
fn what_files_need_and_nobody_supplies_is_listed() {
    let library = ElfBuilder::new()
        .needs("libamdhip64.so.7")
        .needs("libc.so.6")
        .runpath("$ORIGIN/../sdk/lib:$ORIGIN")
        .versions("libc.so.6", &["GLIBC_2.17", "GLIBC_2.38"]);
    let (_server, sandbox) = project(&library);
    assert_eq!(rocmenv(&sandbox, "sync -q").code, 0);
    assert_snapshot!(snapshot(&sandbox, "prove"), @"");
    let proved = rocmenv(&sandbox, "prove --json");
    let proved: serde_json::Value = serde_json::from_str(&proved.stdout).expect("JSON");
    // The host is described, so that nobody looked.
    assert_eq!(proved["linked"]["libraries"][0]["supply"]["by"], "not-checked");
}

/// Bytes that no compressor makes smaller.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    std::iter::repeat_with(next).take(length).collect()
}
