//! What a path is, and which reader reads it.

use std::path::Path;

use rocmenv_manifests::registry::Registry;

use super::{Foreign, ImportError, pylock, pyproject, requirements, rocm, rocm_cli, uv_lock, venv};
use crate::context::Context;
use crate::error::Error;
use crate::ops::host::{self, HostOptions};

/// A kind of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// A requirements file of pip.
    Requirements,
    /// pyproject.toml.
    Pyproject,
    /// uv.lock.
    UvLock,
    /// pylock.toml.
    Pylock,
    /// A virtual environment.
    Venv,
    /// A ROCm of the host.
    Rocm,
    /// The folder of AMD's rocm-cli.
    RocmCli,
}

impl SourceKind {
    /// In words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Requirements => "a requirements file",
            Self::Pyproject => "a pyproject.toml",
            Self::UvLock => "a lock of uv",
            Self::Pylock => "a pylock.toml",
            Self::Venv => "a virtual environment",
            Self::Rocm => "a ROCm of this host",
            Self::RocmCli => "the runtimes of rocm-cli",
        }
    }
}

/// What `path` is: as said, else by its name, else by what lies in it.
pub(super) fn kind(
    context: &Context,
    path: &Path,
    said: Option<SourceKind>,
) -> Result<SourceKind, Error> {
    if let Some(said) = said {
        return Ok(said);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let by_name = match name.as_str() {
        "uv.lock" => Some(SourceKind::UvLock),
        "pyproject.toml" => Some(SourceKind::Pyproject),
        _ if name.starts_with("pylock.") && has_extension(path, "toml") => Some(SourceKind::Pylock),
        _ if has_extension(path, "txt") || has_extension(path, "in") => {
            Some(SourceKind::Requirements)
        }
        _ => None,
    };
    if let Some(kind) = by_name {
        return Ok(kind);
    }
    if path.join("pyvenv.cfg").is_file() {
        return Ok(SourceKind::Venv);
    }
    if path.join(rocm_cli::REGISTRY).is_dir() {
        return Ok(SourceKind::RocmCli);
    }
    // the machine is asked through its facts, so that a described host answers the same
    let known = crate::ops::registry::load(context)?;
    let facts = host::facts(context, &known, &HostOptions::default())?;
    if rocm::find(&facts, path).is_some() {
        return Ok(SourceKind::Rocm);
    }
    Err(if path.exists() {
        ImportError::UnknownKind { path: path.to_owned() }.into()
    } else {
        ImportError::NotThere { path: path.to_owned() }.into()
    })
}

/// Reads it.
pub(super) fn read(
    context: &Context,
    registry: &Registry,
    path: &Path,
    kind: SourceKind,
) -> Result<Foreign, Error> {
    let read = |path: &Path| crate::ops::files::read(path);
    let mut foreign = match kind {
        SourceKind::Requirements => requirements::read(path, &read)?,
        SourceKind::Pyproject => pyproject::read(&read(path)?)?,
        SourceKind::UvLock => uv_lock::read(&read(path)?)?,
        SourceKind::Pylock => pylock::read(&read(path)?)?,
        SourceKind::Venv => venv::read(path)?,
        SourceKind::Rocm => {
            let facts = host::facts(context, registry, &HostOptions::default())?;
            rocm::read(&facts, path)?
        }
        SourceKind::RocmCli => rocm_cli::read(path)?,
    };
    // the interpreter that pyenv and uv take for the project
    let beside = path.with_file_name(".python-version");
    if matches!(kind, SourceKind::Pyproject | SourceKind::UvLock)
        && let Some(text) = crate::ops::files::read_optional(&beside).map_err(ImportError::from)?
        && let Some(series) = series(&text)
    {
        foreign.python = series.parse().ok().or(foreign.python);
    }
    Ok(foreign)
}

/// `3.12` of `3.12`, `3.12.4` or `cpython-3.12`; nothing of other words.
fn series(text: &str) -> Option<String> {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    let mut parts = first?.trim_start_matches("cpython-").split('.');
    let (major, minor) = (parts.next()?, parts.next()?);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    (is_number(major) && is_number(minor)).then(|| format!("{major}.{minor}"))
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}
