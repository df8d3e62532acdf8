//! `export`: what is locked for one environment on one target, in the words of other tools.
//!
//! Each format is a pure function of a [`Subject`]; only pylock (addresses), the module file (the
//! generation) and the SBOM (licences) are given something more. No address of a general package
//! index is written but into pylock.toml, whose specification wants one a file: there it is what
//! the user's own index says, or a folder.

mod apptainer;
mod base_image;
mod dockerfile;
mod error;
mod licences;
mod module_file;
mod pylock;
mod recipe;
mod requirements;
mod sbom;
mod subject;

use std::path::PathBuf;

use rocmenv_manifests::name::{GroupName, TargetName};
use rocmenv_store::report::Reporter;

use super::{files, place};
use crate::context::Context;
use crate::error::Error;

pub use error::ExportError;
pub use module_file::Language;
use subject::Subject;

/// What to export and how.
#[derive(Debug, Clone)]
pub struct ExportOptions {
    /// The format.
    pub format: Format,
    /// Groups of packages beside the environment's own.
    pub groups: Vec<GroupName>,
    /// The file, relative to the current folder; without one the text is only given back.
    pub output: Option<PathBuf>,
    /// A folder with the wheels, named in the text in place of any index.
    pub wheels: Option<String>,
    /// The image that a container begins with, in place of the one of the target's distribution.
    pub base: Option<String>,
}

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// requirements.txt with hashes.
    Requirements,
    /// pylock.toml (PEP 751).
    Pylock,
    /// A Dockerfile (Containerfile) of two stages.
    Dockerfile,
    /// A definition file of Apptainer.
    Apptainer,
    /// A module file.
    Module(Language),
    /// A bill of materials, CycloneDX 1.6 in JSON.
    CycloneDx,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct ExportOutcome {
    /// The target.
    pub target: TargetName,
    /// The text.
    pub text: String,
    /// The file that it is for.
    pub path: Option<PathBuf>,
    /// Whether that was written.
    pub written: bool,
    /// Packages that the format cannot say, by name.
    pub left_out: Vec<String>,
    /// What has to be known of it.
    pub notes: Vec<String>,
}

/// Exports.
///
/// # Errors
/// No lock, a gap in it, or what the format needs is not there.
pub async fn export(
    context: &Context,
    options: &ExportOptions,
    reporter: &dyn Reporter,
) -> Result<ExportOutcome, Error> {
    let subject = Subject::open(context, options)?;
    let mut notes = Vec::new();
    let text = match options.format {
        Format::Requirements => requirements::text(&subject)?,
        Format::Pylock => {
            let places = pylock::places(context, &subject, reporter).await?;
            pylock::text(&subject, &places)?
        }
        Format::Dockerfile => dockerfile::text(&subject)?,
        Format::Apptainer => apptainer::text(&subject)?,
        Format::Module(language) => {
            let (generation, layout) = place::Place::find(context)?.current()?;
            notes.push(format!(
                "the file names generation {0}; `rocmenv generations pin {0}` keeps that one",
                generation.number
            ));
            module_file::text(&subject, &generation, &layout, language)?
        }
        Format::CycloneDx => {
            let found = licences::find(context, &subject);
            if found.is_empty() && !subject.artifacts.is_empty() {
                notes.push(
                    "licences are read from the environment, and there is none: rocmenv sync"
                        .to_owned(),
                );
            }
            sbom::text(&subject, &found)?
        }
    };
    let left_out = match options.format {
        Format::Requirements | Format::Pylock => subject.not_python(),
        _ => Vec::new(),
    };
    let path = options.output.as_ref().map(|file| context.cwd.join(file));
    let mut written = false;
    if let Some(path) = path.as_ref().filter(|_| !context.settings.dry_run) {
        files::replace(path, &text)?;
        written = true;
    }
    Ok(ExportOutcome { target: subject.target.name.clone(), text, path, written, left_out, notes })
}
