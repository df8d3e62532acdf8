//! `profile`: runs a command of the environment under a profiler and reads what it wrote.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use rocmenv_resolver::profile::{self, Analysis, Report, RocprofError};

use super::environment::{self, Current};
use super::files;
use super::run::{self, RunError};
use crate::context::Context;
use crate::error::{Error, Exit, Failure};

/// Which profiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// torch.profiler, inside the program's own process; no further program is needed.
    Torch,
    /// ROCm's rocprofv3, around any program.
    Rocprofv3,
    /// ROCm's former rocprof: refused.
    Rocprof,
}

/// What to run and how.
#[derive(Debug, Clone)]
pub struct ProfileOptions {
    /// The profiler.
    pub tool: Tool,
    /// The program and its arguments.
    pub command: Vec<OsString>,
}

/// What was seen.
#[derive(Debug, Clone)]
pub struct ProfileOutcome {
    /// The profiler's figures.
    pub report: Report,
    /// What they show.
    pub analysis: Analysis,
}

/// Runs the command to its end; what it prints stays its own.
///
/// # Errors
/// There is no environment, the profiler is not there or cannot take this command, or it wrote
/// nothing that can be read.
pub fn profile(context: &Context, options: &ProfileOptions) -> Result<ProfileOutcome, Error> {
    let current = environment::current(context)?;
    let folder = current.root.state().join("profile");
    files::make_folder(&folder)?;
    let report = match options.tool {
        Tool::Torch => with_torch(context, &current, &folder, &options.command)?,
        Tool::Rocprofv3 => with_rocprofv3(context, &current, &folder, &options.command)?,
        Tool::Rocprof => return Err(ProfileError::Ended.into()),
    };
    let analysis = profile::analyse(&report);
    Ok(ProfileOutcome { report, analysis })
}

fn with_torch(
    context: &Context,
    current: &Current,
    folder: &Path,
    command: &[OsString],
) -> Result<Report, Error> {
    let (program, arguments) = python_words(command)?;
    let (own, out) = (folder.join("torch_profile.py"), folder.join("torch.json"));
    files::replace(&own, TORCH_PROFILE)?;
    files::remove(&out)?;
    let mut words: Vec<OsString> = vec![program, own.into(), out.clone().into()];
    words.extend(arguments);
    start(context, current, &words)?;
    let Some(text) = files::read_optional(&out)? else { return Err(ProfileError::Nothing.into()) };
    Ok(serde_json::from_str(&text).map_err(ProfileError::Report)?)
}

/// `python FILE ARGUMENTS`: what torch.profiler can run in its own process.
fn python_words(command: &[OsString]) -> Result<(OsString, Vec<OsString>), ProfileError> {
    let is_python = |word: &OsStr| {
        let name = Path::new(word).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("python")
    };
    let [program, arguments @ ..] = command else { return Err(ProfileError::NotPython) };
    let names_file =
        arguments.first().is_some_and(|first| !first.to_string_lossy().starts_with('-'));
    if !is_python(program) || !names_file {
        return Err(ProfileError::NotPython);
    }
    Ok((program.clone(), arguments.to_vec()))
}

fn with_rocprofv3(
    context: &Context,
    current: &Current,
    folder: &Path,
    command: &[OsString],
) -> Result<Report, Error> {
    let traces = folder.join("rocprofv3");
    let [kernels, copies] =
        ["out_kernel_trace.csv", "out_memory_copy_trace.csv"].map(|name| traces.join(name));
    for old in [&kernels, &copies] {
        files::remove(old)?;
    }
    let fixed = ["rocprofv3", "--kernel-trace", "--memory-copy-trace", "--output-format", "csv"];
    let mut words: Vec<OsString> = fixed.map(OsString::from).to_vec();
    words.extend([
        "--output-directory".into(),
        traces.into(),
        "--output-file".into(),
        "out".into(),
    ]);
    words.push("--".into());
    words.extend_from_slice(command);
    let begin = Instant::now();
    let code = start(context, current, &words)?;
    let seconds = begin.elapsed().as_secs_f64();
    let Some(kernels) = files::read_optional(&kernels)? else {
        return Err(ProfileError::Nothing.into());
    };
    let copies = files::read_optional(&copies)?;
    let report = profile::from_rocprofv3(&kernels, copies.as_deref(), "the traced device", seconds)
        .map_err(ProfileError::Trace)?;
    Ok(Report { exit_code: code, ..report })
}

/// Runs words in the environment with this call's own streams and gives their exit code.
fn start(context: &Context, current: &Current, words: &[OsString]) -> Result<i32, Error> {
    let prepared = run::prepare_in(context, current, words)?;
    let mut command = Command::new(&prepared.program);
    command.args(&prepared.arguments).current_dir(&context.cwd);
    for (name, value) in prepared.variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let status = command
        .status()
        .map_err(|source| RunError::Refused { program: prepared.program, source })?;
    Ok(status.code().unwrap_or(-1))
}

const TORCH_PROFILE: &str = include_str!("../../../scripts/profile/torch_profile.py");

/// Nothing was profiled.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The former tool.
    #[error("rocprof has ended: its successor is rocprofv3 of rocprofiler-sdk")]
    Ended,
    /// torch.profiler runs Python files.
    #[error("torch.profiler can only run `python FILE`")]
    NotPython,
    /// The profiler wrote no report.
    #[error("the profiler wrote no report: the command ended before it could")]
    Nothing,
    /// The report is none.
    #[error("the profiler's report cannot be read")]
    Report(#[source] serde_json::Error),
    /// The trace is none.
    #[error("rocprofv3's trace cannot be read")]
    Trace(#[source] RocprofError),
}

impl Failure for ProfileError {
    fn exit(&self) -> Exit {
        match self {
            Self::Ended | Self::NotPython => Exit::Usage,
            Self::Nothing | Self::Report(_) | Self::Trace(_) => Exit::Unmet,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Ended => "profiler-ended",
            Self::NotPython => "profile-not-python",
            Self::Nothing | Self::Report(_) | Self::Trace(_) => "profile-failed",
        })
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Ended | Self::NotPython => {
                Some("rocmenv profile --tool rocprofv3 -- COMMAND".to_owned())
            }
            Self::Nothing | Self::Report(_) | Self::Trace(_) => None,
        }
    }
}
