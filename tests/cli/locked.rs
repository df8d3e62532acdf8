//! `list`, `info`, `tree` and `why` where there is no lock, or a damaged one.

use rocmenv_tests::Sandbox;

use crate::snapshot;

#[test]
fn without_a_lock_the_way_to_one_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[project]\n");
    insta::assert_snapshot!(snapshot(&sandbox, "why numpy"), @r#"
        exit: 3
        --- stdout ---
        --- stderr ---
        error[lock-missing]: the project has no `rocm.lock` yet
        help: rocmenv lock
        "#);
}

#[test]
fn a_newer_lock_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[project]\n");
    sandbox.write("rocm.lock", "version = 9\n");
    insta::assert_snapshot!(snapshot(&sandbox, "list"), @r#"
        exit: 3
        --- stdout ---
        --- stderr ---
        error[lock-version]: `rocm.lock` has format version 9; this rocmenv reads version 1
        help: use the rocmenv that wrote it, or `rocmenv lock` after removing the file
        "#);
}

#[test]
fn a_cut_off_lock_is_an_integrity_error() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[project]\n");
    sandbox.write("rocm.lock", "version = 1\n\n[[package]]\nname = \"num");
    insta::assert_snapshot!(snapshot(&sandbox, "tree"), @r#"
        exit: 5
        --- stdout ---
        --- stderr ---
        error[lock-damaged]: `rocm.lock` is damaged at line 4, column 12: invalid basic string, expected `"`
        help: git checkout rocm.lock, or `rocmenv lock` after removing the file
        "#);
}

#[test]
fn without_an_environment_nothing_runs() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[project]\n");
    insta::assert_snapshot!(snapshot(&sandbox, "run python"), @r#"
        exit: 3
        --- stdout ---
        --- stderr ---
        error[environment-missing]: the project `[TEMP]/project` has no environment yet
        help: rocmenv sync
        "#);
}
