//! `bisect` over releases of ROCm, on the channels as AMD and PyTorch serve them.

use std::fmt::Write as _;

use insta::assert_snapshot;
use rocmenv_tests::channels::{WHL_NEXT, digests, every_wheel_channel_for};
use rocmenv_tests::{IndexServer, Sandbox, World, machine_python};

use super::{connected, node, rocmenv, small, snapshot};

/// The fixtures' own digests of the files of ROCm 10.0.0 of which the registry knows the real ones.
fn overlay() -> String {
    let mut text =
        "[sources]\nsource = [{ key = \"here\", site = \"this test\" }]\n\n[hashes]\nfile = [\n"
            .to_owned();
    for (file, digest) in digests(WHL_NEXT, "10.0.0") {
        let known = ["rocm-10", "rocm_sdk_core-", "rocm_sdk_libraries-"];
        if known.iter().any(|start| file.starts_with(start)) {
            let _ = writeln!(
                text,
                "{{ channel = \"amd-whl-next\", file = \"{file}\", sha256 = \"{digest}\", \
                 source = \"here\" }},"
            );
        }
    }
    text + "]\n"
}

/// A project on PyTorch, locked for the newest release that its channels have for this Python.
fn project(sandbox: &mut Sandbox, series: &str) {
    sandbox.filter(&format!("cp{}", series.replace('.', "")), "cp3X");
    sandbox.write("rocm.registry.d/here.toml", overlay());
    sandbox.write(
        "rocm.toml",
        format!(
            "[requires]\nrocm = \"10.0\"\npython = \"{series}\"\npytorch = \"*\"\n\n{}",
            node("\"MI300X\"")
        ),
    );
    let output = rocmenv(sandbox, "sync --target node");
    assert_eq!(output.code, 0, "{}", output.snapshot());
}

#[test]
fn ends_that_do_not_say_what_they_should_are_named() {
    let (_, series) = machine_python();
    let (_internet, mut sandbox) = connected(every_wheel_channel_for(&series));
    project(&mut sandbox, &series);
    let bisect = |words: &str| snapshot(&sandbox, &format!("--target node bisect {words}"));
    assert_snapshot!(bisect("--good 6.3 --bad 10.0 -- python -B -c pass"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        ROCm 10.0.0: good
        error[bisect-ends]: ROCm 10.0.0 should be bad, and the command succeeds in it
        help: name one that fails: `--bad RELEASE` (see `rocmenv matrix roadmap`)
        ");
    // Not served for this host: it can say nothing.
    assert_snapshot!(bisect("--good 5.7 --bad 10.0 -- python -B -c import_nothing"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        ROCm 10.0.0: bad (code 1: NameError: name 'import_nothing' is not defined)
        ROCm 5.7.1: cannot tell (cannot be made here: cannot get `torch` on index `pytorch-rocm5.7`: `https://download.pytorch.org/whl/rocm5.7/torch/` answered 403 Forbidden)
        error[bisect-ends]: ROCm 5.7.1 should be good, and the command cannot tell in it
        help: name one that works: `--good RELEASE` (see `rocmenv matrix roadmap`)
        ");
    assert_snapshot!(bisect("--good 10.0 --bad 6.3 -- python -B -c pass"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[bisect-ends]: ROCm 10.0.0 is not before ROCm 6.3.3
        help: rocmenv matrix roadmap
        ");
    assert_snapshot!(bisect("--good 1 --bad 10.0 -- python -B -c pass"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[bisect-ends]: one end names a generation and the other a release of ROCm
        help: rocmenv bisect --good 7.2.4 --bad 10.0.0 -- python test.py
        ");
    assert_snapshot!(bisect("--good 8.0 -- python -B -c pass"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[bisect-ends]: no release of ROCm that the registry knows is `8.0`
        help: rocmenv matrix roadmap
        ");
}

/// A project of pure Python on a node whose GPU is said to fail with ROCm 7.14: what differs from
/// release to release is what the lock says.
#[test]
fn the_release_that_broke_it_is_found_and_the_project_stays_as_it_is() {
    let server = IndexServer::start(World::new().index(small()));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    let (_, series) = machine_python();
    sandbox.write("rocm.registry.d/here.toml", FAILS);
    sandbox.write("node.json", NODE);
    sandbox.write(
        "rocm.toml",
        format!(
            "[requires]\nrocm = \"10.0\"\npython = \"{series}\"\n\n[python-packages]\nwords = \"*\"\n"
        ),
    );
    sandbox.write("test.py", TEST);
    let call = |words: &str| rocmenv(&sandbox, &format!("--host node.json {words}"));
    assert_eq!(call("sync").code, 0, "{}", call("sync").snapshot());
    let before = (sandbox.read("rocm.toml"), sandbox.read("rocm.lock"));
    let found = call("bisect --good 7.1 --bad 10.0 -- python -B test.py");
    assert_eq!(found.code, 0, "{}", found.snapshot());
    let words = "ROCm 7.2.2 broke it (7.2.1 works):\nROCm 7.2.1 -> 7.2.2";
    assert!(found.stdout.starts_with(words), "{}", found.snapshot());
    // An end that is left out is the release that is locked.
    let value = call("--json bisect --good 7.2.4 -- python -B test.py other").stdout;
    let value: serde_json::Value = serde_json::from_str(&value).expect("JSON");
    assert_eq!((&value["good"], &value["bad"]), (&"7.2.4".into(), &"10.0.0".into()), "{value:#}");
    assert_eq!(value["untold"], serde_json::json!(["7.14.0", "7.14.1"]), "{value:#}");
    let refused = value["trials"].as_array().expect("trials").iter();
    let refused = refused.filter(|trial| trial["said"] == "unknown");
    for trial in refused {
        let detail = trial["detail"].as_str().expect("a reason");
        assert!(detail.starts_with("cannot be made here: no set fits target `host`: "), "{detail}");
    }
    assert_eq!((sandbox.read("rocm.toml"), sandbox.read("rocm.lock")), before);
    assert!(!sandbox.exists(".rocmenv/bisect"), "what was tried is thrown away");
    assert_eq!(sandbox.read(".rocmenv/host/current").trim(), "1");
}

const TEST: &str = r#"
import pathlib, sys

lock = pathlib.Path(sys.prefix).parent.joinpath("rocm.lock").read_text()
release = [int(part) for part in lock.split('rocm = "')[1].split('"')[0].split(".")]
assert release < ([7, 14, 0] if "other" in sys.argv else [7, 2, 2]), release
"#;

const FAILS: &str = r#"
[sources]
source = [{ key = "here", site = "this test" }]

[known-bad]
combination = [{ id = "made-up", what = "a made-up failure", gfx = ["gfx942"], rocm = ["7.14.x"], effect = "refuse", basis = "reporter", source = "here" }]
"#;

const NODE: &str = r#"{
    "schema": 1,
    "os": { "family": "linux", "release": "ubuntu-24.04", "codename": "noble" },
    "kernel": { "release": "6.8.0-45-generic" },
    "libc": { "kind": "glibc", "version": "2.39" },
    "arch": "x86_64",
    "driver": { "loaded": true, "flavour": "dkms", "release": "31.50.0" },
    "gpus": [ { "gfx": "gfx942", "product": "AMD Instinct MI300X" } ],
    "rocm": []
}"#;
