//! The `rocmenv` program: takes the world as it is and hands it to the library.
//!
//! This is the only place that reads the real arguments, variables, clock and streams.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use rocmenv::{Exit, Process};

fn main() -> ExitCode {
    ExitCode::from(match real_process() {
        Ok(process) => rocmenv::run(process).code(),
        Err(_) => Exit::Unmet.code(),
    })
}

/// Fails only where the current folder is gone, in which case nothing can be said of a project.
#[expect(clippy::disallowed_methods, reason = "this is where the real world is read")]
fn real_process() -> std::io::Result<Process> {
    Ok(Process {
        args: std::env::args_os().collect(),
        program: std::env::current_exe().unwrap_or_default(),
        env: std::env::vars_os().map(|(name, value)| (as_declared(name), value)).collect(),
        cwd: std::env::current_dir().inspect_err(|error| {
            use std::io::Write as _;
            let _ = writeln!(std::io::stderr(), "error: the current folder is gone: {error}");
        })?,
        now: jiff::Timestamp::now(),
        stdin_is_terminal: std::io::stdin().is_terminal(),
        stdout_is_terminal: std::io::stdout().is_terminal(),
        stderr_is_terminal: std::io::stderr().is_terminal(),
        stdout: Box::new(std::io::stdout()),
        stderr: Box::new(std::io::stderr()),
    })
}

/// A variable's name as everybody writes it. Windows tells no case apart and says `Path`.
fn as_declared(name: std::ffi::OsString) -> std::ffi::OsString {
    if cfg!(windows) { name.to_ascii_uppercase() } else { name }
}
