//! `run` and `shell`: become the program, or wait for it where the system knows no becoming.

use std::ffi::OsString;
use std::process::Command;

use rocmenv_manifests::name::GroupName;
use rocmenv_shims::child::become_program;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::lock::Inputs;
use crate::ops::run::{self, Prepared, RunError};
use crate::ops::sync::SyncOptions;
use crate::render::Output;
use crate::runtime;

/// `run`. With `sync`, the environment is brought up to date first; without it, nothing is.
pub fn run(
    context: &Context,
    out: &mut Output,
    command: &[OsString],
    sync: bool,
    groups: &[GroupName],
) -> Result<Exit, Error> {
    if sync {
        bring_up_to_date(context, out, groups)?;
    }
    start(context, out, run::prepare(context, command, groups)?)
}

/// `shell`.
pub fn shell(context: &Context, out: &mut Output, groups: &[GroupName]) -> Result<Exit, Error> {
    let prepared = run::shell(context, groups)?;
    out.say(&format!("`{}` in the environment; `exit` leaves it", prepared.program.display()));
    start(context, out, prepared)
}

fn bring_up_to_date(
    context: &Context,
    out: &mut Output,
    groups: &[GroupName],
) -> Result<(), Error> {
    let inputs = Inputs::read(context)?;
    let groups = groups.to_vec();
    let options = SyncOptions { bytecode: true, groups, ..SyncOptions::default() };
    let future = ops::sync::sync(context, &inputs, &options, context.reporter.as_ref());
    let outcome = runtime::block_on(future)??;
    super::sync::report(context, out, &outcome);
    Ok(())
}

fn start(context: &Context, out: &mut Output, prepared: Prepared) -> Result<Exit, Error> {
    for warning in &prepared.warnings {
        out.warn(warning);
    }
    let mut command = Command::new(&prepared.program);
    command.args(&prepared.arguments).current_dir(&context.cwd);
    for (name, value) in prepared.variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let source = become_program(command);
    Err(RunError::Refused { program: prepared.program, source }.into())
}
