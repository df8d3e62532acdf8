//! What was damaged by hand or by a disk is made anew by the command that the message names.

use insta::assert_snapshot;

use super::{GREETING, greeting_after, rocmenv, snapshot};

#[test]
fn a_damaged_mark_of_the_current_generation_is_no_dead_end() {
    let (_server, mut sandbox) = greeting_after("sync -q");
    sandbox.filter(r"\d{4}-\d\d-\d\dT[\d:]+Z  2         3\.[\d.]+", "[NOW]  2  [3]");
    sandbox.write(".rocmenv/host/current", "abc\n");
    assert_snapshot!(snapshot(&sandbox, "generations"), @r"
    exit: 0
    --- stdout ---
    GENERATION  MADE                  PACKAGES  PYTHON
    1           [NOW]  2  [3]
    --- stderr ---
    warning: `[TEMP]/project/.rocmenv/host/current` is damaged: rocmenv sync
    ");
    assert_snapshot!(snapshot(&sandbox, "rollback"), @r"
    exit: 3
    --- stdout ---
    --- stderr ---
    error[environment-missing]: no generation is current
    help: rocmenv sync
    ");
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    warning: `[TEMP]/project/.rocmenv/host/current` is damaged: the environment is made anew
     + greet 1.0
     + words 1.1
    made generation 2 for `host`: 2 packages on Python [3]
    ");
    assert_snapshot!(snapshot(&sandbox, "run -q greet"), @r"
    exit: 0
    --- stdout ---
    hello 1.1
    --- stderr ---
    ");
    assert_eq!(rocmenv(&sandbox, "gc -q --keep 1").code, 0);
}

#[test]
fn a_damaged_record_of_the_current_generation_is_no_dead_end() {
    let (_server, sandbox) = greeting_after("sync -q");
    sandbox.write(".rocmenv/host/generations/1/generation.json", "{");
    assert_snapshot!(snapshot(&sandbox, "generations"), @r"
    exit: 0
    --- stdout ---
    GENERATION  MADE  PACKAGES  PYTHON
    --- stderr ---
    warning: `[TEMP]/project/.rocmenv/host/generations/1/generation.json` is damaged: rocmenv sync
    ");
    assert_snapshot!(snapshot(&sandbox, "sync --dry-run"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    warning: `[TEMP]/project/.rocmenv/host/generations/1/generation.json` is damaged: the environment is made anew
     + greet 1.0
     + words 1.1
    nothing was changed for `host` (`--dry-run`)
    ");
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    warning: `[TEMP]/project/.rocmenv/host/generations/1/generation.json` is damaged: the environment is made anew
     + greet 1.0
     + words 1.1
    made generation 2 for `host`: 2 packages on Python [3]
    ");
    assert_snapshot!(snapshot(&sandbox, "run -q greet"), @r"
    exit: 0
    --- stdout ---
    hello 1.1
    --- stderr ---
    ");
    assert!(!sandbox.exists(".rocmenv/host/previous"));
}

#[test]
fn a_current_generation_that_is_gone_is_no_dead_end() {
    let (_server, sandbox) = greeting_after("sync -q");
    let from = sandbox.project().join(".rocmenv/host/generations/1");
    fs_err::rename(from, sandbox.path("aside")).expect("both are on one disk");
    assert_snapshot!(snapshot(&sandbox, "status"), @r"
    exit: 5
    --- stdout ---
    --- stderr ---
    error[generation-damaged]: `[TEMP]/project/.rocmenv/host/generations/1/generation.json` is missing
    help: rocmenv sync
    ");
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    warning: `[TEMP]/project/.rocmenv/host/generations/1/generation.json` is missing: the environment is made anew
     + greet 1.0
     + words 1.1
    made generation 2 for `host`: 2 packages on Python [3]
    ");
    assert_snapshot!(snapshot(&sandbox, "run -q greet"), @r"
    exit: 0
    --- stdout ---
    hello 1.1
    --- stderr ---
    ");
}

#[test]
fn a_damaged_project_keeps_what_it_has_and_stops_no_collection() {
    let (_server, sandbox) = greeting_after("sync -q");
    sandbox.write("rocm.toml", format!("{GREETING}words = \"==1.0\"\n"));
    assert_eq!(rocmenv(&sandbox, "sync -q").code, 0);
    sandbox.write(".rocmenv/host/current", "abc\n");
    sandbox.write("other/rocm.toml", GREETING);
    assert_eq!(rocmenv(&sandbox, "--project other sync -q").code, 0);
    assert_snapshot!(snapshot(&sandbox, "--project other gc --keep 1"), @r"
    exit: 0
    --- stdout ---
    frees 0 B in 0 files
    --- stderr ---
    warning: `[TEMP]/project/.rocmenv/host` is damaged, so all of its generations are kept: rocmenv sync in its project
    ");
    assert!(sandbox.exists(".rocmenv/host/generations/1/env"));
    assert!(sandbox.exists(".rocmenv/host/generations/2/env"));
}
