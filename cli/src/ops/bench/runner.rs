//! One start of a measuring program in the environment.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use rocmenv_resolver::bench::{self, Bench, Measurement};
use rocmenv_store::report::{Progress, Task, TaskKind};

use super::{BenchError, Program};
use crate::context::Context;
use crate::error::Error;
use crate::ops::environment::Current;
use crate::ops::files;
use crate::ops::run::{self, RunError};

/// Runs a measurement's program once in a generation and reads what it printed. `place` is which
/// start of how many.
pub(super) fn run(
    context: &Context,
    current: &Current,
    bench: Bench,
    arguments: &[String],
    place: (usize, usize),
) -> Result<Measurement, Error> {
    let program = Program::of(bench).ok_or(BenchError::NoProgram(bench.name()))?;
    let file = written(&current.root.state(), program)?;
    let mut words: Vec<OsString> = vec!["python".into(), "-B".into(), file.into()];
    words.extend(arguments.iter().map(OsString::from));
    let prepared = run::prepare_in(context, current, &words)?;
    let mut command = Command::new(&prepared.program);
    command.args(&prepared.arguments).current_dir(&context.cwd).stdin(Stdio::null());
    for (name, value) in prepared.variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let name = format!("{} (run {} of {})", program.name, place.0, place.1.max(1));
    let task = Task { kind: TaskKind::Query, name, total: None };
    let progress = Progress::start(&*context.reporter, &task);
    let output = command
        .output()
        .map_err(|source| RunError::Refused { program: prepared.program, source })?;
    drop(progress);
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim().lines().last().unwrap_or_default().to_owned();
        let code =
            output.status.code().map_or("a signal".to_owned(), |code| format!("code {code}"));
        return Err(BenchError::Program { code, said }.into());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(bench::read(&text).map_err(BenchError::Document)?)
}

/// The program as a file: processes that it starts itself have to find it again.
fn written(state: &std::path::Path, program: Program) -> Result<PathBuf, Error> {
    let folder = state.join("bench");
    files::make_folder(&folder)?;
    let path = folder.join(program.name);
    if files::read_optional(&path)?.as_deref() != Some(program.text) {
        files::replace(&path, program.text)?;
    }
    Ok(path)
}
