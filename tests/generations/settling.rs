//! What a call leaves that was killed between two of its steps, and how the next one goes on.

use fs_err as fs;

use crate::Project;

#[test]
fn a_sync_with_nothing_to_do_puts_right_what_follows_from_the_current_generation() {
    let project = Project::new();
    project.sync("demo = \"==1.0\"");
    let at = |name: &str| project.sandbox.project().join(name);
    let link = fs::read_link(at(".venv")).expect("a link");
    fs::remove_file(at(".venv")).expect("removed");
    fs::remove_file(at(".rocmenv/active")).expect("removed");
    assert_eq!(project.call("sync --dry-run -q").code, 0);
    assert!(!project.sandbox.exists(".venv"));
    assert_eq!(project.call("sync -q").code, 0);
    assert_eq!(fs::read_link(at(".venv")).expect("a link"), link);
    assert_eq!(project.sandbox.read(".rocmenv/active"), "host\n");
    assert!(!project.sandbox.exists(".rocmenv/host/generations/2"), "nothing is made anew");
    // What is the user's own stays so.
    fs::remove_file(at(".venv")).expect("removed");
    fs::create_dir(at(".venv")).expect("made");
    assert_eq!(project.call("sync -q").code, 0);
    assert!(at(".venv").is_dir() && !at(".venv").is_symlink());
}

#[test]
fn a_file_that_lost_its_content_is_written_again() {
    let project = Project::new();
    project.sync("demo = \"==1.0\"");
    project.sandbox.write(".rocmenv/.gitignore", "");
    project.sync("demo = \"==2.0\"");
    assert_eq!(project.sandbox.read(".rocmenv/.gitignore"), "*\n");
    project.sandbox.write(".rocmenv/.gitignore", "*\n!mine\n");
    project.sync("demo = \"==1.0\"");
    assert_eq!(project.sandbox.read(".rocmenv/.gitignore"), "*\n!mine\n");
}

#[test]
fn a_generation_that_was_current_was_whole() {
    let project = Project::with_two_generations();
    // The removal of the marker may be lost with the power, for the switch is flushed after it.
    project.sandbox.write(".rocmenv/host/generations/2/building", "1\n");
    assert_eq!(project.demo(), "2.0");
    assert_eq!(project.call("rollback").code, 0);
    assert_eq!(project.demo(), "1.0");
    assert_eq!(project.call("rollback --to 2").code, 0);
    assert_eq!(project.demo(), "2.0");
}

#[test]
fn a_generation_that_was_half_begun_or_half_removed_is_none() {
    let project = Project::with_two_generations();
    let before = project.json("generations");
    let at = |name: &str| project.sandbox.project().join(".rocmenv/host/generations").join(name);
    fs::create_dir(at("7")).expect("made");
    fs::create_dir_all(at("6.removed/env")).expect("made");
    assert_eq!(project.json("generations"), before);
    assert_eq!(project.call("rollback --to 7").code, 2);
    assert_eq!(project.call("gc --dry-run").code, 0);
    project.sync("demo = \"==1.0\"");
    assert!(!at("7").exists() && !at("6.removed").exists());
}

#[test]
fn a_kill_in_the_removal_of_a_generation_leaves_no_half_of_it() {
    if !crate::killing::has_strace() {
        return;
    }
    let project = Project::with_two_generations();
    project.sync("extra = \"*\"");
    let inject = "inject=unlinkat:signal=SIGKILL:when=3";
    let words = ["-f", "-qq", "-o", "/dev/null", "-e", "trace=unlinkat", "-e", inject];
    let binary = [env!("CARGO_BIN_EXE_rocmenv"), "gc", "--keep", "1"];
    let killed = project.sandbox.command("strace").args(words).args(binary).run();
    assert_ne!(killed.code, 0, "{}", killed.snapshot());
    let exists = |name: &str| project.sandbox.exists(&format!(".rocmenv/host/generations/{name}"));
    assert!(exists("1.removed") && !exists("1"));
    let listed = project.json("generations");
    let listed = listed.as_array().expect("a list").iter();
    let numbers: Vec<u64> = listed.filter_map(|one| one["record"]["number"].as_u64()).collect();
    assert_eq!(numbers, [2, 3]);
    project.sync("demo = \"==1.0\"");
    assert!(!exists("1.removed"));
    let said = project.call("gc");
    assert!(said.code == 0 && !said.stderr.contains("is gone"), "{}", said.snapshot());
    assert_eq!(project.demo(), "1.0");
}

#[test]
fn gc_sweeps_half_made_files_as_it_does_folders() {
    let project = Project::new();
    project.sync("demo = \"==1.0\"");
    let left = project.sandbox.write("../home/data/rocmenv/store/v1/staging/.tmpleft", "half");
    assert_eq!(project.call("gc").code, 0);
    assert!(!left.exists());
}
