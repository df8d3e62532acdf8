//! Becoming another program, or where the system knows no becoming (Windows), waiting for it and
//! ending as it ended.

use std::io;
use std::process::Command;

/// Replaces this process by the program; comes back only with the reason why it could not.
#[cfg(unix)]
pub fn become_program(mut command: Command) -> io::Error {
    use std::os::unix::process::CommandExt as _;
    command.exec()
}

/// Runs the program and ends this process with its whole code, 32 bits of it: an `ExitCode` would
/// hold eight. Comes back only with the reason why the program could not be run.
#[cfg(windows)]
#[expect(clippy::exit, reason = "the only way to end with all 32 bits of a child's code")]
pub fn become_program(mut command: Command) -> io::Error {
    leave_interrupts_to_the_child();
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// Ctrl+C reaches every process of a console. The child decides what it means; if this process
/// ended by it, the terminal would be given back while the child still runs.
#[cfg(windows)]
#[expect(unsafe_code, reason = "std has no call for this; the handler touches nothing")]
fn leave_interrupts_to_the_child() {
    type Handler = unsafe extern "system" fn(event: u32) -> i32;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn SetConsoleCtrlHandler(handler: Option<Handler>, add: i32) -> i32;
    }

    unsafe extern "system" fn passed_on(event: u32) -> i32 {
        const CTRL_C: u32 = 0;
        const CTRL_BREAK: u32 = 1;
        i32::from(matches!(event, CTRL_C | CTRL_BREAK))
    }

    // A handler of its own rather than "ignore", which the child would inherit. Where there is no
    // console there is nothing to handle.
    unsafe { SetConsoleCtrlHandler(Some(passed_on), 1) };
}
