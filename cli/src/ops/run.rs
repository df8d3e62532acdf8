//! `run` and `shell`: which program, with which variables. Never locks, syncs or reaches out.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::environment::{self, Current, EnvironmentError};
use crate::context::Context;
use crate::error::{Exit, Failure};
use crate::variables;

/// A program that is ready to be run.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The program's file.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Variables that change; `None` goes away.
    pub variables: Vec<(String, Option<OsString>)>,
    /// Something that a person should know first.
    pub warning: Option<&'static str>,
}

/// Finds the program in the environment, else on PATH.
///
/// # Errors
/// There is no environment, or no such program.
pub fn prepare(context: &Context, command: &[OsString]) -> Result<Prepared, RunError> {
    prepare_in(context, &environment::current(context)?, command)
}

/// As `prepare`, in an environment that was found already.
///
/// # Errors
/// There is no such program.
pub fn prepare_in(
    context: &Context,
    current: &Current,
    command: &[OsString],
) -> Result<Prepared, RunError> {
    let (name, arguments) = command.split_first().ok_or(RunError::Nothing)?;
    let program = find(context, current, name)
        .ok_or_else(|| RunError::NotFound { name: name.to_string_lossy().into_owned() })?;
    Ok(prepared(context, current, program, arguments.to_vec()))
}

/// The user's shell in the environment.
///
/// # Errors
/// As for `prepare`.
pub fn shell(context: &Context) -> Result<Prepared, RunError> {
    let current = environment::current(context)?;
    let default = if cfg!(windows) { "powershell" } else { "/bin/sh" };
    // On Windows the variable comes from shells of other systems, with a path of theirs.
    let usable = |shell: &&OsStr| cfg!(not(windows)) || Path::new(shell).is_file();
    let own = context.environment.value(&variables::SHELL).filter(usable);
    let shell = own.unwrap_or(OsStr::new(default));
    let program = find(context, &current, shell)
        .ok_or_else(|| RunError::NotFound { name: shell.to_string_lossy().into_owned() })?;
    Ok(prepared(context, &current, program, Vec::new()))
}

fn prepared(
    context: &Context,
    current: &Current,
    program: PathBuf,
    arguments: Vec<OsString>,
) -> Prepared {
    Prepared { program, arguments, variables: current.variables(context), warning: current.drift() }
}

fn find(context: &Context, current: &Current, name: &OsStr) -> Option<PathBuf> {
    if Path::new(name).components().count() > 1 {
        return Some(context.cwd.join(name));
    }
    let own = current.activation.program_folders().into_iter().map(Path::to_owned);
    let path = context.environment.value(&variables::PATH).unwrap_or_default();
    let mut folders = own.chain(std::env::split_paths(path));
    folders.find_map(|folder| program_in(&folder, name))
}

/// The file of a program in a folder, with the endings that Windows runs.
pub fn program_in(folder: &Path, name: &OsStr) -> Option<PathBuf> {
    let plain = folder.join(name);
    if cfg!(windows) {
        let endings = ["", ".exe", ".cmd", ".bat"];
        return endings.iter().find_map(|ending| {
            let mut path = plain.clone().into_os_string();
            path.push(ending);
            let path = PathBuf::from(path);
            path.is_file().then_some(path)
        });
    }
    is_executable(&plain).then_some(plain)
}

/// Whether this is a file that may be run.
pub fn is_executable(path: &Path) -> bool {
    let Ok(metadata) = fs_err::metadata(path) else { return false };
    #[cfg(unix)]
    let allowed = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let allowed = path.extension().is_some_and(|ending| {
        ["exe", "cmd", "bat"].iter().any(|known| ending.eq_ignore_ascii_case(known))
    });
    metadata.is_file() && allowed
}

/// Nothing was run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No environment.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// No command.
    #[error("no command was given")]
    Nothing,
    /// No such program.
    #[error("`{name}` is neither in the environment nor on PATH")]
    NotFound {
        /// Its name.
        name: String,
    },
    /// The system refused to run it.
    #[error("cannot run `{}`", program.display())]
    Refused {
        /// The program.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Failure for RunError {
    fn exit(&self) -> Exit {
        match self {
            Self::Environment(inner) => inner.exit(),
            Self::Nothing => Exit::Usage,
            // What shells give for a program that is not there, and for one that cannot be run.
            Self::NotFound { .. } => Exit::Child(127),
            Self::Refused { .. } => Exit::Child(126),
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Environment(inner) => inner.code(),
            Self::Nothing => None,
            Self::NotFound { .. } => Some("program-not-found"),
            Self::Refused { .. } => Some("program-refused"),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Environment(inner) => inner.help(),
            Self::Nothing => Some("rocmenv run python".to_owned()),
            Self::NotFound { .. } => Some("rocmenv list".to_owned()),
            Self::Refused { .. } => None,
        }
    }
}
