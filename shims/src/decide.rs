//! What one call of a shim does: run the environment's program, run the next one on PATH, or
//! fail with a reason.
//!
//! Outside a project, and for a name that the environment lacks, a shim is as if it were not
//! there: it must never break `env python3`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use crate::activation::Activation;
use crate::locate::{self, Absent};

/// A call of a shim, with all that it depends on.
pub struct Call<'c> {
    /// The name under which the shim was called (`hipcc`), without folder and `.exe`.
    pub name: &'c OsStr,
    /// The shim's own program file.
    pub shim: &'c Path,
    /// The folder in which it was called, absolute.
    pub folder: &'c Path,
    /// The environment variables.
    pub variable: &'c dyn Fn(&str) -> Option<OsString>,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Become this program, with these variables changed (`None`: taken away).
    Run {
        /// The program.
        program: PathBuf,
        /// The variables.
        variables: BTreeMap<String, Option<OsString>>,
        /// Something to say before.
        warning: Option<String>,
    },
    /// Say why and fail with 127.
    Fail(String),
}

/// Decides what a call does.
pub fn decide(call: &Call<'_>) -> Decision {
    let depth = (call.variable)(DEPTH).and_then(|text| text.to_str()?.parse::<u32>().ok());
    let depth = depth.unwrap_or(0);
    if depth >= MAX_DEPTH {
        let name = call.name.to_string_lossy();
        return Decision::Fail(format!("`{name}`: shims call each other without end"));
    }
    let decision = if (call.variable)(BYPASS).is_some_and(|value| value == "1") {
        next(call, "the shim is bypassed (ROCMENV_BYPASS)", None)
    } else {
        match in_project(call) {
            Ok(Some(found)) => found,
            Ok(None) => next(call, "the environment has no such program", None),
            Err(absent @ Absent::Moved { .. }) => {
                let warning = format!("rocmenv: {absent}");
                next(call, &absent.to_string(), Some(warning))
            }
            Err(absent) => next(call, &absent.to_string(), None),
        }
    };
    deeper(decision, depth + 1)
}

fn in_project(call: &Call<'_>) -> Result<Option<Decision>, Absent> {
    let project = match (call.variable)(PROJECT).filter(|path| !path.is_empty()) {
        Some(path) => call.folder.join(path),
        None => locate::project_above(call.folder).ok_or(Absent::NoProject)?,
    };
    let target = (call.variable)(TARGET).filter(|name| !name.is_empty());
    let env = (call.variable)(ENV).filter(|name| !name.is_empty());
    let environment = locate::environment(&project, target.as_deref(), env.as_deref())?;
    let generation = locate::current_generation(&environment)?;
    let file = generation.join(ACTIVATION);
    let broken = || Absent::Broken(file.clone());
    let text = fs::read_to_string(&file).map_err(|_| broken())?;
    let activation = Activation::parse(&text).map_err(|_| broken())?;
    if !is_same(&generation, &activation.root) {
        return Err(Absent::Moved { here: generation, made_at: activation.root });
    }
    let programs = activation.program_folders();
    let mut found = None;
    for folder in &programs {
        found = program_in(folder, call.name);
        if found.is_some() {
            break;
        }
        if let Some(gone) = dangling(&folder.join(call.name)) {
            let (name, gone) = (call.name.to_string_lossy(), gone.display());
            return Ok(Some(Decision::Fail(format!(
                "`{name}` of the environment is gone: no `{gone}`; run `rocmenv sync`"
            ))));
        }
    }
    Ok(found.map(|program| {
        let variables = activation.apply(call.variable);
        Decision::Run { program, variables, warning: None }
    }))
}

/// The next program of that name on PATH which is not a shim.
fn next(call: &Call<'_>, reason: &str, warning: Option<String>) -> Decision {
    let path = (call.variable)("PATH").unwrap_or_default();
    let shim_folder = call.shim.parent();
    let program = std::env::split_paths(&path)
        .filter(|folder| Some(folder.as_path()) != shim_folder)
        .filter_map(|folder| program_in(&folder, call.name))
        .find(|program| !is_same(program, call.shim));
    let Some(program) = program else {
        let name = call.name.to_string_lossy();
        return Decision::Fail(format!("`{name}` was not found: {reason}, nor is one on PATH"));
    };
    Decision::Run { program, variables: BTreeMap::new(), warning }
}

fn deeper(decision: Decision, depth: u32) -> Decision {
    match decision {
        Decision::Run { program, mut variables, warning } => {
            variables.insert(DEPTH.to_owned(), Some(depth.to_string().into()));
            Decision::Run { program, variables, warning }
        }
        fail @ Decision::Fail(_) => fail,
    }
}

fn program_in(folder: &Path, name: &OsStr) -> Option<PathBuf> {
    let plain = folder.join(name);
    if cfg!(windows) {
        return EXTENSIONS
            .iter()
            .map(|extension| with_added_extension(&plain, extension))
            .find(|path| path.is_file());
    }
    is_executable(&plain).then_some(plain)
}

/// Where a link that leads nowhere points: another program of that name on PATH is no
/// replacement for the environment's own.
fn dangling(path: &Path) -> Option<PathBuf> {
    if fs::metadata(path).is_ok() {
        return None;
    }
    fs::read_link(path).ok()
}

fn is_executable(path: &Path) -> bool {
    let Ok(metadata) = fs::metadata(path) else { return false };
    #[cfg(unix)]
    let executable = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let executable = true;
    metadata.is_file() && executable
}

/// Whether both paths are one file or folder.
fn is_same(one: &Path, other: &Path) -> bool {
    if one == other {
        return true;
    }
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// `name.ext`, also where the name has dots of its own (`python3.12`).
fn with_added_extension(path: &Path, extension: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(".");
    path.push(extension);
    path.into()
}

/// Set by a shim for what it runs: how many shims are above.
pub const DEPTH: &str = "ROCMENV_SHIM_DEPTH";
/// `1`: as if the shim were not there.
pub const BYPASS: &str = "ROCMENV_BYPASS";
/// The project's folder, instead of looking for it.
pub const PROJECT: &str = "ROCMENV_PROJECT";
/// The target whose environment is used.
pub const TARGET: &str = "ROCMENV_TARGET";
/// The environment of the project that is used.
pub const ENV: &str = "ROCMENV_ENV";

const ACTIVATION: &str = "activation";
/// A build may well have a compiler driver below a script below a tool; not this many.
const MAX_DEPTH: u32 = 32;
const EXTENSIONS: [&str; 3] = ["exe", "cmd", "bat"];
