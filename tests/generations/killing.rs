//! A kill at any instant of an upgrade.

use fs_err as fs;

use crate::node::Node;

/// Kills the upgrade at each of its calls of `calls` in turn: whatever runs afterwards is the old
/// or the new generation, and both `--abort` and `--continue` lead out of it.
fn sweep(calls: &str) {
    if !has_strace() {
        return;
    }
    let mut node = Node::new();
    // Strace counts calls by thread: with one worker each of its steps has a number.
    node.sandbox.env("RAYON_NUM_THREADS", "1").env("TOKIO_WORKER_THREADS", "1");
    // What is fetched and unpacked once is there for every later trial.
    node.must("rocm", "upgrade --to 10.0 --apply --yes");
    node.must("rocm", "rollback --to 1 --files");
    let (mut killed, mut at) = (0, 0);
    loop {
        at += 1;
        assert!(at < 400, "the sweep has no end");
        let trace = format!("trace={calls}");
        let inject = format!("inject={calls}:signal=SIGKILL:when={at}");
        let binary = env!("CARGO_BIN_EXE_rocmenv");
        let words = ["-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject, binary];
        let words = words.into_iter().chain(["--host", "rocm.json"]);
        let words = words.chain(["upgrade", "--to", "10.0", "--apply", "--yes"]);
        let output = node.sandbox.command("strace").args(words).run();
        let done = output.code == 0;
        let runs = node.jax();
        assert!(["0.30.0", "0.32.0"].contains(&runs.as_str()), "call {at}: {runs}");
        let is_under_way = node.sandbox.exists(".rocmenv/upgrade.json");
        if is_under_way && at % 2 == 0 {
            node.must("rocm", "upgrade --continue --yes");
            assert_eq!(node.jax(), "0.32.0", "call {at}");
        } else if is_under_way {
            node.must("rocm", "upgrade --abort");
            assert_eq!(node.jax(), "0.30.0", "call {at}");
        }
        for entry in fs::read_dir(node.sandbox.project().join(".rocmenv/host/generations"))
            .expect("a folder")
        {
            let entry = entry.expect("an entry").path();
            let is_current = entry.ends_with(node.generation().to_string());
            assert!(!(is_current && entry.join("building").exists()), "call {at}");
        }
        if done {
            break;
        }
        killed += 1;
        if node.generation() != 1 {
            node.must("rocm", "rollback --to 1 --files");
        }
    }
    assert!(killed >= 2, "only {killed} calls of {calls} were reached");
}

#[test]
fn a_kill_at_any_rename_leaves_the_old_or_the_new() {
    sweep("rename,renameat,renameat2");
}

#[test]
fn a_kill_at_any_flush_leaves_the_old_or_the_new() {
    sweep("fsync,fdatasync,syncfs");
}

#[test]
fn a_kill_at_any_removal_leaves_the_old_or_the_new() {
    sweep("unlink,unlinkat,rmdir");
}

#[test]
fn a_kill_at_any_link_leaves_the_old_or_the_new() {
    sweep("link,linkat,symlink,symlinkat");
}

pub(crate) fn has_strace() -> bool {
    let found = std::process::Command::new("strace").arg("-V").output().is_ok();
    if !found {
        // past the harness's capture, so that it is seen
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            b"test skipped: strace is not installed\n",
        );
    }
    found
}
