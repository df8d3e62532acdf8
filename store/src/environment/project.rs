//! A project that is used from its source: a `.pth` file and its scripts, nothing built.

use std::fmt::Write as _;
use std::path::PathBuf;

use rocmenv_manifests::platform::OsFamily;

use super::python::{project_file, series};
use crate::layout::GenerationLayout;
use crate::wheel::{EntryPoint, Scheme};

/// The name of its `.pth` file in an environment.
pub const PROJECT_FILE: &str = "__rocmenv_project.pth";

/// A project that is used from its source: found through a `.pth` file, not built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalProject {
    /// Its name.
    pub name: String,
    /// The absolute folder that its modules lie in.
    pub source: PathBuf,
    /// Its console scripts.
    pub scripts: Vec<EntryPoint>,
}

impl LocalProject {
    /// The text of its `.pth` file. Lines of comment (which `site` passes over) hold the scripts,
    /// so that the file alone says whether an environment has the project as it is now.
    pub fn path_file(&self) -> String {
        let mut text = String::new();
        for EntryPoint { name, module, attribute } in &self.scripts {
            let _ = writeln!(text, "# {name} = {module}:{attribute}");
        }
        let _ = writeln!(text, "{}", self.source.display());
        text
    }
}

/// The text of the `.pth` file that a generation has, for an interpreter of this version; `None`
/// where it was made without a project.
pub fn local_project_of(place: &GenerationLayout, python: &str) -> Option<String> {
    let (major, minor) = series(python).ok()?;
    // The layout follows the system that it was made for; only one of the two is there.
    [OsFamily::Linux, OsFamily::Windows].into_iter().find_map(|system| {
        let path = place.env().join(project_file(&Scheme::of_venv(system, major, minor)));
        fs_err::read_to_string(path).ok()
    })
}
