//! Words, help, versions, exit codes of usage.

use rocmenv_tests::Sandbox;

use crate::{rocmenv, snapshot};

#[test]
fn the_first_help_names_every_verb_and_the_exit_codes() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "-h"), @r"
        exit: 0
        --- stdout ---
        Takes a machine with an AMD GPU to a working deep-learning environment

        Usage: rocmenv [OPTIONS] <COMMAND>

        Commands:
          init         Make a project: a first rocm.toml
          quickstart   Detect the host, make a small project, lock, sync and verify it
          add          Ask for a framework, a ROCm, a component or a Python package
          remove       Ask for something no longer
          target       Add this host to the targets, list them, or remove one
          lock         Choose one compatible set for each target and write rocm.lock
          sync         Make the environment what rocm.lock says
          fetch        Fetch what a sync needs into a bundle, for machines without a network
          check        Say whether a stack goes together, from the registry alone
          run          Run a program in the environment
          shell        Start a shell in the environment
          activate     Print text that a shell evaluates to enter the environment
          verify       Look whether the environment is what it should be
          bench        Measure copies, collectives and matrix products, and compare measurements
          profile      Run a program under a profiler and say what holds it back
          tune         Give advice for speed, with reason, effect and risk
          prove        Say whether the files, fetched or not, hold code for the target's GPUs
          generations  List the environments that there were
          rollback     Go back to an earlier environment
          upgrade      Move to a newer ROCm or driver in stages that can be taken back
          bisect       Find the generation, or the release of ROCm, that broke something
          outdated     Say what is newer than what is locked
          status       Say how rocm.toml, rocm.lock, the environment and this host stand to each other
          list         List what is locked
          info         Say everything that the lock holds of a package
          tree         Show what needs what
          import       Take over what another tool wrote down or installed
          export       Say what is locked in the words of another tool
          why          Say why a package is there, or prove that a version cannot be
          graph        Draw what needs what
          host         Say what this machine is
          doctor       Say what is wrong with this machine or environment, and the way out
          python       List interpreters, and say which one an environment gets
          shims        Install, list or remove shims: programs that find the environment by themselves
          trust        Allow the commands of this project's rocm.toml to be run
          cache        Say where the cache is and what it takes
          gc           Remove from the store what no environment uses
          matrix       Show a table of the registry: releases, GPUs, drivers, frameworks
          registry     Say what the registry holds, or extend it
          schema       Print the JSON schema of rocm.toml
          completions  Print the completion script of a shell
          man          Print the manual, or write one page per command
          explain      Say what a code of an error, refusal or finding means
          help         Print this message or the help of the given subcommand(s)

        Options:
          -h, --help     Print help (see more with '--help')
          -V, --version  Print version

        Global options:
          -q, --quiet...            Say only errors
          -v, --verbose...          Say every step
              --color <WHEN>        When to use colours [default: auto] [possible values: auto, always,
                                    never]
              --no-progress         Show no progress bars
              --offline             Use no network
              --locked              The lock must already fit rocm.toml: nothing is written, else exit 3
              --frozen              Use the lock as it is, without checking it (as in uv and pixi, not as in
                                    cargo)
              --project <DIR>       The project's folder; without it, the nearest one with a rocm.toml is
                                    taken
              --target <NAME>       The target to work for, by its name in rocm.toml
          -e, --environment <NAME>  The environment of the project
              --host <FILE>         Facts of a host from a file (made by `host --json`) in place of this
                                    machine's
              --json                Print one JSON document on standard output
          -n, --dry-run             Print the plan and change nothing
          -y, --yes                 Take every question as answered with yes

        Exit codes:
          0  done
          1  cannot be met (no solution, verification failed)
          2  usage
          3  lock or environment out of date
          4  network
          5  integrity or signature
          6  host does not fit, host change or reboot needed
          `run` and shims pass the code of the program through
        --- stderr ---
        ");
}

#[test]
fn no_words_show_help_as_usage() {
    let output = rocmenv(&Sandbox::new(), "");
    assert_eq!((output.code, output.stdout.as_str()), (2, ""));
    assert!(output.stderr.contains("Usage: rocmenv"));
}

#[test]
fn a_misspelt_verb_is_usage_with_the_nearest() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "actvate bash"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error: unrecognized subcommand 'actvate'

          tip: a similar subcommand exists: 'activate'

        Usage: rocmenv [OPTIONS] <COMMAND>

        For more information, try '--help'.
        "#);
}

#[test]
fn usage_errors_are_json_too_where_json_is_asked() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "--json list --frobnicate"), @r#"
        exit: 2
        --- stdout ---
        {
          "error": {
            "code": "usage",
            "message": "unexpected argument '--frobnicate' found",
            "causes": [],
            "exit": 2
          }
        }
        --- stderr ---
        error: unexpected argument '--frobnicate' found

        Usage: rocmenv list [OPTIONS]

        For more information, try '--help'.
        "#);
}

#[test]
fn locked_and_frozen_exclude_each_other() {
    let output = rocmenv(&Sandbox::new(), "--locked --frozen list");
    assert_eq!(output.code, 2);
}

#[test]
fn without_a_project_the_way_to_one_is_named() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "list"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[project-not-found]: no `rocm.toml` in `[TEMP]/project` or any folder above it
        help: rocmenv init
        "#);
    insta::assert_snapshot!(snapshot(&sandbox, "list --json"), @r#"
        exit: 2
        --- stdout ---
        {
          "error": {
            "code": "project-not-found",
            "message": "no `rocm.toml` in `[TEMP]/project` or any folder above it",
            "causes": [],
            "help": "rocmenv init",
            "exit": 2
          }
        }
        --- stderr ---
        error[project-not-found]: no `rocm.toml` in `[TEMP]/project` or any folder above it
        help: rocmenv init
        "#);
}

#[test]
fn a_variable_that_cannot_be_is_named() {
    let mut sandbox = Sandbox::new();
    sandbox.env("ROCMENV_TARGET", "My Host");
    insta::assert_snapshot!(snapshot(&sandbox, "list"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[variable-invalid]: the variable `ROCMENV_TARGET` is not usable
          caused by: `My Host` cannot name a target: use lower-case letters, digits, `-`, `_` and `.`
        help: unset ROCMENV_TARGET
        "#);
}

#[test]
fn quiet_says_errors_only() {
    let sandbox = Sandbox::new();
    let output = rocmenv(&sandbox, "-q init");
    assert_eq!((output.code, output.stdout.as_str(), output.stderr.as_str()), (0, "", ""));
    assert!(sandbox.exists("rocm.toml"));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let sandbox = Sandbox::new();
    let script = format!(
        "set -o pipefail; {} matrix framework | head -n 1 >/dev/null",
        env!("CARGO_BIN_EXE_rocmenv")
    );
    let output = sandbox.command("bash").args(["-c", &script]).run();
    assert_eq!((output.code, output.stdout.as_str()), (0, ""));
}

#[test]
fn colours_come_only_where_they_are_asked_for() {
    let sandbox = Sandbox::new();
    assert!(!rocmenv(&sandbox, "list").stderr.contains('\u{1b}'));
    assert!(rocmenv(&sandbox, "--color always list").stderr.contains('\u{1b}'));
    assert!(forced(&sandbox).run().stderr.contains('\u{1b}'));
    assert!(!forced(&sandbox).env("NO_COLOR", "1").run().stderr.contains('\u{1b}'));
}

fn forced(sandbox: &Sandbox) -> rocmenv_tests::Run<'_> {
    sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).arg("list").env("CLICOLOR_FORCE", "1")
}

#[test]
fn a_host_file_that_is_not_there_is_wrong_usage() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "host --host nope.json"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[file-not-readable]: cannot read `[TEMP]/project/nope.json`
          caused by: failed to open file `[TEMP]/project/nope.json`: No such file or directory (os error 2)
        help: rocmenv explain file-not-readable
        ");
}
