//! From rocm.toml to a running program.

use insta::assert_snapshot;

use super::{GREETING, greeting_after, rocmenv, served, small, snapshot};

#[test]
fn lock_sync_and_run() {
    let (_server, sandbox) = served(small());
    sandbox.write("rocm.toml", GREETING);
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
    locked 2 packages for `host`: Python [3]
     + greet 1.0
     + words 1.1
    ");
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
     + greet 1.0
     + words 1.1
    made generation 1 for `host`: 2 packages on Python [3]
    ");
    assert_snapshot!(snapshot(&sandbox, "run greet"), @r"
    exit: 0
    --- stdout ---
    hello 1.1
    --- stderr ---
    ");
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    `host` is up to date: generation 1
    ");
}

#[test]
fn the_lock_is_read_by_people() {
    let (_server, mut sandbox) = served(small());
    sandbox.filter(r"python = \x223\.\d+\x22", "python = \"[3]\"");
    sandbox.filter(r"python-floor = \x223\.\d+\.0\x22", "python-floor = \"[3].0\"");
    sandbox.filter(r"python = 3\.\d+", "python = [3]");
    sandbox.write("rocm.toml", GREETING);
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    sandbox.program("show", "#!/bin/sh\ncat rocm.lock\n");
    assert_snapshot!(sandbox.command(sandbox.path("bin/show")).run().snapshot(), @r#"
    exit: 0
    --- stdout ---
    # Written by rocmenv. Do not edit: change rocm.toml and run `rocmenv lock`.
    version = 1

    [[target]]
    name = "host"
    env = "default"
    inputs = "598871136e2077d83c6c79da8b8981960f4d659890cc67707496bae57fc321d7"
    python = "[3]"
    python-floor = "[3].0"
    packages = 2
    hard = [
        "os = linux",
        "arch = x86_64",
        "python = [3]",
    ]

    [[package]]
    name = "greet"
    version = "1.0"
    index = "python"
    kind = "wheel"
    reason = "rocm.toml:5 greet"
    for = ["host"]
    requires = ["words"]

    [[package.file]]
    name = "greet-1.0-py3-none-any.whl"
    sha256 = "8ba631406a7234ccd8c0a41c626cfb492148d735d319b659d6fff034c8d03a2a"
    size = 1161
    targets = ["host"]

    [[package]]
    name = "words"
    version = "1.1"
    index = "python"
    kind = "wheel"
    reason = "greet"
    for = ["host"]

    [[package.file]]
    name = "words-1.1-py3-none-any.whl"
    sha256 = "5f74ab4d7a335410f2d50b3722907829f8bc97cdd477e8092044f6773484a5e6"
    size = 889
    targets = ["host"]
    --- stderr ---
    "#);
}

#[test]
fn an_environment_is_an_ordinary_virtual_environment() {
    let (_server, mut sandbox) = greeting_after("sync -q");
    let code = "import sys, words; print(sys.prefix != sys.base_prefix, words.__file__)";
    sandbox.filter(r"python3\.\d+/site-packages", "[PYTHON]/site-packages");
    let python = sandbox.project().join(".venv/bin/python");
    assert_snapshot!(sandbox.command(python).args(["-c", code]).run().snapshot(), @r"
    exit: 0
    --- stdout ---
    True [TEMP]/project/.venv/lib/[PYTHON]/site-packages/words/__init__.py
    --- stderr ---
    ");
}

#[test]
fn run_never_makes_anything() {
    let (_server, sandbox) = served(small());
    sandbox.write("rocm.toml", GREETING);
    assert_snapshot!(snapshot(&sandbox, "run greet"), @r"
    exit: 3
    --- stdout ---
    --- stderr ---
    error[environment-missing]: the project `[TEMP]/project` has no environment yet
    help: rocmenv sync
    ");
    assert!(!sandbox.exists("rocm.lock"));
}

#[test]
fn a_dry_run_tells_and_does_nothing() {
    let (_server, sandbox) = served(small());
    sandbox.write("rocm.toml", GREETING);
    assert_snapshot!(snapshot(&sandbox, "lock --dry-run"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
    would lock 2 packages for `host`: Python [3]
     + greet 1.0
     + words 1.1
    nothing was written (`--dry-run`)
    ");
    assert!(!sandbox.exists("rocm.lock"));
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    assert_snapshot!(snapshot(&sandbox, "sync --dry-run"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
     + greet 1.0
     + words 1.1
    nothing was changed for `host` (`--dry-run`)
    ");
    assert!(!sandbox.exists(".rocmenv/host/current"));
}
