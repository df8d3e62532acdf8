//! Finding the project that a program is called in, and its current generation.
//!
//! ```text
//! PROJECT/.rocmenv/active                      `<target>[/<env>]`: what shims use
//! PROJECT/.rocmenv/<target>[/<env>]/current    N
//! PROJECT/.rocmenv/<target>[/<env>]/generations/N/activation
//! ```

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Why there is no environment to run in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Absent {
    /// No folder above this one has rocm.toml or `.rocmenv`.
    NoProject,
    /// The project has no environment yet.
    NoEnvironment(PathBuf),
    /// It has several, and none is marked as the one that shims use.
    Undecided(PathBuf),
    /// The environment has no current generation, or its files cannot be read.
    Broken(PathBuf),
    /// The generation was made at another path.
    Moved {
        /// Where it is now.
        here: PathBuf,
        /// Where it was made.
        made_at: PathBuf,
    },
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoProject => f.write_str("this folder belongs to no rocmenv project"),
            Self::NoEnvironment(project) => write!(
                f,
                "the project `{}` has no environment yet; run `rocmenv sync`",
                project.display()
            ),
            Self::Undecided(project) => write!(
                f,
                "the project `{}` has several environments; set ROCMENV_TARGET or run \
                 `rocmenv sync`",
                project.display()
            ),
            Self::Broken(path) => {
                write!(f, "`{}` cannot be read; run `rocmenv sync`", path.display())
            }
            Self::Moved { here, made_at } => write!(
                f,
                "the environment `{}` was made at `{}`; run `rocmenv sync`",
                here.display(),
                made_at.display()
            ),
        }
    }
}

/// The nearest folder from `start` upwards with rocm.toml or `.rocmenv` in it.
pub fn project_above(start: &Path) -> Option<PathBuf> {
    let mut folder = start.to_owned();
    loop {
        for mark in [PROJECT_FILE, PROJECT_FOLDER] {
            if fs::symlink_metadata(folder.join(mark)).is_ok() {
                return Some(folder);
            }
        }
        if !folder.pop() {
            return None;
        }
    }
}

/// The folder of the environment that shims use: the one asked for (`target`, and `env` in it),
/// else the marked one, else the only one.
pub fn environment(
    project: &Path,
    target: Option<&OsStr>,
    env: Option<&OsStr>,
) -> Result<PathBuf, Absent> {
    let root = project.join(PROJECT_FOLDER);
    let mut folder = match target {
        Some(target) => root.join(target),
        None => match marked(&root) {
            Some(folder) if env.is_none() => return Ok(folder),
            // Another environment on the marked target.
            Some(folder) => target_of(&root, &folder),
            None => only_target(project, &root)?,
        },
    };
    if let Some(env) = env.filter(|env| *env != DEFAULT_ENV) {
        folder.push(env);
    }
    Ok(folder)
}

/// The current generation's folder of an environment.
pub fn current_generation(environment: &Path) -> Result<PathBuf, Absent> {
    let broken = || Absent::Broken(environment.join(CURRENT));
    let text = fs::read_to_string(environment.join(CURRENT)).map_err(|_| broken())?;
    let number: u32 = text.trim().parse().map_err(|_| broken())?;
    Ok(environment.join(GENERATIONS).join(number.to_string()))
}

/// What the file `active` says, if it says a place below `.rocmenv`.
fn marked(root: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(root.join(ACTIVE)).ok()?;
    let path = Path::new(text.trim());
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    (plain && path.components().next().is_some()).then(|| root.join(path))
}

fn target_of(root: &Path, environment: &Path) -> PathBuf {
    let inside = environment.strip_prefix(root).unwrap_or(environment);
    inside.components().next().map_or_else(|| environment.to_owned(), |first| root.join(first))
}

fn only_target(project: &Path, root: &Path) -> Result<PathBuf, Absent> {
    let none = || Absent::NoEnvironment(project.to_owned());
    let folders = fs::read_dir(root).map_err(|_| none())?;
    let mut with_current = folders
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.join(CURRENT).exists());
    let one = with_current.next().ok_or_else(none)?;
    if with_current.next().is_some() {
        return Err(Absent::Undecided(project.to_owned()));
    }
    Ok(one)
}

/// The folder of a project that holds its environments.
pub const PROJECT_FOLDER: &str = ".rocmenv";
/// In that folder, says which environment shims use: `<target>[/<env>]`.
pub const ACTIVE: &str = "active";

const PROJECT_FILE: &str = "rocm.toml";
const CURRENT: &str = "current";
const GENERATIONS: &str = "generations";
const DEFAULT_ENV: &str = "default";
