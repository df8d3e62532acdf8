//! The embedded programs of a stage, run by the environment's Python: each line that they print
//! is a finding. What one cannot say because it was ended is said for it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rocmenv_manifests::gfx::GfxTarget;
use serde::Deserialize;

use super::{Finding, Level, Result, Subject};
use crate::ops::child;
use crate::ops::files::{self, FileError};

/// A program with its file name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Program {
    /// The file's name.
    pub(super) name: &'static str,
    /// Its text.
    pub(super) text: &'static str,
    /// Whether it has to be a file, because processes that it starts itself look for it again.
    pub(super) needs_file: bool,
}

/// What a program says of one look.
#[derive(Debug, Deserialize)]
struct Line {
    what: String,
    result: Said,
    level: Option<Level>,
    detail: String,
    seconds: Option<f64>,
    #[serde(default)]
    gpu: bool,
    #[serde(default)]
    gfx: Option<GfxTarget>,
}

/// As `Result`, and that there is no GPU to look at, which is a failure only if one is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Said {
    Passed,
    Failed,
    Warned,
    Skipped,
    Absent,
}

/// Runs it and reads what it found.
pub(super) fn run(subject: &Subject<'_>, program: Program, arguments: &[String]) -> Vec<Finding> {
    let mut words: Vec<OsString> = vec!["python".into(), "-B".into()];
    if program.needs_file {
        match written(&subject.current.root.state(), program) {
            Ok(path) => words.push(path.into()),
            Err(error) => {
                return vec![Finding::new(program.name, Result::Failed, error.to_string())];
            }
        }
    } else {
        words.extend(["-c".into(), program.text.into()]);
    }
    words.extend(arguments.iter().map(OsString::from));
    let limit = subject.options.limit;
    let ended = match child::run_within(subject.context, subject.current, &words, limit) {
        Ok(ended) => ended,
        Err(error) => return vec![Finding::new(program.name, Result::Failed, error.to_string())],
    };
    let lines = ended.output.lines().filter_map(|line| serde_json::from_str(line).ok());
    let mut findings: Vec<Finding> = lines.map(|line| finding(subject, line)).collect();
    if ended.code != Some(0) {
        findings.push(Finding::new(program.name, Result::Failed, ended.last_line()));
    }
    findings
}

fn written(state: &Path, program: Program) -> std::result::Result<PathBuf, FileError> {
    let folder = state.join("verify");
    files::make_folder(&folder)?;
    let path = folder.join(program.name);
    files::replace(&path, program.text)?;
    Ok(path)
}

fn finding(subject: &Subject<'_>, line: Line) -> Finding {
    let result = match line.result {
        Said::Passed => Result::Passed,
        Said::Failed => Result::Failed,
        Said::Warned => Result::Warned,
        Said::Skipped => Result::Skipped,
        Said::Absent => subject.without_gpu(),
    };
    let Line { seconds, level, gpu: on_gpu, .. } = line;
    let gfx = line.gfx.or_else(|| only_target(subject)).filter(|_| on_gpu);
    Finding { level, seconds, on_gpu, gfx, ..Finding::new(line.what, result, line.detail) }
}

/// The target of every GPU of the host, where all have one.
fn only_target(subject: &Subject<'_>) -> Option<GfxTarget> {
    let targets: Vec<GfxTarget> = subject.facts.gfx_targets().into_iter().collect();
    match targets.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}
