//! `[project] path`: the project itself as part of its environment, used from its source.
//!
//! Its console scripts are those of its pyproject.toml. Nothing is built and no code of the
//! project runs.

use std::fmt::Write as _;
use std::path::PathBuf;

use rocmenv_manifests::lock::LockedTarget;
use rocmenv_store::environment::LocalProject;
use rocmenv_store::wheel::{EntryPoint, EntryPoints, WheelError};
use toml_edit::{DocumentMut, Item};

use crate::error::{Exit, Failure};
use crate::ops::files::{self, FileError};
use crate::ops::project::Opened;

/// The project to link, where rocm.toml gives its path.
pub(super) fn project(
    opened: &Opened,
    target: &LockedTarget,
) -> Result<Option<LocalProject>, LocalError> {
    let Some(path) = &opened.project.path else { return Ok(None) };
    let folder: PathBuf = opened.root.base().join(path).components().collect();
    if !folder.is_dir() {
        return Err(LocalError::NoFolder { path: path.clone() });
    }
    if target.python.is_none() {
        return Err(LocalError::NoPython);
    }
    let described = files::read_optional(&folder.join(PYPROJECT))?;
    let scripts = match &described {
        Some(text) => scripts(text)?,
        None => Vec::new(),
    };
    // with a pyproject.toml beside it, `src` is the layout that packaging guides name so
    let inner = folder.join("src");
    let source = if described.is_some() && inner.is_dir() { inner } else { folder };
    let source = fs_err::canonicalize(&source).unwrap_or(source);
    Ok(Some(LocalProject { name: opened.project.name.clone(), source, scripts }))
}

/// `[project.scripts]` and `[project.gui-scripts]` of a pyproject.toml.
fn scripts(text: &str) -> Result<Vec<EntryPoint>, LocalError> {
    let document: DocumentMut =
        text.parse().map_err(|error| LocalError::Pyproject(Box::new(error)))?;
    let mut table = String::new();
    for (key, group) in [("scripts", "console_scripts"), ("gui-scripts", "gui_scripts")] {
        let _ = writeln!(table, "[{group}]");
        let listed = document.get("project").and_then(|project| project.get(key));
        for (name, object) in
            listed.and_then(Item::as_table_like).into_iter().flat_map(|t| t.iter())
        {
            let _ = writeln!(table, "{name} = {}", object.as_str().unwrap_or_default());
        }
    }
    Ok(EntryPoints::parse(&table).map_err(LocalError::Script)?.all().cloned().collect())
}

/// The project itself cannot be part of its environment.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// The folder is not there.
    #[error("`[project] path` names the folder `{path}`, which is not there")]
    NoFolder {
        /// As written.
        path: String,
    },
    /// The environment has no interpreter.
    #[error("`[project] path` needs an interpreter, and the environment has none")]
    NoPython,
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// pyproject.toml is no TOML.
    #[error("the project's `pyproject.toml` cannot be read")]
    Pyproject(#[source] Box<toml_edit::TomlError>),
    /// A script that is none.
    #[error("the project's `pyproject.toml` names a script that is none")]
    Script(#[source] WheelError),
}

impl Failure for LocalError {
    fn exit(&self) -> Exit {
        match self {
            Self::File(inner) => inner.exit(),
            _ => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::File(inner) => inner.code(),
            _ => Some("project-path"),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NoPython => Some("rocmenv add python".to_owned()),
            _ => None,
        }
    }
}

const PYPROJECT: &str = "pyproject.toml";
