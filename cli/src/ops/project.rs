//! The project of a call: its folder, and rocm.toml as read and as proven.

use rocmenv_manifests::project::{Project, ProjectError};

use super::files::{self, FileError};
use crate::context::Context;
use crate::error::{Exit, Failure};
use crate::project_root::{ProjectNotFound, ProjectRoot};

/// A project that was read.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Where it is.
    pub root: ProjectRoot,
    /// What it asks for.
    pub project: Project,
    /// rocm.toml, byte for byte.
    pub text: String,
}

/// Finds and reads the project of a call.
///
/// # Errors
/// There is none, or its rocm.toml cannot be used.
pub fn open(context: &Context) -> Result<Opened, OpenError> {
    let root = context.project()?;
    let text = files::read(&root.manifest())?;
    let project = Project::parse("rocm.toml", &text)?;
    Ok(Opened { root, project, text })
}

/// There is no project to work on.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum OpenError {
    /// No rocm.toml.
    NotFound(#[from] ProjectNotFound),
    /// It cannot be read.
    File(#[from] FileError),
    /// It is wrong.
    Project(#[from] ProjectError),
}

impl Failure for OpenError {
    fn exit(&self) -> Exit {
        self.inner().exit()
    }

    fn code(&self) -> Option<&'static str> {
        self.inner().code()
    }

    fn help(&self) -> Option<String> {
        self.inner().help()
    }
}

impl OpenError {
    fn inner(&self) -> &dyn Failure {
        match self {
            Self::NotFound(inner) => inner,
            Self::File(inner) => inner,
            Self::Project(inner) => inner,
        }
    }
}
