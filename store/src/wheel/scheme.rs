//! Where the files of a wheel go in a virtual environment.

use super::{WheelError, WheelInfo};

/// The folders of one virtual environment, relative to its root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheme {
    /// Modules, pure ones and others alike: a virtual environment has one folder for both.
    pub site_packages: String,
    /// Programs.
    pub scripts: String,
    /// C headers; one folder per project below it.
    pub headers: String,
}

impl Scheme {
    /// The scheme of a virtual environment of Python `major.minor` (`venv` of sysconfig).
    pub fn of_venv(major: u32, minor: u32) -> Self {
        let series = format!("python{major}.{minor}");
        if cfg!(windows) {
            Self {
                site_packages: "Lib/site-packages".to_owned(),
                scripts: "Scripts".to_owned(),
                headers: format!("include/site/{series}"),
            }
        } else {
            Self {
                site_packages: format!("lib/{series}/site-packages"),
                scripts: "bin".to_owned(),
                headers: format!("include/site/{series}"),
            }
        }
    }

    /// Where the wheel's file `path` goes.
    pub fn place(&self, info: &WheelInfo, path: &str) -> Result<Place, WheelError> {
        let in_data = path.strip_prefix(&info.data).and_then(|rest| rest.strip_prefix('/'));
        let Some(in_data) = in_data else {
            return Ok(Place::Module(format!("{}/{path}", self.site_packages)));
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
    pub fn in_record(&self, path: &str) -> String {
        match path.strip_prefix(&self.site_packages).and_then(|rest| rest.strip_prefix('/')) {
            Some(inside) => inside.to_owned(),
            None => format!("{}{path}", "../".repeat(self.site_packages.split('/').count())),
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
