use std::time::Duration;

use insta::assert_snapshot;

use super::*;
use crate::{Index, WheelBuilder, World};

fn shell(sandbox: &Sandbox, script: &str) -> Output {
    sandbox.command("/bin/sh").args(["-c", script]).run()
}

#[test]
fn the_environment_is_the_sandboxs_own() {
    assert_snapshot!(shell(&Sandbox::new(), "env | grep -v ^_= | sort").snapshot(), @r"
    exit: 0
    --- stdout ---
    COLUMNS=100
    HOME=[TEMP]/home
    HTTPS_PROXY=http://127.0.0.1:[PORT]
    HTTP_PROXY=http://127.0.0.1:[PORT]
    LANG=C.UTF-8
    NO_PROXY=127.0.0.1,localhost
    PATH=[TEMP]/bin:/usr/local/bin:/usr/bin:/bin
    PIP_CONFIG_FILE=/dev/null
    PWD=[TEMP]/project
    ROCMENV_APT_SOURCES=[TEMP]/apt.sources
    ROCMENV_INDEX_URL=http://127.0.0.1:[PORT]/no-index-was-given/
    TMPDIR=[TEMP]/tmp
    TZ=UTC
    UV_NO_CONFIG=1
    XDG_CACHE_HOME=[TEMP]/home/cache
    XDG_CONFIG_HOME=[TEMP]/home/config
    XDG_DATA_HOME=[TEMP]/home/data
    XDG_STATE_HOME=[TEMP]/home/state
    --- stderr ---
    ");
}

#[test]
fn a_run_is_one_text() {
    let sandbox = Sandbox::new();
    let output = sandbox
        .command("/bin/sh")
        .args(["-c", "cat; pwd; echo http://127.0.0.1:4711/x >&2; printf end; exit 3"])
        .stdin("read\n")
        .run();
    assert_snapshot!(output.snapshot(), @r"
    exit: 3
    --- stdout ---
    read
    [TEMP]/project
    end[no newline]
    --- stderr ---
    http://127.0.0.1:[PORT]/x
    ");
}

#[test]
fn signals_and_limits() {
    let sandbox = Sandbox::new();
    assert_eq!(shell(&sandbox, "kill -9 $$").code, -9);
    let endless = std::panic::catch_unwind(|| {
        let run = Sandbox::new();
        run.command("/bin/sh").args(["-c", "exec sleep 60"]).limit(Duration::from_millis(50)).run()
    });
    assert!(endless.is_err());
}

#[test]
fn programs_files_filters_and_folders() {
    let mut sandbox = Sandbox::new();
    sandbox.program("rocm-fixture", "#!/bin/sh\necho took 17 ms\n");
    sandbox.filter(r"\d+ ms", "[TIME]");
    sandbox.write("sub/rocm.toml", "x");
    assert!(sandbox.exists("sub/rocm.toml") && !sandbox.exists("rocm.toml"));
    assert_eq!(sandbox.read("sub/rocm.toml"), "x");
    let output = sandbox
        .command("/bin/sh")
        .args(["-c", "rocm-fixture; ls; echo $LANG"])
        .in_folder("sub")
        .env("LANG", "C")
        .run();
    assert_eq!(output.filtered_stdout(), "took [TIME]\nrocm.toml\nC\n");
}

#[test]
fn servers_become_variables_and_sources() {
    let key = SigningKey::new("archive");
    let repository = crate::AptRepository::new("debian")
        .suite(crate::Suite::new("bookworm").signed_by(&key))
        .suite(crate::Suite::new("bookworm-updates").signed_by(&key));
    let world =
        World::new().index(Index::new("main").wheel(WheelBuilder::new("a", "1"))).apt(repository);
    let server = IndexServer::start(world);
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main").apt(&server, "debian", &key);
    let script = "echo $ROCMENV_INDEX_URL; cat $ROCMENV_APT_SOURCES";
    assert_snapshot!(shell(&sandbox, script).snapshot(), @r"
    exit: 0
    --- stdout ---
    http://127.0.0.1:[PORT]/main/simple/

    Types: deb
    URIs: http://127.0.0.1:[PORT]/debian/
    Suites: bookworm
    Components: main
    Signed-By: [TEMP]/keyrings/archive.asc

    Types: deb
    URIs: http://127.0.0.1:[PORT]/debian/
    Suites: bookworm-updates
    Components: main
    Signed-By: [TEMP]/keyrings/archive.asc
    --- stderr ---
    ");
}
