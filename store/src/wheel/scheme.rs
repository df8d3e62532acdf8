//! Where the files of a wheel go in a virtual environment.

use std::borrow::Cow;
use std::path::PathBuf;

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::platform::OsFamily;

use super::{WheelError, WheelInfo};

/// The folders of one virtual environment, relative to its root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheme {
    /// Whose folders these are.
    pub system: OsFamily,
    /// Modules, pure ones and others alike: a virtual environment has one folder for both.
    pub site_packages: String,
    /// Programs.
    pub scripts: String,
    /// C headers; one folder per project below it.
    pub headers: String,
    /// What starts a script by its name on Windows. Without one it is a command file.
    pub launcher: Option<Launcher>,
}

/// The program that stands under the names of scripts on Windows (`rocmenv_shims::launcher`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    /// Its file in the store, which may be linked.
    pub path: PathBuf,
    /// The digest of it.
    pub sha256: Sha256,
    /// Its bytes.
    pub size: u64,
}

impl Scheme {
    /// The scheme of a virtual environment of Python `major.minor` (`venv` of sysconfig) on a
    /// system.
    pub fn of_venv(system: OsFamily, major: u32, minor: u32) -> Self {
        let series = format!("python{major}.{minor}");
        if system == OsFamily::Windows {
            Self {
                system,
                site_packages: "Lib/site-packages".to_owned(),
                scripts: "Scripts".to_owned(),
                headers: format!("include/site/{series}"),
                launcher: None,
            }
        } else {
            Self {
                system,
                site_packages: format!("lib/{series}/site-packages"),
                scripts: "bin".to_owned(),
                headers: format!("include/site/{series}"),
                launcher: None,
            }
        }
    }

    /// Where the wheel's file `path` goes.
    pub fn place(&self, info: &WheelInfo, path: &str) -> Result<Place, WheelError> {
        let in_data = path.strip_prefix(&info.data).and_then(|rest| rest.strip_prefix('/'));
        let Some(in_data) = in_data else {
            return Ok(Place::Module([&self.site_packages, "/", path].concat()));
        };
        let unknown = || WheelError::Scheme(path.to_owned());
        let (key, rest) = in_data.split_once('/').ok_or_else(unknown)?;
        match key {
            "purelib" | "platlib" => Ok(Place::Module(format!("{}/{rest}", self.site_packages))),
            "scripts" => Ok(Place::Script(format!("{}/{rest}", self.scripts))),
            "headers" => Ok(Place::Module(format!("{}/{}/{rest}", self.headers, info.name()))),
            "data" => Ok(Place::Module(rest.to_owned())),
            _ => Err(unknown()),
        }
    }

    /// A path of the environment as RECORD says it: relative to site-packages.
    pub fn in_record<'p>(&self, path: &'p str) -> Cow<'p, str> {
        match path.strip_prefix(&self.site_packages).and_then(|rest| rest.strip_prefix('/')) {
            Some(inside) => inside.into(),
            None => format!("{}{path}", "../".repeat(self.site_packages.split('/').count())).into(),
        }
    }
}

/// A place in a virtual environment, relative to its root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Taken as it is.
    Module(String),
    /// Executable, with its `#!python` line made real.
    Script(String),
}
