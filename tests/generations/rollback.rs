//! Going back, and what waits for it.

use crate::Project;

#[test]
fn the_old_environment_runs_at_once_and_sync_waits() {
    let project = Project::with_two_generations();
    assert_eq!(project.demo(), "2.0");
    insta::assert_snapshot!(project.snapshot("rollback"), @r"
        exit: 0
        --- stdout ---
         ~ demo 2.0 -> 1.0
         - extra 0.1
        --- stderr ---
        generation 1 is current, 2 was
        rocm.toml and rocm.lock were left as they are; `sync` waits for `rocmenv rollback --files` or `rocmenv sync --unpin`
        ");
    assert_eq!(project.demo(), "1.0");
    insta::assert_snapshot!(project.snapshot("sync"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[pinned]: generation 1 is held by a rollback
        help: rocmenv rollback --files (back to its rocm.toml), or rocmenv sync --unpin
        ");
    insta::assert_snapshot!(project.snapshot("generations"), @r"
        exit: 0
        --- stdout ---
        GENERATION  MADE                  PACKAGES  PYTHON
        1           [TIME]  1         [PYTHON] current pinned
        2           [TIME]  2         [PYTHON] previous
        --- stderr ---
        ");
    assert_eq!(project.call("sync --unpin").code, 0);
    assert_eq!(project.demo(), "2.0");
}

#[test]
fn files_of_a_rollback_that_is_held_are_its_own() {
    let project = Project::with_two_generations();
    assert_eq!(project.call("rollback").code, 0);
    insta::assert_snapshot!(project.snapshot("rollback --files --dry-run"), @r"
        exit: 0
        --- stdout ---
        the same 1 package
        --- stderr ---
        would put back `[TEMP]/project/rocm.toml`; what was there is kept as `[TEMP]/project/.rocmenv/host/before-rollback/[TIME]/rocm.toml`
        would put back `[TEMP]/project/rocm.lock`; what was there is kept as `[TEMP]/project/.rocmenv/host/before-rollback/[TIME]/rocm.lock`
        nothing was changed (`--dry-run`)
        ");
    let done = project.json("rollback --files");
    assert!(project.sandbox.read("rocm.toml").contains("==1.0"));
    let kept = done["replaced"][0]["kept"].as_str().expect("a path");
    let kept = fs_err::read_to_string(kept).expect("the copy is there");
    assert!(kept.contains("==2.0"));
    insta::assert_snapshot!(project.snapshot("sync"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        `host` is up to date: generation 1
        ");
    assert_eq!(project.demo(), "1.0");
}

#[test]
fn going_back_twice_goes_further_back() {
    let project = Project::with_two_generations();
    project.sync("extra = \"*\"");
    assert_eq!(project.json("rollback")["to"], 2);
    assert_eq!(project.json("rollback")["to"], 1);
    insta::assert_snapshot!(project.snapshot("rollback"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[generation-unknown]: there is no generation before 1
        help: rocmenv generations
        ");
    assert_eq!(project.json("rollback --to 3")["held"], false);
}

#[test]
fn a_generation_for_another_host_is_gone_back_to_and_said_to_be_one() {
    let project = Project::with_two_generations();
    let host = project.sandbox.write("other.json", OTHER_HOST);
    let words = format!("--host {} rollback --dry-run", host.display());
    insta::assert_snapshot!(project.snapshot(&words), @r"
        exit: 0
        --- stdout ---
         ~ demo 2.0 -> 1.0
         - extra 0.1
        --- stderr ---
        warning: generation 1 is not for this host: the lock needs `arch = x86_64`; this host has aarch64
        nothing was changed (`--dry-run`)
        ");
}

/// A host with another processor than the one that runs these tests.
const OTHER_HOST: &str = r#"{
    "schema": 1,
    "os": { "family": "linux", "release": "ubuntu-24.04" },
    "arch": "aarch64",
    "gpus": []
}"#;
