//! A question that was answered is not solved again, and any other question is.

use rocmenv_tests::{Output, Sandbox};

use super::{GREETING, pass_a_second, rocmenv, served, small, words};

/// A project whose question is settled: the second lock found what the first had written. Then
/// everything that a solve reads goes away, so that a lock without network only succeeds without
/// one.
fn settled() -> (rocmenv_tests::IndexServer, Sandbox) {
    let (server, sandbox) = served(small());
    sandbox.write("rocm.toml", GREETING);
    for _ in 0..2 {
        let output = rocmenv(&sandbox, "lock");
        assert_eq!(output.code, 0, "{}", output.snapshot());
    }
    for folder in ["pages", "metadata"] {
        fs_err::remove_dir_all(sandbox.path("home/cache/rocmenv").join(folder)).expect("cached");
    }
    (server, sandbox)
}

fn offline(sandbox: &Sandbox) -> Output {
    rocmenv(sandbox, "lock --offline")
}

#[test]
fn a_settled_question_is_answered_from_the_lock() {
    let (server, sandbox) = settled();
    let requests = server.requests().len();
    let lock = sandbox.read("rocm.lock");
    insta::assert_snapshot!(offline(&sandbox).snapshot(), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        kept 2 packages for `host`: Python [3]
        rocm.lock is up to date
        ");
    let online = rocmenv(&sandbox, "lock --json");
    let answer: serde_json::Value = serde_json::from_str(&online.stdout).expect("JSON");
    assert_eq!((&answer["changed"], &answer["written"]), (&false.into(), &false.into()));
    assert_eq!(answer["targets"][0]["packages"].as_array().map(Vec::len), Some(2));
    assert_eq!(rocmenv(&sandbox, "lock --check").code, 0);
    assert_eq!(sandbox.read("rocm.lock"), lock);
    assert_eq!(server.requests().len(), requests, "nobody was asked");
}

#[test]
fn every_other_question_is_solved() {
    type Change = fn(&mut Sandbox);
    let changes: [(&str, Change); 5] = [
        ("exclude-newer", |sandbox| {
            let newer = format!("exclude-newer = \"2026-01-01\"\n{GREETING}");
            sandbox.write("rocm.toml", newer);
        }),
        ("a machine's own choices", |sandbox| {
            sandbox.write("rocm.local.toml", "[python-packages]\nwords = \"==1.0\"\n");
        }),
        ("the lock", |sandbox| {
            let lock = sandbox.read("rocm.lock").replace("rocm.toml:5 greet", "by hand");
            sandbox.write("rocm.lock", lock);
        }),
        ("the index", |sandbox| {
            sandbox.env("ROCMENV_INDEX_URL", "http://127.0.0.1:9/simple/");
        }),
        ("the cache of answers", |sandbox| {
            let folder = sandbox.path("home/cache/rocmenv/settled");
            for entry in fs_err::read_dir(&folder).expect("settled") {
                fs_err::write(entry.expect("a file").path(), "torn").expect("writable");
            }
        }),
    ];
    for (what, change) in changes {
        let (_server, mut sandbox) = settled();
        assert_eq!(offline(&sandbox).code, 0, "{what}");
        change(&mut sandbox);
        let output = offline(&sandbox);
        assert_eq!(output.code, 4, "{what}: {}", output.snapshot());
    }
}

/// A folder of one's own wheels is read anew each time; the question holds what lies in it.
#[test]
fn a_folder_of_wheels_is_part_of_the_question() {
    let (server, mut sandbox) = served(small());
    let own = sandbox.path("own");
    fs_err::create_dir(&own).expect("a folder");
    sandbox.env("PIP_FIND_LINKS", &own.display().to_string());
    sandbox.write("rocm.toml", GREETING);
    for _ in 0..2 {
        assert_eq!(rocmenv(&sandbox, "lock").code, 0);
    }
    let pages = sandbox.path("home/cache/rocmenv/pages");
    let kept = sandbox.path("kept");
    fs_err::rename(&pages, &kept).expect("cached");
    let output = offline(&sandbox);
    assert_eq!(output.code, 0, "no solve, so no page: {}", output.snapshot());

    let wheel = words("1.2").build();
    fs_err::write(own.join(&wheel.filename), wheel.bytes).expect("a wheel");
    let output = offline(&sandbox);
    assert_eq!(output.code, 4, "another question: {}", output.snapshot());
    fs_err::rename(&kept, &pages).expect("as it was");
    assert_eq!(rocmenv(&sandbox, "lock --upgrade-package words").code, 0);
    assert!(sandbox.read("rocm.lock").contains("words-1.2-"), "{}", sandbox.read("rocm.lock"));
    drop(server);
}

#[test]
fn newer_versions_and_old_pages_are_asked_for() {
    let (server, sandbox) = settled();
    let before = server.requests().len();
    assert_eq!(rocmenv(&sandbox, "lock -q --upgrade").code, 0);
    assert!(server.requests().len() > before);
    pass_a_second();
    assert_eq!(rocmenv(&sandbox, "lock -q --upgrade-package words --offline").code, 0);
}

/// A registry that speaks against what is locked is another question, however fresh the pages.
#[test]
fn a_lock_that_the_registry_refuses_now_is_noticed() {
    let (_server, sandbox) = served(small());
    sandbox.write("rocm.toml", NODE);
    for _ in 0..2 {
        let output = rocmenv(&sandbox, "lock");
        assert_eq!(output.code, 0, "{}", output.snapshot());
    }
    sandbox.write("rocm.registry.d/ours.toml", BAD_ROCM);
    let output = rocmenv(&sandbox, "lock");
    assert_eq!(output.code, 1, "{}", output.snapshot());
    assert!(output.stderr.contains("our nodes crash on it"), "{}", output.stderr);
}

const NODE: &str = r#"
[requires]
rocm = "10.1"
python = "3.12"

[python-packages]
greet = "*"

[rocm]
channel = "host"

[targets.node]
os = "ubuntu-24.04"
gpus = ["gfx942"]
driver = "31.50.0"
rocm = "10.1.0"
"#;

const BAD_ROCM: &str = r#"
[[sources.source]]
key = "our-lab"
site = "our laboratory"
note = "what we measured"

[[known-bad.combination]]
id = "ours"
what = "our nodes crash on it"
gfx = ["gfx942"]
rocm = ["10.1.x"]
effect = "refuse"
basis = "reporter"
source = "our-lab"
"#;
