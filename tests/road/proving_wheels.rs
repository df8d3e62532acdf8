//! Proof of wheels that were not fetched: programs without an extension, wheels for another system
//! than this host's, targets that rocm.toml describes.

use insta::assert_snapshot;
use rocmenv_tests::native::{ElfBuilder, WindowsBuilder, bundle, section_of};
use rocmenv_tests::{Index, IndexServer, Sandbox, WheelBuilder, World};

use super::{rocmenv, snapshot};

fn served(index: Index) -> (IndexServer, Sandbox) {
    let server = IndexServer::start(World::new().index(index));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    sandbox.filter(r"read [\d.]+ [kM]?B of [\d.]+ [kM]?B", "read [N] of [N]");
    let host = sandbox.write("host.json", HOST);
    sandbox.env("ROCMENV_HOST", &host.display().to_string());
    (server, sandbox)
}

const HOST: &str = r#"{"schema": 1, "os": {"family": "linux"}, "arch": "x86_64",
 "libc": {"kind": "glibc", "version": "2.36"}, "gpus": [{"gfx": "gfx1100", "kfd-node": 1}]}"#;

fn code(targets: &[&str]) -> Vec<u8> {
    section_of(&[bundle(targets)])
}

#[test]
fn programs_without_an_extension_are_read_and_scripts_are_not() {
    let program = ElfBuilder::new().code(code(&["gfx942"])).build();
    let script = format!("#!/bin/sh\n{}", "# a long script\n".repeat(20_000));
    let wheel = WheelBuilder::new("tools", "1.0")
        .executable("tools/bin/bench", program.clone())
        .executable("tools/bin/script", script)
        .file("tools/bin/not-executable", program.clone())
        .data_file("scripts", "bench2", program);
    let (server, sandbox) = served(Index::new("main").wheel(wheel));
    let proved = rocmenv(&sandbox, "prove --wheel tools==1.0 --json");
    let proved: serde_json::Value = serde_json::from_str(&proved.stdout).expect("JSON");
    let files = proved["packages"][0]["files"].as_array().expect("files");
    let paths: Vec<&str> = files.iter().filter_map(|file| file["path"].as_str()).collect();
    assert_eq!(paths, ["tools-1.0.data/scripts/bench2", "tools/bin/bench"]);
    // Of the script no more was asked for than shows that it is one.
    assert_eq!(proved["reads"][0]["unread"].as_array().map(Vec::len), Some(0));
    let of_wheels = |path: &str| path.rsplit_once('.').is_some_and(|(_, kind)| kind == "whl");
    assert!(server.requests().iter().filter(|one| of_wheels(&one.path)).count() < 12);
}

/// A wheel of one library for each system.
fn kernels() -> Index {
    let linux = ElfBuilder::new().code(code(&["gfx1100"])).needs("libamdhip64.so.7").build();
    let windows = WindowsBuilder::new()
        .code(code(&["gfx1201"]))
        .needs("amdhip64_7.dll")
        .needs("KERNEL32.dll")
        .needs("helper.dll")
        .build();
    let helper = WindowsBuilder::new().needs("api-ms-win-crt-heap-l1-1-0.dll").build();
    Index::new("main")
        .wheel(
            WheelBuilder::new("kernels", "1.0")
                .tag("py3-none-manylinux_2_28_x86_64")
                .file("kernels/libk.so", linux),
        )
        .wheel(
            WheelBuilder::new("kernels", "1.0")
                .tag("py3-none-win_amd64")
                .file("kernels/k.dll", windows)
                .file("kernels/Helper.dll", helper),
        )
        .wheel(WheelBuilder::new("only", "1.0").tag("py3-none-win_amd64"))
}

#[test]
fn a_wheel_is_chosen_for_the_target_and_judged_by_its_own_system() {
    let (_server, sandbox) = served(kernels());
    sandbox.write(
        "rocm.toml",
        "[project]\nname = \"p\"\n\n[targets.desk]\nos = \"windows-11-25H2\"\ngpus = [\"gfx1201\"]\n",
    );
    assert_snapshot!(snapshot(&sandbox, "prove --wheel kernels==1.0 --whole"), @r"
    exit: 0
    --- stdout ---
    GPU            VERDICT           WITH DEVICE CODE
    gfx1100        covered natively
      kernels 1.0  covered natively  1 file
    --- stderr ---
    read [N] of [N] of `kernels-1.0-py3-none-manylinux_2_28_x86_64.whl`
    level: static (wheels): files were read, nothing was loaded or ran
    ");
    assert_snapshot!(snapshot(&sandbox, "prove --wheel kernels==1.0 --whole --target desk"), @r"
    exit: 0
    --- stdout ---
    GPU            VERDICT           WITH DEVICE CODE
    gfx1201        covered natively
      kernels 1.0  covered natively  1 file
    --- stderr ---
    read [N] of [N] of `kernels-1.0-py3-none-win_amd64.whl`
    level: static (wheels): files were read, nothing was loaded or ran
    ");
    let proved = rocmenv(&sandbox, "prove --wheel kernels==1.0 --whole --target desk --json");
    let proved: serde_json::Value = serde_json::from_str(&proved.stdout).expect("JSON");
    let supplies = proved["linked"]["libraries"].as_array().expect("libraries");
    let said: Vec<String> =
        supplies.iter().map(|one| format!("{} {}", one["name"], one["supply"])).collect();
    assert_snapshot!(said.join("\n"), @r#"
    "KERNEL32.dll" {"by":"not-checked"}
    "amdhip64_7.dll" {"by":"not-checked"}
    "api-ms-win-crt-heap-l1-1-0.dll" {"by":"host","at":"an API set of Windows"}
    "helper.dll" {"by":"environment","at":"modules/kernels/Helper.dll"}
    "#);
}

#[test]
fn a_file_of_the_index_is_named_whatever_system_it_is_for() {
    let (_server, sandbox) = served(kernels());
    let call = "prove --wheel kernels-1.0-py3-none-win_amd64.whl --gpu gfx1100";
    assert_snapshot!(snapshot(&sandbox, call), @r"
    exit: 1
    --- stdout ---
    GPU            VERDICT      WITH DEVICE CODE
    gfx1100        not covered
      kernels 1.0  not covered  1 file

    GPU      FILE                               IT HAS
    gfx1100  kernels/k.dll  has no code for it  gfx1201
    --- stderr ---
    read [N] of [N] of `kernels-1.0-py3-none-win_amd64.whl`
    level: static (wheels): files were read, nothing was loaded or ran
    ");
    assert_snapshot!(snapshot(&sandbox, "prove --wheel only==1.0"), @r"
    exit: 1
    --- stdout ---
    --- stderr ---
    error[wheel-not-listed]: index `python` has no wheel of `only==1.0` for Linux on x86_64
    help: rocmenv prove --wheel only-1.0-py3-none-win_amd64.whl (a file for another system)
    ");
    let both = "prove --wheel kernels==1.0 --wheel kernels-1.0-py3-none-win_amd64.whl";
    assert_snapshot!(snapshot(&sandbox, both), @r"
    exit: 2
    --- stdout ---
    --- stderr ---
    error[wheels-of-two-systems]: the wheels are for different systems: one call proves them for one
    help: rocmenv prove --wheel WHEEL, once for each
    ");
}
