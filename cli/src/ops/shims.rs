//! `shims`: which names get a shim, and where.

use std::io;
use std::path::{Path, PathBuf};

use rocmenv_shims::install::{self, Outcome};
use rocmenv_store::user_path::{self, UserPathChange, UserPathError};

use super::environment;
use super::run::is_executable;
use crate::context::{Context, NoFolder};
use crate::error::{Exit, Failure};

/// What happened to the shims of some names.
#[derive(Debug, Clone)]
pub struct ShimsOutcome {
    /// The folder, which belongs on PATH.
    pub folder: PathBuf,
    /// Each name with what happened to it.
    pub names: Vec<(String, Outcome)>,
    /// Whether the folder is on PATH.
    pub on_path: bool,
}

/// Puts shims for `names`; for python and every program of the current environment where none
/// is named.
///
/// # Errors
/// The folder cannot be written, or the shim program is not beside this one.
pub fn install(context: &Context, names: &[String]) -> Result<ShimsOutcome, ShimsError> {
    check(names)?;
    let shim = shim_program(context)?;
    let names = if names.is_empty() { default_names(context) } else { names.to_vec() };
    let folder = context.shims()?;
    if context.settings.dry_run {
        let planned = names.into_iter().map(|name| (name, Outcome::Installed)).collect();
        return Ok(outcome(context, folder, planned));
    }
    let done = install::install(&folder, &shim, &names)
        .map_err(|source| ShimsError::Folder { folder: folder.clone(), source })?;
    Ok(outcome(context, folder, names.into_iter().zip(done).collect()))
}

/// The names that have a shim.
///
/// # Errors
/// The folder cannot be read.
pub fn list(context: &Context) -> Result<(PathBuf, Vec<String>), ShimsError> {
    let folder = context.shims()?;
    let shim = shim_program(context)?;
    let names = install::list(&folder, &shim)
        .map_err(|source| ShimsError::Folder { folder: folder.clone(), source })?;
    Ok((folder, names))
}

/// Takes the shims of `names` out; of all names where none is named.
///
/// # Errors
/// The folder cannot be written.
pub fn remove(context: &Context, names: &[String]) -> Result<ShimsOutcome, ShimsError> {
    check(names)?;
    let (folder, present) = list(context)?;
    let shim = shim_program(context)?;
    let names = if names.is_empty() { present } else { names.to_vec() };
    if context.settings.dry_run {
        let planned = names.into_iter().map(|name| (name, Outcome::Removed)).collect();
        return Ok(outcome(context, folder, planned));
    }
    let done = install::remove(&folder, &shim, &names)
        .map_err(|source| ShimsError::Folder { folder: folder.clone(), source })?;
    Ok(outcome(context, folder, names.into_iter().zip(done).collect()))
}

/// What came of putting the folder of the shims on the user's search path.
#[derive(Debug, Clone)]
pub struct ShellUpdate {
    /// The folder.
    pub folder: PathBuf,
    /// What changed; `None` where it was only asked what would.
    pub change: Option<UserPathChange>,
}

/// Puts the folder of the shims first on the user's search path, or takes it off.
///
/// # Errors
/// The system keeps no such path, or does not let it be changed.
pub fn update_shell(context: &Context, undo: bool) -> Result<ShellUpdate, ShimsError> {
    let folder = context.shims()?;
    if context.settings.dry_run {
        return Ok(ShellUpdate { folder, change: None });
    }
    let change = if undo { user_path::remove(&folder) } else { user_path::add(&folder) };
    Ok(ShellUpdate { folder, change: Some(change?) })
}

/// A shim is a program's name, never a way out of the folder.
fn check(names: &[String]) -> Result<(), ShimsError> {
    let is_name = |name: &&String| {
        Path::new(name).file_name().is_some_and(|last| last == name.as_str())
            && !name.contains('\\')
    };
    match names.iter().find(|name| !is_name(name)) {
        Some(name) => Err(ShimsError::Name { name: name.clone() }),
        None => Ok(()),
    }
}

fn outcome(context: &Context, folder: PathBuf, names: Vec<(String, Outcome)>) -> ShimsOutcome {
    let path = context.environment.value(&crate::variables::PATH).unwrap_or_default();
    let on_path = std::env::split_paths(path).any(|known| known == folder);
    ShimsOutcome { folder, names, on_path }
}

/// The names that nobody has to think of: python, and what the environment brings.
fn default_names(context: &Context) -> Vec<String> {
    let mut names: Vec<String> = PYTHONS.iter().map(|name| (*name).to_owned()).collect();
    if let Ok(current) = environment::current(context) {
        for folder in current.activation.program_folders() {
            names.extend(programs(folder));
        }
    }
    names.sort();
    names.dedup();
    names
}

fn programs(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs_err::read_dir(folder) else { return Vec::new() };
    let files = entries.filter_map(Result::ok).map(|entry| entry.path());
    let runnable = files.filter(|path| is_executable(path));
    runnable
        .filter_map(|path| {
            let name = if cfg!(windows) { path.file_stem() } else { path.file_name() };
            name?.to_str().map(str::to_owned)
        })
        .filter(|name| !name.starts_with("activate") && name != "deactivate")
        .collect()
}

/// The shim program, beside this one. On Windows it starts the scripts of environments, too.
///
/// # Errors
/// It is not there.
pub fn shim_program(context: &Context) -> Result<PathBuf, ShimsError> {
    let name = format!("rocmenv-shim{}", std::env::consts::EXE_SUFFIX);
    let path = context.program.with_file_name(name);
    if path.is_file() { Ok(path) } else { Err(ShimsError::NoProgram { path }) }
}

/// The shims could not be changed.
#[derive(Debug, thiserror::Error)]
pub enum ShimsError {
    /// The shim program is missing.
    #[error("the shim program is not at `{}`", path.display())]
    NoProgram {
        /// Where it should be.
        path: PathBuf,
    },
    /// What cannot be a program's name.
    #[error("`{name}` is not the name of a program")]
    Name {
        /// What was given.
        name: String,
    },
    /// There is no folder for them.
    #[error(transparent)]
    NoFolder(#[from] NoFolder),
    /// The user's search path cannot be changed.
    #[error(transparent)]
    UserPath(#[from] UserPathError),
    /// The folder cannot be used.
    #[error("cannot change the shims in `{}`", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Failure for ShimsError {
    fn exit(&self) -> Exit {
        match self {
            Self::Name { .. } => Exit::Usage,
            _ => Exit::Unmet,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoProgram { .. } => "shim-missing",
            Self::Name { .. } => return None,
            Self::NoFolder(inner) => return inner.code(),
            Self::Folder { .. } | Self::UserPath(_) => "file-not-writable",
        })
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NoProgram { .. } => {
                Some("put `rocmenv-shim` of the same release beside `rocmenv`".to_owned())
            }
            Self::NoFolder(inner) => inner.help(),
            Self::Name { .. } => Some("rocmenv shims list".to_owned()),
            Self::UserPath(_) => Some("rocmenv shims install".to_owned()),
            Self::Folder { .. } => Some("export ROCMENV_SHIMS=/path/to/a/folder".to_owned()),
        }
    }
}

/// Environments on Windows have no `python3`.
const PYTHONS: &[&str] = if cfg!(windows) { &["python"] } else { &["python", "python3"] };
