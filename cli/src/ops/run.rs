//! `run` and `shell`: which program, with which variables. Never locks, syncs or reaches out.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use rocmenv_manifests::name::GroupName;
use rocmenv_resolver::guard::Culprit;
use rocmenv_store::generation;
use rocmenv_store::layout::GenerationLayout;

use super::environment::{self, Current, EnvironmentError};
use super::{guard, registry};
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
    /// What a person should know first.
    pub warnings: Vec<String>,
}

/// Finds the program in the environment, else on PATH.
///
/// # Errors
/// There is no environment, or no such program.
pub fn prepare(
    context: &Context,
    command: &[OsString],
    groups: &[GroupName],
) -> Result<Prepared, RunError> {
    let current = environment::current_with(context, groups)?;
    let mut warnings = guarded(context, &current)?;
    let mut prepared = prepare_in(context, &current, command)?;
    prepared.warnings.append(&mut warnings);
    Ok(prepared)
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
    present(current, name)?;
    let program = find(context, current, name)
        .ok_or_else(|| RunError::NotFound { name: name.to_string_lossy().into_owned() })?;
    Ok(prepared(context, current, program, arguments.to_vec()))
}

/// The user's shell in the environment.
///
/// # Errors
/// As for `prepare`.
pub fn shell(context: &Context, groups: &[GroupName]) -> Result<Prepared, RunError> {
    let current = environment::current_with(context, groups)?;
    let warnings = guarded(context, &current)?;
    let default = if cfg!(windows) { "powershell" } else { "/bin/sh" };
    // On Windows the variable comes from shells of other systems, with a path of theirs.
    let usable = |shell: &&OsStr| cfg!(not(windows)) || Path::new(shell).is_file();
    let own = context.environment.value(&variables::SHELL).filter(usable);
    let shell = own.unwrap_or(OsStr::new(default));
    let program = find(context, &current, shell)
        .ok_or_else(|| RunError::NotFound { name: shell.to_string_lossy().into_owned() })?;
    let mut prepared = prepared(context, &current, program, Vec::new());
    prepared.warnings.extend(warnings);
    Ok(prepared)
}

fn prepared(
    context: &Context,
    current: &Current,
    program: PathBuf,
    arguments: Vec<OsString>,
) -> Prepared {
    let warnings = current.drift().map(str::to_owned).into_iter().collect();
    Prepared { program, arguments, variables: current.variables(context), warnings }
}

/// Looks for what no generation knows: a changed accelerator is an error, all else is said.
fn guarded(context: &Context, current: &Current) -> Result<Vec<String>, RunError> {
    let place = GenerationLayout::at(current.generation.clone());
    // A record that cannot be read is told by `status`; it keeps no program from running.
    let Ok(generation) = generation::read(&place) else { return Ok(Vec::new()) };
    let strangers = guard::strangers(&generation, &place);
    if strangers.is_empty() {
        return Ok(Vec::new());
    }
    if let Ok(registry) = registry::load(context) {
        let culprits = guard::changed(&registry, &generation, &place, &strangers);
        if !culprits.is_empty() {
            return Err(RunError::AcceleratorChanged { culprits });
        }
    }
    let names: Vec<String> = strangers.iter().map(ToString::to_string).collect();
    Ok(vec![format!("{}: rocmenv status", names.join("; "))])
}

/// Refuses a program of the environment whose link leads nowhere: another of that name on PATH
/// is no replacement.
fn present(current: &Current, name: &OsStr) -> Result<(), RunError> {
    if Path::new(name).components().count() > 1 {
        return Ok(());
    }
    for folder in current.activation.program_folders() {
        let path = folder.join(name);
        if fs_err::metadata(&path).is_ok() {
            return Ok(());
        }
        if let Ok(gone) = fs_err::read_link(&path) {
            return Err(RunError::Gone { name: name.to_string_lossy().into_owned(), gone });
        }
    }
    Ok(())
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
    /// Something was put into the environment that changes its accelerator.
    #[error("{}", culprits.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    AcceleratorChanged {
        /// The packages.
        culprits: Vec<Culprit>,
    },
    /// No command.
    #[error("no command was given")]
    Nothing,
    /// No such program.
    #[error("`{name}` is neither in the environment nor on PATH")]
    NotFound {
        /// Its name.
        name: String,
    },
    /// The environment's program is a link that leads nowhere.
    #[error("`{name}` of the environment is gone: no `{}`", gone.display())]
    Gone {
        /// Its name.
        name: String,
        /// Where the link leads.
        gone: PathBuf,
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
            Self::AcceleratorChanged { .. } | Self::Gone { .. } => Exit::Stale,
            Self::Nothing => Exit::Usage,
            // What shells give for a program that is not there, and for one that cannot be run.
            Self::NotFound { .. } => Exit::Child(127),
            Self::Refused { .. } => Exit::Child(126),
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Environment(inner) => inner.code(),
            Self::AcceleratorChanged { .. } => Some("accelerator-changed"),
            Self::Nothing => None,
            Self::NotFound { .. } => Some("program-not-found"),
            Self::Gone { .. } => Some("python-gone"),
            Self::Refused { .. } => Some("program-refused"),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Environment(inner) => inner.help(),
            Self::AcceleratorChanged { .. } => Some("rocmenv sync --discard".to_owned()),
            Self::Nothing => Some("rocmenv run python".to_owned()),
            Self::NotFound { .. } => Some("rocmenv list".to_owned()),
            Self::Gone { .. } => Some("rocmenv sync".to_owned()),
            Self::Refused { .. } => None,
        }
    }
}
