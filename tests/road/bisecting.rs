//! `bisect` over releases of ROCm, on the channels as AMD and PyTorch serve them.

use std::fmt::Write as _;

use insta::assert_snapshot;
use rocmenv_tests::channels::{WHL_NEXT, digests, every_wheel_channel_for};
use rocmenv_tests::{Sandbox, machine_python};

use super::{connected, node, rocmenv, snapshot};

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
fn the_release_that_broke_it_is_found_and_the_project_stays_as_it_is() {
    let (_, series) = machine_python();
    let (_internet, mut sandbox) = connected(every_wheel_channel_for(&series));
    project(&mut sandbox, &series);
    let before = (sandbox.read("rocm.toml"), sandbox.read("rocm.lock"));
    sandbox.write(
        "test.py",
        "import torch\nversion = tuple(int(part) for part in torch.__version__.split('+')[0].split('.'))\n\
         assert version < (2, 11), torch.__version__\n",
    );
    let words = "--target node bisect --good 6.3 --bad 10.0 -- python -B test.py";
    assert_snapshot!(snapshot(&sandbox, words), @"");
    let value = rocmenv(&sandbox, &format!("--json {words}")).stdout;
    let value: serde_json::Value = serde_json::from_str(&value).expect("JSON");
    assert_eq!(value["bad"], "10.0.0", "{value:#}");
    assert_eq!((sandbox.read("rocm.toml"), sandbox.read("rocm.lock")), before);
    assert!(!sandbox.exists(".rocmenv/bisect"), "what was tried is thrown away");
    assert_eq!(sandbox.read(".rocmenv/node/current").trim(), "1");
}

#[test]
fn ends_that_do_not_say_what_they_should_are_named() {
    let (_, series) = machine_python();
    let (_internet, mut sandbox) = connected(every_wheel_channel_for(&series));
    project(&mut sandbox, &series);
    let bisect = |words: &str| snapshot(&sandbox, &format!("--target node bisect {words}"));
    assert_snapshot!(bisect("--good 6.3 --bad 10.0 -- python -B -c pass"), @"");
    // Not served for this host: it can say nothing.
    assert_snapshot!(bisect("--good 5.7 --bad 10.0 -- python -B -c import_nothing"), @"");
    assert_snapshot!(bisect("--good 10.0 --bad 6.3 -- python -B -c pass"), @"");
    assert_snapshot!(bisect("--good 1 --bad 10.0 -- python -B -c pass"), @"");
    assert_snapshot!(bisect("--good 8.0 -- python -B -c pass"), @"");
}
