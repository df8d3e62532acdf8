//! The binary from the outside: words, exit codes, errors, shells, documents.

#![cfg(unix)] // what is run for Windows is in tests/windows

#[path = "cli/activation.rs"]
mod activation;
#[path = "cli/cases.rs"]
mod cases;
#[path = "cli/checking.rs"]
mod checking;
#[path = "cli/codes.rs"]
mod codes;
#[path = "cli/doctor.rs"]
mod doctor;
#[path = "cli/documents.rs"]
mod documents;
#[path = "cli/editing.rs"]
mod editing;
#[path = "cli/generations.rs"]
mod generations;
#[path = "cli/interpreter.rs"]
mod interpreter;
#[path = "cli/locked.rs"]
mod locked;
#[path = "cli/measured.rs"]
mod measured;
#[path = "cli/measuring.rs"]
mod measuring;
#[path = "cli/pages.rs"]
mod pages;
#[path = "cli/quickstart.rs"]
mod quickstart;
#[path = "cli/refusing.rs"]
mod refusing;
#[path = "cli/refusing_hosts.rs"]
mod refusing_hosts;
#[path = "cli/registry.rs"]
mod registry;
#[path = "cli/shells.rs"]
mod shells;
#[path = "cli/templates.rs"]
mod templates;
#[path = "cli/tuning.rs"]
mod tuning;
#[path = "cli/two_readmes.rs"]
mod two_readmes;
#[path = "cli/usage.rs"]
mod usage;
#[path = "cli/verifying.rs"]
mod verifying;
#[path = "cli/windows.rs"]
mod windows;
#[path = "cli/windows_cases.rs"]
mod windows_cases;

use std::path::Path;

use rocmenv_tests::{Output, Sandbox};

/// One call of the binary in a sandbox; the words are parted at blanks.
fn rocmenv(sandbox: &Sandbox, words: &str) -> Output {
    sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words.split_whitespace()).run()
}

/// As [`rocmenv`], as one snapshot.
fn snapshot(sandbox: &Sandbox, words: &str) -> String {
    rocmenv(sandbox, words).snapshot()
}

/// A file of the repository.
fn repository(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// An environment as `sync` leaves it, with one program in it; no store behind it.
fn with_environment(sandbox: &Sandbox) {
    sandbox.write("rocm.toml", "[project]\nname = \"p\"\n");
    sandbox.write("rocm.lock", "version = 1\n");
    let generation = sandbox.project().join(".rocmenv/host/generations/1");
    let root = generation.display();
    sandbox.write(".rocmenv/host/current", "1\n");
    sandbox.write(".rocmenv/host/generations/1/rocm.toml", "[project]\nname = \"p\"\n");
    sandbox.write(".rocmenv/host/generations/1/rocm.lock", "version = 1\n");
    sandbox.write(
        ".rocmenv/host/generations/1/activation",
        format!(
            "rocmenv-activation 1\n{root}\nset ROCM_PATH {root}/it's a \"$path\"\n\
             prepend PATH {root}/env/bin\nprepend LD_LIBRARY_PATH {root}/rocm/lib\n\
             unset PYTHONHOME\n"
        ),
    );
    let program = sandbox.program("hello", "#!/bin/sh\necho \"$ROCM_PATH|$1\"\nexit 7\n");
    let bin = generation.join("env/bin");
    fs_err::create_dir_all(&bin).expect("the sandbox can be written");
    fs_err::rename(program, bin.join("hello")).expect("the sandbox can be written");
}
