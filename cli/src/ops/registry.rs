//! The registry of a call: the embedded one, with the user's and the project's overlays.

use std::path::{Path, PathBuf};

use fs_err as fs;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rocmenv_manifests::registry::{Overlay, OverlayError, Registry};

use super::edit::place::StackNames;
use super::files::{self, FileError};
use crate::context::{Context, NoFolder};
use crate::error::{Exit, Failure};
use crate::project_root::ProjectRoot;

/// The registry as this call sees it: embedded, then the user's overlays, then the project's,
/// each folder in the order of its file names.
///
/// # Errors
/// An overlay cannot be read or used.
pub fn load(context: &Context) -> Result<Registry, RegistryError> {
    let overlays = overlays(context)?;
    Ok(Registry::with_overlays(&overlays)?)
}

/// The overlays of a call, in the order in which they are applied.
///
/// # Errors
/// One is there and cannot be read.
pub fn overlays(context: &Context) -> Result<Vec<Overlay>, RegistryError> {
    let mut overlays = Vec::new();
    for folder in folders(context) {
        for path in tomls(&folder)? {
            let text = files::read(&path)?;
            overlays.push(Overlay { file: path.display().to_string(), text });
        }
    }
    Ok(overlays)
}

/// Checks an overlay together with those that are there, and copies it beside them: into the
/// project's folder, or into the user's where there is no project or `user` asks for it. Gives
/// its new path.
///
/// # Errors
/// It cannot be read, used or written.
pub fn add(context: &Context, file: &Path, user: bool) -> Result<PathBuf, RegistryError> {
    let text = files::read(&context.cwd.join(file))?;
    let project = if user { None } else { context.project().ok() };
    let folder = match project {
        Some(root) => project_folder(&root),
        None => context.config()?.join(FOLDER),
    };
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(".toml");
    let target = folder.join(name);
    let shown = target.display().to_string();
    let mut overlays = overlays(context)?;
    overlays.retain(|known| known.file != shown);
    overlays.push(Overlay { file: file.display().to_string(), text: text.clone() });
    Registry::with_overlays(&overlays)?;
    if !context.settings.dry_run {
        fs::create_dir_all(&folder)
            .map_err(|source| FileError::Write { path: folder.clone(), source: source.into() })?;
        files::replace(&target, &text)?;
    }
    Ok(target)
}

/// How old the registry's facts are, in words.
pub fn dated(registry: &Registry, now: Timestamp) -> String {
    let date = registry.date();
    let collected = date.parse::<Date>().ok();
    let today = now.to_zoned_datetime(TimeZone::UTC).date();
    let days = collected.and_then(|day| today.since(day).ok()).map(|span| span.get_days());
    match days {
        Some(days) if days > CHECK_INTERVAL_DAYS => {
            format!("registry of {date}, {days} days old: look for a newer rocmenv")
        }
        _ => format!("registry of {date}"),
    }
}

/// The folder of the user's overlays, where there can be one.
pub fn user_folder(context: &Context) -> Option<PathBuf> {
    Some(context.config().ok()?.join(FOLDER))
}

/// The folder of a project's overlays.
pub fn project_folder(root: &ProjectRoot) -> PathBuf {
    root.folder().join("rocm.registry.d")
}

/// The names that `add` and `init` tell apart.
pub fn stack_names(registry: &Registry) -> StackNames {
    let frameworks = registry.frameworks().framework.iter();
    let components = registry.components().component.iter();
    StackNames {
        frameworks: frameworks.map(|row| (row.name.clone(), row.aliases.clone())).collect(),
        components: components.map(|row| row.name.clone()).collect(),
    }
}

/// The folders that overlays are read from, in order.
pub fn folders(context: &Context) -> Vec<PathBuf> {
    let project = context.project().ok().map(|root| project_folder(&root));
    user_folder(context).into_iter().chain(project).collect()
}

fn tomls(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let fault = |source| FileError::Read { path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(fault(error)),
    };
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    let mut paths = paths.map_err(fault)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    Ok(paths)
}

/// The registry of this call cannot be used.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum RegistryError {
    /// An overlay cannot be read.
    File(#[from] FileError),
    /// An overlay is wrong.
    Overlay(#[from] OverlayError),
    /// There is no place for the user's own.
    NoFolder(#[from] NoFolder),
}

impl Failure for RegistryError {
    fn exit(&self) -> Exit {
        match self {
            Self::File(inner) => inner.exit(),
            Self::Overlay(_) => Exit::Usage,
            Self::NoFolder(inner) => inner.exit(),
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::File(inner) => inner.code(),
            Self::Overlay(_) => Some("overlay-invalid"),
            Self::NoFolder(inner) => inner.code(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::File(inner) => inner.help(),
            Self::Overlay(_) => Some("rocmenv explain overlay-invalid".to_owned()),
            Self::NoFolder(inner) => inner.help(),
        }
    }
}

const FOLDER: &str = "registry.d";

/// AMD's rhythm of releases: after a quarter there is news.
const CHECK_INTERVAL_DAYS: i32 = 90;
