//! The shim's main function: decide, then become the program.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, io};

use crate::child::become_program;
use crate::decide::{Call, Decision, decide};
use crate::{install, launcher};

/// Runs a shim with this process's arguments and variables. Returns only if nothing could be
/// run (127, or 126 for a program that cannot be executed). On Windows, where a process cannot
/// become another one, it ends with the child's code.
pub fn main() -> ExitCode {
    std::hint::black_box(install::MARK);
    let mut arguments = env::args_os();
    let called = arguments.next().unwrap_or_default();
    let folder = env::current_dir().unwrap_or_default();
    let shim = env::current_exe().unwrap_or_default();
    if let Some(script) = launcher::script_beside(&shim) {
        let mut command = Command::new(&script.interpreter);
        command.arg(&script.path).args(arguments);
        return run(command, &script.interpreter);
    }
    let name = program_name(&called);
    let variable = |name: &str| env::var_os(name);
    let call = Call { name: &name, shim: &shim, folder: &folder, variable: &variable };
    match decide(&call) {
        Decision::Fail(reason) => {
            say(&format!("rocmenv: {reason}"));
            ExitCode::from(NOT_FOUND)
        }
        Decision::Run { program, variables, warning } => {
            if let Some(warning) = warning {
                say(&warning);
            }
            let mut command = Command::new(&program);
            command.args(arguments);
            for (name, value) in variables {
                match value {
                    Some(value) => command.env(name, value),
                    None => command.env_remove(name),
                };
            }
            run(command, &program)
        }
    }
}

fn run(command: Command, program: &Path) -> ExitCode {
    let error = become_program(command);
    failed(program, &error)
}

fn program_name(called: &OsStr) -> OsString {
    let path = Path::new(called);
    let is_exe = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("exe"));
    let name = if cfg!(windows) && is_exe { path.file_stem() } else { path.file_name() };
    name.unwrap_or(called).to_owned()
}

fn failed(program: &Path, error: &io::Error) -> ExitCode {
    say(&format!("rocmenv: cannot run `{}`: {error}", program.display()));
    let missing = error.kind() == io::ErrorKind::NotFound;
    ExitCode::from(if missing { NOT_FOUND } else { NOT_EXECUTABLE })
}

/// Standard error may be closed; a shim does not fail over that.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

const NOT_FOUND: u8 = 127;
const NOT_EXECUTABLE: u8 = 126;
