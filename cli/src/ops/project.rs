//! The project of a call: its folder, and rocm.toml as read and as proven.

use rocmenv_manifests::name::EnvName;
use rocmenv_manifests::project::{Project, ProjectError, did_you_mean, nearest};

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

/// As [`open`], where the environment of the call must be one of rocm.toml.
///
/// # Errors
/// As [`open`], or the environment is not there.
pub fn open_environment(context: &Context) -> Result<Opened, OpenError> {
    let opened = open(context)?;
    let env = &context.settings.env;
    if env.is_default() || opened.project.environments.contains_key(env) {
        return Ok(opened);
    }
    let names = opened.project.environments.keys().filter(|known| !known.is_default());
    let names: Vec<String> = names.map(ToString::to_string).collect();
    Err(UnknownEnvironment { name: env.clone(), known: names }.into())
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
    /// It has no such environment.
    Environment(#[from] UnknownEnvironment),
}

/// rocm.toml has no such environment.
#[derive(Debug, thiserror::Error)]
#[error("no environment `{name}` in `rocm.toml`{}", nearest_of(name, known))]
pub struct UnknownEnvironment {
    /// The name.
    pub name: EnvName,
    /// Those that there are, the unnamed one left out.
    pub known: Vec<String>,
}

impl Failure for UnknownEnvironment {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn code(&self) -> Option<&'static str> {
        Some("unknown-environment")
    }

    fn help(&self) -> Option<String> {
        Some(match nearest(self.name.as_str(), self.known.iter().map(String::as_str)) {
            Some(known) => format!("-e {known}"),
            None => format!("rocmenv add -e {} python", self.name),
        })
    }
}

fn nearest_of(name: &EnvName, known: &[String]) -> String {
    did_you_mean(nearest(name.as_str(), known.iter().map(String::as_str)))
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
            Self::Environment(inner) => inner,
        }
    }
}
