//! Every run that was made or read, a line each: `.rocmenv/bench/runs.jsonl`.

use std::path::{Path, PathBuf};

use rocmenv_resolver::bench::Measurement;
use serde::{Deserialize, Serialize};

use super::BenchError;
use crate::context::Context;
use crate::error::Error;
use crate::ops::environment::Current;
use crate::ops::files;

/// A run with where it belongs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Run {
    /// When (RFC 3339, UTC).
    pub at: String,
    /// The generation that it ran in; none where there was no environment (a log was read).
    pub generation: Option<u32>,
    /// The name that it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The figures.
    pub measurement: Measurement,
}

/// Which runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// Those of a generation.
    Generation(u32),
    /// Those of a label.
    Label(String),
    /// Those of a file in the same form.
    File(PathBuf),
}

impl Selection {
    /// A number is a generation, a file that is there is a file, all else a label.
    pub fn parse(context: &Context, words: &str) -> Self {
        let path = context.cwd.join(words);
        if let Ok(number) = words.parse() {
            Self::Generation(number)
        } else if path.is_file() {
            Self::File(path)
        } else {
            Self::Label(words.to_owned())
        }
    }

    /// The runs.
    pub(super) fn runs(&self, context: &Context) -> Result<Vec<Run>, Error> {
        let path = match self {
            Self::File(path) => path.clone(),
            Self::Generation(_) | Self::Label(_) => path(context)?,
        };
        let is_chosen = |run: &Run| match self {
            Self::Generation(number) => run.generation == Some(*number),
            Self::Label(label) => run.label.as_ref() == Some(label),
            Self::File(_) => true,
        };
        Ok(read(&path)?.into_iter().filter(is_chosen).collect())
    }
}

/// All kept runs of this project, oldest first.
///
/// # Errors
/// There is no project, or the file is damaged.
pub fn read_all(context: &Context) -> Result<Vec<Run>, Error> {
    read(&path(context)?)
}

pub(super) fn path(context: &Context) -> Result<PathBuf, Error> {
    let folder = context.project()?.state().join("bench");
    Ok(folder.join("runs.jsonl"))
}

pub(super) fn run(
    context: &Context,
    generation: Option<u32>,
    label: Option<String>,
    measurement: Measurement,
) -> Run {
    Run { at: context.now.to_string(), generation, label, measurement }
}

/// The number of a generation.
pub(super) fn number(current: &Current) -> Option<u32> {
    current.generation.file_name()?.to_str()?.parse().ok()
}

pub(super) fn read(path: &Path) -> Result<Vec<Run>, Error> {
    let Some(text) = files::read_optional(path)? else { return Ok(Vec::new()) };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let run = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|source| {
            BenchError::History { path: path.to_owned(), line: number + 1, source }.into()
        })
    };
    lines.map(run).collect()
}

/// One line at the end.
pub(super) fn append(path: &Path, run: &Run) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        files::make_folder(folder)?;
    }
    let mut line = serde_json::to_string(run).map_err(BenchError::Unwritten)?;
    line.push('\n');
    Ok(files::append(path, &line)?)
}
