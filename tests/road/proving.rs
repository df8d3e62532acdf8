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
    let index = wheels.into_iter().fold(Index::new("main"), Index::wheel);
    let server = IndexServer::start(world.index(index));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    hide_python(&mut sandbox);
    // Sizes follow from this machine's compressor.
    sandbox.filter(r"read [\d.]+ [kM]?B of [\d.]+ [kM]?B", "read [N] of [N]");
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
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        locked 1 package for `host`: Python [3]
        proof: gfx1100 covered natively in 1 package with device code (static)
         + kernels 1.0
        made generation 1 for `host`: 1 package on Python [3]
        ");
    assert_snapshot!(snapshot(&sandbox, "prove"), @r"
    exit: 0
    --- stdout ---
    GPU            VERDICT           WITH DEVICE CODE
    gfx1100        covered natively
      kernels 1.0  covered natively  1 file
    --- stderr ---
    level: static (generation 1 of `host`): files were read, nothing was loaded or ran
    level ran: no kernel of this environment was seen to run on gfx1100; `rocmenv verify` on a host that has one runs the first of each framework
    ");
    assert_snapshot!(snapshot(&sandbox, "prove --gpu gfx942 --gpu gfx1201"), @r"
    exit: 1
    --- stdout ---
    GPU            VERDICT           WITH DEVICE CODE
    gfx942         covered natively
      kernels 1.0  covered natively  1 file
    gfx1201        not covered
      kernels 1.0  not covered       1 file

    GPU      FILE                                 IT HAS
    gfx1201  kernels/libk.so  has no code for it  gfx942 gfx1100
    --- stderr ---
    level: static (generation 1 of `host`): files were read, nothing was loaded or ran
    level ran: no kernel of this environment was seen to run on gfx942 or gfx1201; `rocmenv verify` on a host that has one runs the first of each framework
    ");
    // The second time nothing is asked, because nothing is made.
    let again = rocmenv(&sandbox, "sync");
    assert!(!again.stderr.contains("proof"), "{}", again.snapshot());
}

#[test]
fn a_gpu_that_is_not_covered_stops_sync_before_anything_changes() {
    let (_server, sandbox) = project(&code(&["gfx942", "gfx90a:xnack-"]));
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 1
    --- stdout ---
    --- stderr ---
    error[not-covered]: a GPU of the target is not covered
      gfx1100 not covered by kernels 1.0: `libk.so` has no code for it (static)
    help: rocmenv prove --lock (what each file holds), or rocmenv sync --allow-uncovered
    ");
    assert!(!sandbox.exists(".rocmenv/host/current"));
    assert_snapshot!(snapshot(&sandbox, "prove --lock"), @r"
    exit: 1
    --- stdout ---
    GPU            VERDICT      WITH DEVICE CODE
    gfx1100        not covered
      kernels 1.0  not covered  1 file

    GPU      FILE                                 IT HAS
    gfx1100  kernels/libk.so  has no code for it  gfx90a:xnack- gfx942
    --- stderr ---
    level: static (the lock for `host`): files were read, nothing was loaded or ran
    ");
    assert_snapshot!(snapshot(&sandbox, "sync --allow-uncovered"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    warning: proof: gfx1100 not covered by kernels 1.0: `libk.so` has no code for it (static)
     + kernels 1.0
    made generation 1 for `host`: 1 package on Python [3]
    ");
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
    assert_snapshot!(snapshot(&sandbox, "prove --lock"), @r"
    exit: 0
    --- stdout ---
    GPU            VERDICT                      WITH DEVICE CODE
    gfx1100        covered by a generic target
      kernels 1.0  covered by a generic target  1 file
    --- stderr ---
    read [N] of [N] of `kernels-1.0-py3-none-any.whl`
    what 1 file needs to load was not read (`--whole` reads it)
    level: static (the lock for `host`): files were read, nothing was loaded or ran
    ");
    // Parts and never the whole.
    let asked = server.requests();
    let of_wheel = asked.iter().filter(|one| one.path.ends_with("kernels-1.0-py3-none-any.whl"));
    assert!(of_wheel.clone().count() > 0 && of_wheel.clone().all(|one| one.status == 206));
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
    assert_snapshot!(snapshot(&sandbox, "prove --wheel kernels"), @r"
    exit: 2
    --- stdout ---
    --- stderr ---
    error[wheel-not-named]: `kernels` is no wheel: write NAME==VERSION, an address or a file
    help: rocmenv prove --wheel jax-rocm7-pjrt==0.12.0
    ");
    assert_snapshot!(snapshot(&sandbox, "prove --wheel kernels==3.0"), @r"
    exit: 1
    --- stdout ---
    --- stderr ---
    error[wheel-not-listed]: index `python` has no wheel of `kernels==3.0` for Linux on x86_64
    help: name another index with `--index`
    ");
    sandbox.write("broken-1.0-py3-none-any.whl", "no zip at all, though it is long enough");
    assert_snapshot!(snapshot(&sandbox, "prove --wheel broken-1.0-py3-none-any.whl"), @r"
    exit: 5
    --- stdout ---
    --- stderr ---
    error[archive-refused]: cannot read the wheel
      caused by: `[TEMP]/project/broken-1.0-py3-none-any.whl` is no wheel: it has no end of a zip archive
    help: rocmenv explain archive-refused
    ");
    let world = World::new().fault("kernels-1.0-py3-none-any.whl", Fault::RangeIgnored);
    let (_server, sandbox) = project_of(vec![wheel(&code(&["gfx1100"]))], world);
    assert_snapshot!(snapshot(&sandbox, "prove --wheel kernels==1.0"), @r"
    exit: 4
    --- stdout ---
    --- stderr ---
    error[no-ranges]: cannot read the wheel
      caused by: the server of `kernels-1.0-py3-none-any.whl` serves no parts of files
    help: rocmenv explain no-ranges
    ");
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
        .file("kernels/headless.so", b"\x7fELF and nothing more but a line of text".to_vec());
    let sandbox = Sandbox::new();
    sandbox.write("kernels-1.0-py3-none-any.whl", wheel.build().bytes);
    let call = "prove --gpu gfx1100 --whole --wheel kernels-1.0-py3-none-any.whl -q";
    assert_snapshot!(snapshot(&sandbox, call), @r"
    exit: 0
    --- stdout ---
    GPU            VERDICT    WITH DEVICE CODE
    gfx1100        not known
      kernels 1.0  not known  4 files

    GPU      FILE                                                                                               IT HAS
    gfx1100  kernels/broken.so    bundle at byte 4096 is damaged: it cannot be decompressed
    gfx1100  kernels/cut.so       bundle at byte 4096 is damaged: it is cut off: it is longer than its section
    gfx1100  kernels/headless.so  cannot be read: its header is damaged
    gfx1100  kernels/missing.so   registers device code but holds none
    --- stderr ---
    ");
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
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 1
    --- stdout ---
    --- stderr ---
    error[not-covered]: a GPU of the target is not covered
      gfx1100 not covered by kernels 1.0: `libk.so` its kernel archive `modules/kernels/.kpack/k_gfx1100.kpack` is in no package (static)
    help: rocmenv prove --lock (what each file holds), or rocmenv sync --allow-uncovered
    ");
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
    assert_snapshot!(snapshot(&sandbox, "prove"), @r"
    exit: 1
    --- stdout ---
    GPU      VERDICT    WITH DEVICE CODE
    gfx1100  not known

    FILE             NEEDS       WHICH IS NEWER THAN THE TARGET'S
    kernels/libk.so  GLIBC_2.38  libc.so.6
    --- stderr ---
    RUNPATH `$ORIGIN/../sdk/lib` leads nowhere (1 file, `kernels/libk.so`)
    level: static (generation 1 of `host`): files were read, nothing was loaded or ran
    level ran: no kernel of this environment was seen to run on gfx1100; `rocmenv verify` on a host that has one runs the first of each framework
    ");
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
