//! Where a project's files are: found by walking up from the current folder.

use std::path::{Path, PathBuf};

use crate::error::{Exit, Failure};

/// The folder that holds rocm.toml, rocm.lock and the environments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectRoot {
    folder: PathBuf,
    /// What paths in rocm.toml are relative to, where that is another folder.
    base: Option<PathBuf>,
}

impl ProjectRoot {
    /// A folder that is to become a project, or is known to be one.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder, base: None }
    }

    /// A folder for a lock and environments of this project beside its own: paths in rocm.toml
    /// mean what they mean in the project.
    #[must_use]
    pub fn scratch(&self, folder: PathBuf) -> Self {
        Self { folder, base: Some(self.base().to_owned()) }
    }

    /// Walks up from `start` to the first folder with a rocm.toml.
    ///
    /// # Errors
    /// There is none up to the root of the file system.
    pub fn find(start: &Path) -> Result<Self, ProjectNotFound> {
        let found = start.ancestors().find(|folder| folder.join(MANIFEST).is_file());
        match found {
            Some(folder) => Ok(Self::at(folder.to_owned())),
            None => Err(ProjectNotFound { start: start.to_owned() }),
        }
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder that paths in rocm.toml are relative to.
    pub fn base(&self) -> &Path {
        self.base.as_deref().unwrap_or(&self.folder)
    }

    /// rocm.toml.
    pub fn manifest(&self) -> PathBuf {
        self.folder.join(MANIFEST)
    }

    /// rocm.local.toml: a machine's own choices, not committed.
    pub fn local_manifest(&self) -> PathBuf {
        self.folder.join("rocm.local.toml")
    }

    /// rocm.lock.
    pub fn lock(&self) -> PathBuf {
        self.folder.join("rocm.lock")
    }

    /// `.rocmenv`, where generations are.
    pub fn state(&self) -> PathBuf {
        self.folder.join(".rocmenv")
    }
}

/// No project here.
#[derive(Debug, thiserror::Error)]
#[error("no `rocm.toml` in `{}` or any folder above it", start.display())]
pub struct ProjectNotFound {
    start: PathBuf,
}

impl Failure for ProjectNotFound {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn code(&self) -> Option<&'static str> {
        Some("project-not-found")
    }

    fn help(&self) -> Option<String> {
        Some("rocmenv init".to_owned())
    }
}

const MANIFEST: &str = "rocm.toml";
