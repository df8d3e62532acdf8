//! The current generation of the project, as the shims see it: the same files, the same rules.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::name::{EnvName, GroupName};
use rocmenv_manifests::project::Project;
use rocmenv_shims::activation::{Activation, ActivationError};
use rocmenv_shims::locate::{self, Absent};
use rocmenv_store::generation::{self, GenerationError};
use rocmenv_store::layout::GenerationLayout;

use super::files::{self, FileError};
use super::project::{self, UnknownEnvironment, UnknownGroup};
use crate::context::Context;
use crate::error::{Exit, Failure};
use crate::project_root::{ProjectNotFound, ProjectRoot};

/// A generation that can be used.
#[derive(Debug, Clone)]
pub struct Current {
    /// The project.
    pub root: ProjectRoot,
    /// The environment of the project.
    pub env: EnvName,
    /// The generation's folder.
    pub generation: PathBuf,
    /// What its programs get.
    pub activation: Activation,
}

/// The current generation of this call's project, target and environment.
///
/// # Errors
/// There is none, or it is not where it was made.
pub fn current(context: &Context) -> Result<Current, EnvironmentError> {
    let root = context.project()?;
    let settings = &context.settings;
    let target = settings.target.as_ref().map(|target| OsStr::new(target.value.as_str()));
    let env = (!settings.env.is_default()).then(|| OsStr::new(settings.env.as_str()));
    let found = locate::environment(root.folder(), target, env);
    let is_missing = match &found {
        Ok(folder) => !folder.join("current").exists(),
        Err(absent) => matches!(absent, Absent::NoEnvironment(_)),
    };
    if env.is_some() && is_missing {
        if let Ok(opened) = project::open(context) {
            project::check_environment(&opened.project, &settings.env)?;
        }
        return Err(EnvironmentError::NoNamed(settings.env.clone()));
    }
    let folder = found?;
    if is_missing {
        return Err(Absent::NoEnvironment(root.folder().to_owned()).into());
    }
    let generation = locate::current_generation(&folder)?;
    of_generation(root, context.settings.env.clone(), generation)
}

/// The generation in a folder, current or not.
///
/// # Errors
/// It is not where it was made, or damaged.
pub fn of_generation(
    root: ProjectRoot,
    env: EnvName,
    generation: PathBuf,
) -> Result<Current, EnvironmentError> {
    let path = generation.join("activation");
    let text = files::read(&path)?;
    let activation =
        Activation::parse(&text).map_err(|source| EnvironmentError::Activation { path, source })?;
    if !is_same(&generation, &activation.root) {
        return Err(Absent::Moved { here: generation, made_at: activation.root }.into());
    }
    Ok(Current { root, env, generation, activation })
}

/// As [`current`], where the environment must have been made with these groups.
///
/// # Errors
/// As [`current`], or it lacks a group.
pub fn current_with(context: &Context, groups: &[GroupName]) -> Result<Current, EnvironmentError> {
    let current = current(context)?;
    if groups.is_empty() {
        return Ok(current);
    }
    if let Ok(opened) = project::open(context) {
        project::check_groups(&opened.project, groups)?;
    }
    let record = generation::read(&GenerationLayout::at(current.generation.clone()));
    let has = record.map_err(EnvironmentError::Record)?.groups;
    match groups.iter().find(|group| !has.contains(group)) {
        Some(group) => Err(EnvironmentError::NoGroup(group.clone())),
        None => Ok(current),
    }
}

impl Current {
    /// The variables that a program of the environment gets beside those that it has.
    pub fn variables(&self, context: &Context) -> Vec<(String, Option<OsString>)> {
        let all = context.environment.all();
        let now = |name: &str| all.get(OsStr::new(name)).cloned();
        self.activation.apply(now).into_iter().collect()
    }

    /// What a person should know before a program of it runs: newer files than it was made of.
    pub fn drift(&self) -> Option<&'static str> {
        let same = |ours: &Path, theirs: &Path| match (fs::read(ours), fs::read(theirs)) {
            (Ok(ours), Ok(theirs)) => ours == theirs,
            _ => true,
        };
        if !same(&self.root.lock(), &self.generation.join("rocm.lock")) {
            return Some("rocm.lock is not what this environment was made of: rocmenv sync");
        }
        if !same(&self.root.manifest(), &self.generation.join("rocm.toml")) && self.asks_otherwise()
        {
            return Some("rocm.toml was changed since this environment was made: rocmenv sync");
        }
        None
    }

    /// Whether rocm.toml asks for something else than when the environment was made; a comment
    /// or another order is nothing else.
    fn asks_otherwise(&self) -> bool {
        let now = all_inputs(&self.root.manifest(), &self.env);
        now.is_none() || now != all_inputs(&self.generation.join("rocm.toml"), &self.env)
    }
}

/// The digests of everything that a lock of this rocm.toml depends on, per target.
fn all_inputs(path: &Path, env: &EnvName) -> Option<Vec<Sha256>> {
    let project = Project::parse("rocm.toml", &fs::read_to_string(path).ok()?).ok()?;
    let targets = std::iter::once(None).chain(project.targets.iter().map(Some));
    Some(targets.map(|target| project.inputs(env, target)).collect())
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other
        || matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(a), Ok(b)) if a == b)
}

/// There is no environment to work in.
#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// No project.
    #[error(transparent)]
    Project(#[from] ProjectNotFound),
    /// None was made, or it cannot be used.
    #[error("{}", sentence(.0))]
    Absent(Absent),
    /// The one that was asked for was never made.
    #[error("the environment `{0}` of this project was not made yet")]
    NoNamed(EnvName),
    /// rocm.toml has no such environment.
    #[error(transparent)]
    Unknown(#[from] UnknownEnvironment),
    /// rocm.toml has no such group.
    #[error(transparent)]
    UnknownGroup(#[from] UnknownGroup),
    /// It was made without a group that was asked for.
    #[error("the environment was made without the group `{0}`")]
    NoGroup(GroupName),
    /// Its record cannot be read.
    #[error("the environment is damaged")]
    Record(#[source] GenerationError),
    /// A file of it cannot be read.
    #[error("the environment is damaged")]
    File(#[from] FileError),
    /// Its activation file is none.
    #[error("`{}` cannot be used", path.display())]
    Activation {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: ActivationError,
    },
}

impl From<Absent> for EnvironmentError {
    fn from(absent: Absent) -> Self {
        Self::Absent(absent)
    }
}

impl Failure for EnvironmentError {
    fn exit(&self) -> Exit {
        match self {
            Self::Project(inner) => inner.exit(),
            Self::Unknown(inner) => inner.exit(),
            Self::UnknownGroup(inner) => inner.exit(),
            _ => Exit::Stale,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Project(inner) => return inner.code(),
            Self::Unknown(inner) => return inner.code(),
            Self::UnknownGroup(inner) => return inner.code(),
            Self::NoGroup(_) => "group-not-installed",
            Self::Absent(Absent::Moved { .. }) => "environment-moved",
            Self::Absent(Absent::Undecided(_)) => "environment-undecided",
            Self::Absent(_) | Self::NoNamed(_) => "environment-missing",
            Self::File(_) | Self::Record(_) | Self::Activation { .. } => "environment-damaged",
        })
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Project(inner) => inner.help(),
            Self::Unknown(inner) => inner.help(),
            Self::UnknownGroup(inner) => inner.help(),
            Self::NoGroup(group) => Some(format!("rocmenv sync --group {group}")),
            Self::Absent(Absent::Undecided(_)) => Some("rocmenv --target NAME run ...".to_owned()),
            Self::NoNamed(name) => Some(format!("rocmenv sync -e {name}")),
            _ => Some("rocmenv sync".to_owned()),
        }
    }
}

/// The shims' own words without the command, which stands under `help:` here.
fn sentence(absent: &Absent) -> String {
    match absent {
        Absent::NoProject => "this folder belongs to no project".to_owned(),
        Absent::NoEnvironment(project) => {
            format!("the project `{}` has no environment yet", project.display())
        }
        Absent::Undecided(project) => {
            format!("the project `{}` has environments for several targets", project.display())
        }
        Absent::Broken(path) => format!("`{}` cannot be read", path.display()),
        Absent::Moved { here, made_at } => {
            format!("the environment `{}` was made at `{}`", here.display(), made_at.display())
        }
    }
}
