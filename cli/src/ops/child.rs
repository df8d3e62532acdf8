//! Running a program of the environment to its end and keeping what it said.

use std::ffi::OsString;
use std::process::{Command, Stdio};

use super::environment::Current;
use super::run::{self, RunError};
use crate::context::Context;

/// A program that ended.
#[derive(Debug, Clone)]
pub struct Ended {
    /// Its code; `None` where a signal ended it.
    pub code: Option<i32>,
    /// What it wrote to standard error, else to standard output.
    pub said: String,
}

/// Runs a program in the project's folder with the environment's variables and no input.
///
/// # Errors
/// There is no such program, or the system refuses to run it.
pub fn run(context: &Context, current: &Current, words: &[OsString]) -> Result<Ended, RunError> {
    let prepared = run::prepare_in(context, current, words)?;
    let mut command = Command::new(&prepared.program);
    command.args(&prepared.arguments).current_dir(current.root.folder()).stdin(Stdio::null());
    for (name, value) in prepared.variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let output = command
        .output()
        .map_err(|source| RunError::Refused { program: prepared.program, source })?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let errors = text(&output.stderr);
    let said = if errors.is_empty() { text(&output.stdout) } else { errors };
    Ok(Ended { code: output.status.code(), said })
}

impl Ended {
    /// The last line of what it said, which is where Python says what is wrong.
    pub fn last_line(&self) -> String {
        let ended = match self.code {
            Some(code) => format!("code {code}"),
            None => "ended by a signal".to_owned(),
        };
        match self.said.lines().last() {
            Some(line) => format!("{ended}: {line}"),
            None => ended,
        }
    }
}
