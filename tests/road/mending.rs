//! What was damaged by hand or by a disk is made anew by the command that the message names.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use insta::assert_snapshot;
use rocmenv_tests::Sandbox;

use super::{GREETING, greeting_after, rocmenv, snapshot};

/// A sync says what is damaged, makes the next generation, and that one runs.
fn sync_makes_it_anew(sandbox: &Sandbox, file: &str, state: &str) {
    let said = rocmenv(sandbox, "sync").snapshot();
    let begin = format!(
        "exit: 0\n--- stdout ---\n--- stderr ---\n\
         warning: `[TEMP]/project/.rocmenv/host/{file}` is {state}: the environment is made anew\n \
         + greet 1.0\n + words 1.1\nmade generation 2 for `host`: 2 packages on "
    );
    assert!(said.starts_with(&begin), "{said}");
    assert_eq!(rocmenv(sandbox, "run -q greet").stdout, "hello 1.1\n");
}

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
    sync_makes_it_anew(&sandbox, "current", "damaged");
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
    sync_makes_it_anew(&sandbox, "generations/1/generation.json", "damaged");
    assert!(!sandbox.exists(".rocmenv/host/previous"));
}

#[test]
fn a_current_generation_that_is_gone_is_no_dead_end() {
    let (_server, sandbox) = greeting_after("sync -q");
    let from = sandbox.project().join(".rocmenv/host/generations/1");
    fs::rename(from, sandbox.path("aside")).expect("both are on one disk");
    assert_snapshot!(snapshot(&sandbox, "status"), @r"
    exit: 5
    --- stdout ---
    --- stderr ---
    error[generation-damaged]: `[TEMP]/project/.rocmenv/host/generations/1/generation.json` is missing
    help: rocmenv sync
    ");
    sync_makes_it_anew(&sandbox, "generations/1/generation.json", "missing");
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

/// The folder of modules of the current generation.
fn modules(project: &Path) -> PathBuf {
    let entries = fs::read_dir(project.join(".venv/lib")).expect("there is an environment");
    let mut folders = entries.filter_map(Result::ok).map(|entry| entry.path());
    folders.next().expect("it has an interpreter").join("site-packages")
}

/// Writes to a file as root would: through the link into the store.
fn damage(file: &Path) {
    fs::set_permissions(file, std::fs::Permissions::from_mode(0o644)).expect("it is ours");
    let mut opened = fs::OpenOptions::new().append(true).open(file).expect("it is ours");
    opened.write_all(b"\n# damaged\n").expect("it is ours");
}

fn is_damaged(project: &Path) -> bool {
    let module = modules(project).join("words/__init__.py");
    fs::read_to_string(module).expect("a module").contains("# damaged")
}

#[test]
fn a_damaged_store_is_mended_and_the_old_generation_stays() {
    let (_server, mut sandbox) = greeting_after("sync -q");
    sandbox.filter(r"\d+\.\d s", "[TIME]");
    damage(&modules(&sandbox.project()).join("words/__init__.py"));
    let told = rocmenv(&sandbox, "status").stdout;
    assert!(told.contains(
        "files of words were written to since they were installed (`words/__init__.py`): \
         rocmenv sync --repair"
    ));
    assert_snapshot!(snapshot(&sandbox, "verify files --deep"), @r"
    exit: 1
    --- stdout ---
    RESULT  STAGE  LEVEL  TIME   WHAT
    FAILED  files  read   [TIME]  files of wheels     1 of 14: words/__init__.py: 59 bytes instead of 48
    FAILED  files  read          files in the store  1 of 9: words/__init__.py: changed

    stages: files [TIME]
    --- stderr ---
    help: rocmenv sync --repair
    ");
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    `host` is up to date: generation 1
    ");
    assert!(is_damaged(&sandbox.project()), "nothing was changed yet");
    assert_snapshot!(snapshot(&sandbox, "sync --repair"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    warning: words was damaged in the store and was brought anew
    made generation 2 for `host`: 2 packages on Python [3]
    ");
    assert!(!is_damaged(&sandbox.project()));
    assert_eq!(rocmenv(&sandbox, "verify -q files --deep").code, 0);
    assert_eq!(rocmenv(&sandbox, "run -q greet").stdout, "hello 1.1\n");
    assert_eq!(rocmenv(&sandbox, "rollback -q").code, 0);
    assert!(is_damaged(&sandbox.project()), "the old generation is as it was");
    let told = rocmenv(&sandbox, "status").stdout;
    assert!(told.contains("files of words were written to"), "{told}");
}

#[test]
fn damage_does_not_spread_to_a_new_environment() {
    let (_server, sandbox) = greeting_after("sync -q");
    damage(&modules(&sandbox.project()).join("words/__init__.py"));
    sandbox.write("other/rocm.toml", GREETING);
    assert_snapshot!(snapshot(&sandbox, "--project other sync"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
    locked 2 packages for `host`: Python [3]
    warning: words was damaged in the store and was brought anew
     + greet 1.0
     + words 1.1
    made generation 1 for `host`: 2 packages on Python [3]
    ");
    assert!(!is_damaged(&sandbox.project().join("other")));
}

#[test]
fn missing_files_are_told_and_brought_back() {
    let (_server, sandbox) = greeting_after("sync -q");
    fs::remove_dir_all(modules(&sandbox.project()).join("words")).expect("it is ours");
    let told = rocmenv(&sandbox, "status").stdout;
    assert!(told.contains("of words"), "{told}");
    assert!(told.contains("missing (`words/__init__.py`): rocmenv sync --repair"), "{told}");
    assert_snapshot!(snapshot(&sandbox, "sync --repair"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    made generation 2 for `host`: 2 packages on Python [3]
    ");
    assert_eq!(rocmenv(&sandbox, "run -q greet").stdout, "hello 1.1\n");
    assert!(!rocmenv(&sandbox, "status").stdout.contains("missing"));
}
