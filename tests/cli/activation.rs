//! `run`, `activate` and `shims` in an environment, in the real shells.

use rocmenv_tests::Sandbox;

use crate::shells::is_installed;
use crate::{rocmenv, snapshot, with_environment};

#[test]
fn run_sets_the_variables_and_passes_arguments_and_code_through() {
    let sandbox = Sandbox::new();
    with_environment(&sandbox);
    insta::assert_snapshot!(snapshot(&sandbox, "run hello --json"), @r#"
        exit: 7
        --- stdout ---
        [TEMP]/project/.rocmenv/host/generations/1/it's a "$path"|--json
        --- stderr ---
        "#);
}

#[test]
fn a_program_that_is_nowhere_is_127() {
    let sandbox = Sandbox::new();
    with_environment(&sandbox);
    insta::assert_snapshot!(snapshot(&sandbox, "run no-such-program"), @r#"
        exit: 127
        --- stdout ---
        --- stderr ---
        error[program-not-found]: `no-such-program` is neither in the environment nor on PATH
        help: rocmenv list
        "#);
}

/// The environment's own `python` leads nowhere once the interpreter that it was made with is taken
/// away; one that happens to be on PATH is another.
#[cfg(unix)]
#[test]
fn a_vanished_interpreter_is_named_and_no_other_one_taken() {
    let sandbox = Sandbox::new();
    with_environment(&sandbox);
    let python = sandbox.project().join(".rocmenv/host/generations/1/env/bin/python");
    std::os::unix::fs::symlink("/nowhere/python3.12", python).expect("linked");
    insta::assert_snapshot!(snapshot(&sandbox, "run python -c 1"), @r"
        exit: 3
        --- stdout ---
        --- stderr ---
        error[python-gone]: `python` of the environment is gone: no `/nowhere/python3.12`
        help: rocmenv sync
        ");
}

#[test]
fn newer_files_are_one_warning() {
    let sandbox = Sandbox::new();
    with_environment(&sandbox);
    sandbox.write("rocm.toml", "# a comment\n[project]\nname = \"p\"\n");
    assert_eq!(rocmenv(&sandbox, "run hello").stderr, "");
    sandbox.write("rocm.toml", "[requires]\njax = \"*\"\n");
    assert_eq!(rocmenv(&sandbox, "run hello").stderr.lines().count(), 1);
    sandbox.write("rocm.lock", "version = 1\n# newer\n");
    insta::assert_snapshot!(snapshot(&sandbox, "run hello"), @r#"
        exit: 7
        --- stdout ---
        [TEMP]/project/.rocmenv/host/generations/1/it's a "$path"|
        --- stderr ---
        warning: rocm.lock is not what this environment was made of: rocmenv sync
        "#);
}

#[test]
fn a_moved_project_is_named_with_the_command() {
    let sandbox = Sandbox::new();
    with_environment(&sandbox);
    let (here, there) = (sandbox.project(), sandbox.path("project/moved"));
    fs_err::create_dir_all(&there).expect("the sandbox can be written");
    for name in [".rocmenv", "rocm.toml", "rocm.lock"] {
        fs_err::rename(here.join(name), there.join(name)).expect("the sandbox can be written");
    }
    insta::assert_snapshot!(snapshot(&sandbox, "--project moved run hello"), @r#"
        exit: 3
        --- stdout ---
        --- stderr ---
        error[environment-moved]: the environment `[TEMP]/project/moved/.rocmenv/host/generations/1` was made at `[TEMP]/project/.rocmenv/host/generations/1`
        help: rocmenv sync
        "#);
}

#[test]
fn activation_and_its_end_leave_the_shell_as_it_was() {
    let sandbox = Sandbox::new();
    with_environment(&sandbox);
    let binary = env!("CARGO_BIN_EXE_rocmenv");
    for shell in ["bash", "zsh", "fish"] {
        if !is_installed(shell) {
            continue;
        }
        let enter = match shell {
            "fish" => format!("{binary} activate fish | source"),
            _ => format!("eval \"$({binary} activate {shell})\""),
        };
        let script = format!(
            "{enter}\nhello inside\necho \"$LD_LIBRARY_PATH\"\n{enter}\nrocmenv_deactivate\n\
             echo \"after=$ROCM_PATH=$LD_LIBRARY_PATH=$PYTHONHOME=$PATH\"\n"
        );
        let run = sandbox.command(shell).args(["-c", &script]);
        let output = run.env("PYTHONHOME", "/x").env("PATH", "/usr/bin:/bin").run();
        let root = sandbox.project().join(".rocmenv/host/generations/1");
        let expected = format!(
            "{root}/it's a \"$path\"|inside\n{root}/rocm/lib\nafter===/x=/usr/bin:/bin\n",
            root = root.display()
        );
        let shown = output.stdout.replace("/usr/bin /bin", "/usr/bin:/bin");
        assert_eq!(shown, expected, "{shell}: {}", output.snapshot());
    }
}

#[test]
fn shims_are_installed_for_what_the_environment_brings() {
    let mut sandbox = Sandbox::new();
    with_environment(&sandbox);
    let shims = sandbox.path("shims");
    sandbox.env("ROCMENV_SHIMS", &shims.display().to_string());
    insta::assert_snapshot!(snapshot(&sandbox, "shims install"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        installed hello
        installed python
        installed python3
        put the folder first on PATH: export PATH="[TEMP]/shims:$PATH"
        "#);
    let hello = sandbox.command(shims.join("hello")).arg("shimmed").run();
    assert_eq!(hello.code, 7, "{}", hello.snapshot());
    assert!(hello.stdout.ends_with("|shimmed\n"));
    assert_eq!(rocmenv(&sandbox, "shims list").stdout, "hello\npython\npython3\n");
    fs_err::write(shims.join("mine"), "x").expect("the sandbox can be written");
    insta::assert_snapshot!(snapshot(&sandbox, "shims remove hello mine"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        removed hello
        warning: `[TEMP]/shims/mine` is no shim of rocmenv and was left alone
        "#);
    assert_eq!(rocmenv(&sandbox, "shims list").stdout, "python\npython3\n");
}

#[test]
fn a_shim_is_a_name_and_what_is_only_planned_is_not_said_to_be_done() {
    let mut sandbox = Sandbox::new();
    with_environment(&sandbox);
    let shims = sandbox.path("shims");
    sandbox.env("ROCMENV_SHIMS", &shims.display().to_string());
    for words in ["shims install ../evil", "shims install a/b", "shims remove .."] {
        let output = rocmenv(&sandbox, words);
        assert!(
            output.code == 2 && output.stderr.contains("is not the name of a program"),
            "{words}"
        );
    }
    insta::assert_snapshot!(snapshot(&sandbox, "shims install hello --dry-run"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        would have installed hello
        put the folder first on PATH: export PATH="[TEMP]/shims:$PATH"
        "#);
    assert!(!shims.exists() && !sandbox.exists("evil"));
}
