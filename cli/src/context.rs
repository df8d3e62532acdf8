//! What every op gets: settings, folders, variables, the clock and the reporter. Built once,
//! never changed; printing is not among it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use rocmenv_resolver::host::sysroot::Answers;
use rocmenv_store::report::Reporter;

use crate::error::{Exit, Failure};
use crate::project_root::{ProjectNotFound, ProjectRoot};
use crate::settings::Settings;
use crate::variables::Environment;

/// The world of one call, without its streams.
#[derive(Clone)]
pub struct Context {
    /// What the call was told.
    pub settings: Settings,
    /// The variables of the call.
    pub environment: Environment,
    /// The file of this program, beside which the shim program lies.
    pub program: PathBuf,
    /// The current folder.
    pub cwd: PathBuf,
    /// When the call began.
    pub now: Timestamp,
    /// Who hears of long work.
    pub reporter: Arc<dyn Reporter>,
    /// What slow programs of the machine answered in this call.
    pub answers: Answers,
}

impl Context {
    /// The project of this call: `--project`, else the nearest one above the current folder.
    ///
    /// # Errors
    /// There is none.
    pub fn project(&self) -> Result<ProjectRoot, ProjectNotFound> {
        ProjectRoot::find(&self.start())
    }

    /// The folder that `init` makes a project of, and from which one is looked for.
    pub fn start(&self) -> PathBuf {
        match &self.settings.project {
            Some(folder) => self.cwd.join(folder),
            None => self.cwd.clone(),
        }
    }

    /// The folder that holds the store and the shims.
    ///
    /// # Errors
    /// The user has no home folder and no variable names another.
    pub fn data(&self) -> Result<PathBuf, NoFolder> {
        folder(self.settings.folders.data.as_deref(), "data", "ROCMENV_DATA", |user| {
            user.data_local_dir().to_owned()
        })
    }

    /// The folder of pages and downloads.
    ///
    /// # Errors
    /// As for `data`.
    pub fn cache(&self) -> Result<PathBuf, NoFolder> {
        folder(self.settings.folders.cache.as_deref(), "cache", "ROCMENV_CACHE", |user| {
            user.cache_dir().to_owned()
        })
    }

    /// The folder of the user's own registry overlays.
    ///
    /// # Errors
    /// As for `data`.
    pub fn config(&self) -> Result<PathBuf, NoFolder> {
        folder(self.settings.folders.config.as_deref(), "configuration", "ROCMENV_CONFIG", |user| {
            user.config_dir().to_owned()
        })
    }

    /// The folder that shims are put into.
    ///
    /// # Errors
    /// As for `data`.
    pub fn shims(&self) -> Result<PathBuf, NoFolder> {
        match &self.settings.folders.shims {
            Some(folder) => Ok(folder.clone()),
            None => Ok(self.data()?.join("shims")),
        }
    }
}

/// There is no place for one of rocmenv's folders.
#[derive(Debug, thiserror::Error)]
#[error("no place for the {what} folder: this user has no home folder")]
pub struct NoFolder {
    what: &'static str,
    variable: &'static str,
}

impl Failure for NoFolder {
    fn exit(&self) -> Exit {
        Exit::Unmet
    }

    fn code(&self) -> Option<&'static str> {
        Some("no-home")
    }

    fn help(&self) -> Option<String> {
        Some(format!("export {}=/path/to/a/folder", self.variable))
    }
}

fn folder(
    moved: Option<&Path>,
    what: &'static str,
    variable: &'static str,
    default: impl FnOnce(&directories::ProjectDirs) -> PathBuf,
) -> Result<PathBuf, NoFolder> {
    if let Some(moved) = moved {
        return Ok(moved.to_owned());
    }
    let user = directories::ProjectDirs::from("", "", "rocmenv");
    user.map(|user| default(&user)).ok_or(NoFolder { what, variable })
}
