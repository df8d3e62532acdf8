//! Which environment of the project a call speaks of, whether or not it can be used now.

use rocmenv_manifests::generation::Generation;
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_shims::locate::{self, Absent};
use rocmenv_store::generation::{self, GenerationError};
use rocmenv_store::layout::{EnvLayout, GenerationLayout, PROJECT_FOLDER};

use super::environment::EnvironmentError;
use crate::context::Context;
use crate::project_root::ProjectRoot;

/// An environment of a project.
#[derive(Debug, Clone)]
pub struct Place {
    /// The project.
    pub root: ProjectRoot,
    /// The target.
    pub target: TargetName,
    /// The environment.
    pub env: EnvName,
    /// Its files.
    pub layout: EnvLayout,
}

impl Place {
    /// The environment that was asked for, else the one that shims use, else the only one.
    ///
    /// # Errors
    /// There is no project, no environment in it, or nothing says which.
    pub fn find(context: &Context) -> Result<Self, EnvironmentError> {
        let root = context.project()?;
        let settings = &context.settings;
        let target = settings.target.as_ref().map(|target| target.value.as_str().as_ref());
        let env = (!settings.env.is_default()).then(|| settings.env.as_str().as_ref());
        let none = || EnvironmentError::from(Absent::NoEnvironment(root.folder().to_owned()));
        let folder = locate::environment(root.folder(), target, env)?;
        let inside = folder.strip_prefix(root.folder().join(PROJECT_FOLDER)).unwrap_or(&folder);
        let mut names = inside.iter().filter_map(|name| name.to_str());
        let target: TargetName =
            names.next().and_then(|name| name.parse().ok()).ok_or_else(none)?;
        let env = match names.next() {
            Some(name) => name.parse().map_err(|_| none())?,
            None => EnvName::default_env(),
        };
        let layout = EnvLayout::new(root.folder(), &target, &env);
        if !layout.current().exists() {
            return Err(none());
        }
        Ok(Self { root, target, env, layout })
    }

    /// The current generation and where it lies.
    ///
    /// # Errors
    /// Its files cannot be read.
    pub fn current(&self) -> Result<(Generation, GenerationLayout), GenerationError> {
        let number = generation::current(&self.layout)?.ok_or(GenerationError::Unknown(0))?;
        let place = self.layout.generation(number);
        Ok((generation::read(&place)?, place))
    }

    /// `desk`, or `desk/train` where the environment has a name of its own.
    pub fn name(&self) -> String {
        if self.env.is_default() {
            self.target.to_string()
        } else {
            format!("{}/{}", self.target, self.env)
        }
    }
}
