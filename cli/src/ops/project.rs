//! The project of a call: its folder, and rocm.toml as read and as proven.

use rocmenv_manifests::name::{EnvName, GroupName};
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
    /// What it asks for, with rocm.local.toml over it.
    pub project: Project,
    /// rocm.toml, byte for byte.
    pub text: String,
    /// rocm.local.toml, where there is one.
    pub local: Option<String>,
}

/// Finds and reads the project of a call.
///
/// # Errors
/// There is none, or its rocm.toml or rocm.local.toml cannot be used.
pub fn open(context: &Context) -> Result<Opened, OpenError> {
    let root = context.project()?;
    let text = files::read(&root.manifest())?;
    let local = files::read_optional(&root.local_manifest())?;
    let project = parse(&text, local.as_deref())?;
    Ok(Opened { root, project, text, local })
}

/// As [`open`], where an environment that was asked for by name must be one of rocm.toml.
///
/// # Errors
/// As [`open`], or the environment is not there.
pub fn open_environment(context: &Context) -> Result<Opened, OpenError> {
    let opened = open(context)?;
    if context.settings.is_env_asked {
        check_environment(&opened.project, &context.settings.env)?;
    }
    Ok(opened)
}

/// Whether rocm.toml has the environment.
///
/// # Errors
/// It has not; the error says which it has.
pub fn check_environment(project: &Project, env: &EnvName) -> Result<(), UnknownEnvironment> {
    if project.environments.contains_key(env) {
        return Ok(());
    }
    let known = project.environments.keys().map(ToString::to_string).collect();
    Err(UnknownEnvironment { name: env.clone(), known })
}

/// Whether rocm.toml has the groups.
///
/// # Errors
/// It lacks one.
pub fn check_groups(project: &Project, groups: &[GroupName]) -> Result<(), UnknownGroup> {
    let Some(name) = groups.iter().find(|group| !project.groups.contains_key(*group)) else {
        return Ok(());
    };
    let known = project.groups.keys().map(ToString::to_string).collect();
    Err(UnknownGroup { name: name.clone(), known })
}

impl Opened {
    /// A project whose rocm.toml is not written yet.
    ///
    /// # Errors
    /// The text is no rocm.toml.
    pub fn of_text(
        root: ProjectRoot,
        text: String,
        local: Option<String>,
    ) -> Result<Self, ProjectError> {
        let project = parse(&text, local.as_deref())?;
        Ok(Self { root, project, text, local })
    }

    /// The same project with another rocm.toml.
    ///
    /// # Errors
    /// The text is no rocm.toml.
    pub fn with_text(&self, text: String) -> Result<Self, ProjectError> {
        let project = parse(&text, self.local.as_deref())?;
        Ok(Self { project, text, ..self.clone() })
    }

    /// Whether rocm.local.toml changes what a lock depends on, so that rocm.lock is this
    /// machine's own.
    pub fn is_lock_local(&self) -> bool {
        if self.local.is_none() {
            return false;
        }
        let committed = Project::parse("rocm.toml", &self.text);
        committed.is_ok_and(|committed| committed.all_inputs() != self.project.all_inputs())
    }
}

fn parse(text: &str, local: Option<&str>) -> Result<Project, ProjectError> {
    match local {
        Some(local) => Project::parse_with_local(text, local),
        None => Project::parse("rocm.toml", text),
    }
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
#[error("{}", no_environment(name, known))]
pub struct UnknownEnvironment {
    /// The name.
    pub name: EnvName,
    /// Those that there are.
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
        let named: Vec<&str> =
            self.known.iter().map(String::as_str).filter(|name| *name != "default").collect();
        Some(match nearest(self.name.as_str(), named.iter().copied()) {
            Some(known) => format!("-e {known}"),
            None if self.name.is_default() => format!("-e {}", named.join(" or -e ")),
            None => format!("rocmenv add -e {} python", self.name),
        })
    }
}

/// `default` is the one without a name.
fn no_environment(name: &EnvName, known: &[String]) -> String {
    if name.is_default() {
        return format!("every environment of `rocm.toml` has a name: {}", known.join(", "));
    }
    let near = nearest(name.as_str(), known.iter().map(String::as_str));
    format!("no environment `{name}` in `rocm.toml`{}", did_you_mean(near))
}

/// rocm.toml has no such group.
#[derive(Debug, thiserror::Error)]
#[error("no group `{name}` in `rocm.toml`{}", did_you_mean(nearest(name.as_str(), known.iter().map(String::as_str))))]
pub struct UnknownGroup {
    /// The name.
    pub name: GroupName,
    /// Those that there are.
    pub known: Vec<String>,
}

impl Failure for UnknownGroup {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn code(&self) -> Option<&'static str> {
        Some("unknown-group")
    }

    fn help(&self) -> Option<String> {
        let near = nearest(self.name.as_str(), self.known.iter().map(String::as_str));
        Some(match (near, self.known.first()) {
            (Some(name), _) => format!("--group {name}"),
            (None, Some(_)) => format!("--group {}", self.known.join(" or --group ")),
            (None, None) => format!("rocmenv add --group {} NAME", self.name),
        })
    }
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
