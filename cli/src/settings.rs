//! What one call was told, by flags first and variables second. The only reader of variables.

use std::ffi::OsStr;
use std::path::PathBuf;

use rocmenv_manifests::name::{EnvName, NameError, TargetName};
use rocmenv_manifests::sourced::{Origin, Sourced};

use crate::args::{ColorChoice, GlobalArgs};
use crate::error::{Exit, Failure};
use crate::process::Process;
use crate::variables::{self, Environment, Variable};

/// The proven settings of one call.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where to look for the project first.
    pub project: Option<PathBuf>,
    /// The target that was asked for.
    pub target: Option<Sourced<TargetName>>,
    /// The environment of the project.
    pub env: EnvName,
    /// Whether the environment was asked for by name.
    pub is_env_asked: bool,
    /// A file of host facts in place of the probe.
    pub host_file: Option<Sourced<PathBuf>>,
    /// Whether the network may be used.
    pub network: Network,
    /// How the lock is treated.
    pub lock_mode: LockMode,
    /// Print the plan, change nothing.
    pub dry_run: bool,
    /// One JSON document on standard output.
    pub json: bool,
    /// Who answers questions.
    pub questions: Questions,
    /// How the call talks.
    pub look: Look,
    /// Where the user moved rocmenv's folders to.
    pub folders: Folders,
    /// The general Python index, where a variable names it.
    pub python_index: Option<Sourced<String>>,
    /// Where interpreter builds are served, where a variable names a mirror.
    pub python_builds: Option<Sourced<String>>,
}

/// Whether the network may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// It may.
    Allowed,
    /// Nothing is asked of it.
    Offline,
}

/// Who answers questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Questions {
    /// A person at a terminal.
    Asked,
    /// `--yes`: every question is answered with yes.
    AssumedYes,
    /// Nobody: a question is an error that names the flag.
    Unanswered,
}

/// How the call talks.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// How much is said.
    pub verbosity: Verbosity,
    /// Whether progress bars are shown.
    pub progress: bool,
    /// Whether the talk on standard error has colours.
    pub color_stderr: bool,
    /// Whether the data on standard output has colours.
    pub color_stdout: bool,
}

/// Folders that the user moved; `None` is where the system keeps such things.
#[derive(Debug, Clone, Default)]
pub struct Folders {
    /// The store and the shims.
    pub data: Option<PathBuf>,
    /// Pages and downloads.
    pub cache: Option<PathBuf>,
    /// The user's registry overlays.
    pub config: Option<PathBuf>,
    /// Where shims are put.
    pub shims: Option<PathBuf>,
    /// Apt sources in place of the host's.
    pub apt_sources: Option<PathBuf>,
    /// Stores of an administrator that are read and never written; `None` where no variable
    /// names any.
    pub layers: Option<Vec<PathBuf>>,
    /// The user's own stores on other disks.
    pub stores: Vec<PathBuf>,
}

/// How `lock`, `sync` and `run` treat the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockMode {
    /// Bring it up to date.
    Update,
    /// It must already fit; nothing is written.
    Locked,
    /// Use it unchecked.
    Frozen,
}

/// How much is said on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Errors only.
    Quiet,
    /// What a person wants to know.
    Normal,
    /// Every step.
    Verbose,
}

impl Settings {
    /// Joins the flags of a call with its variables.
    ///
    /// # Errors
    /// A variable holds what it cannot.
    pub fn new(
        global: GlobalArgs,
        env: &Environment,
        process: &Process,
    ) -> Result<Self, SettingsError> {
        Ok(Self {
            look: look(&global, env, process),
            questions: questions(global.yes, env, process),
            folders: folders(env),
            project: global.project.or_else(|| path(env, &variables::ROCMENV_PROJECT)),
            target: target(global.target, env)?,
            is_env_asked: global.env.is_some() || env.value(&variables::ROCMENV_ENV).is_some(),
            env: environment_name(global.env, env)?,
            host_file: host_file(global.host, env),
            network: if global.offline || env.is_on(&variables::ROCMENV_OFFLINE) {
                Network::Offline
            } else {
                Network::Allowed
            },
            lock_mode: lock_mode(global.locked, global.frozen, env),
            dry_run: global.dry_run,
            json: global.json,
            python_index: python_index(env),
            python_builds: python_builds(env),
        })
    }
}

/// A variable holds what it cannot.
#[derive(Debug, thiserror::Error)]
#[error("the variable `{variable}` is not usable")]
pub struct SettingsError {
    variable: &'static str,
    #[source]
    source: NameError,
}

impl Failure for SettingsError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn code(&self) -> Option<&'static str> {
        Some("variable-invalid")
    }

    fn help(&self) -> Option<String> {
        Some(format!("unset {}", self.variable))
    }
}

fn look(global: &GlobalArgs, env: &Environment, process: &Process) -> Look {
    let dumb = env.value(&variables::TERM) == Some(OsStr::new("dumb"));
    let color = |terminal: bool| has_color(global.color, env, terminal && !dumb);
    let unwanted = global.no_progress
        || env.is_on(&variables::ROCMENV_NO_PROGRESS)
        || env.is_on(&variables::CI);
    Look {
        verbosity: match (global.quiet, global.verbose) {
            (1.., _) => Verbosity::Quiet,
            (0, 0) => Verbosity::Normal,
            (0, _) => Verbosity::Verbose,
        },
        progress: process.stderr_is_terminal && !dumb && !unwanted,
        color_stderr: color(process.stderr_is_terminal),
        color_stdout: color(process.stdout_is_terminal),
    }
}

fn questions(yes: bool, env: &Environment, process: &Process) -> Questions {
    let person = process.stdin_is_terminal && process.stderr_is_terminal;
    match (yes, person && !env.is_on(&variables::CI)) {
        (true, _) => Questions::AssumedYes,
        (false, true) => Questions::Asked,
        (false, false) => Questions::Unanswered,
    }
}

fn folders(env: &Environment) -> Folders {
    Folders {
        data: path(env, &variables::ROCMENV_DATA),
        cache: path(env, &variables::ROCMENV_CACHE),
        config: path(env, &variables::ROCMENV_CONFIG),
        shims: path(env, &variables::ROCMENV_SHIMS),
        apt_sources: path(env, &variables::ROCMENV_APT_SOURCES),
        layers: env.value(&variables::ROCMENV_LAYERS).map(paths),
        stores: env.value(&variables::ROCMENV_STORES).map(paths).unwrap_or_default(),
    }
}

fn paths(list: &OsStr) -> Vec<PathBuf> {
    std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty()).collect()
}

fn path(env: &Environment, variable: &Variable) -> Option<PathBuf> {
    env.value(variable).map(PathBuf::from)
}

fn target(
    flag: Option<TargetName>,
    env: &Environment,
) -> Result<Option<Sourced<TargetName>>, SettingsError> {
    if let Some(name) = flag {
        return Ok(Some(Sourced::new(name, Origin::Flag("--target".to_owned()))));
    }
    let Some(text) = env.text(&variables::ROCMENV_TARGET) else { return Ok(None) };
    let variable = variables::ROCMENV_TARGET.name;
    let name = text.parse().map_err(|source| SettingsError { variable, source })?;
    Ok(Some(Sourced::new(name, Origin::Variable(variable.to_owned()))))
}

fn environment_name(flag: Option<EnvName>, env: &Environment) -> Result<EnvName, SettingsError> {
    if let Some(name) = flag {
        return Ok(name);
    }
    let Some(text) = env.text(&variables::ROCMENV_ENV) else { return Ok(EnvName::default_env()) };
    let variable = variables::ROCMENV_ENV.name;
    text.parse().map_err(|source| SettingsError { variable, source })
}

fn host_file(flag: Option<PathBuf>, env: &Environment) -> Option<Sourced<PathBuf>> {
    let by_flag = flag.map(|path| Sourced::new(path, Origin::Flag("--host".to_owned())));
    by_flag.or_else(|| {
        let path = env.value(&variables::ROCMENV_HOST)?;
        let origin = Origin::Variable(variables::ROCMENV_HOST.name.to_owned());
        Some(Sourced::new(PathBuf::from(path), origin))
    })
}

/// A flag beats both variables; of the variables, the looser one wins, as it would as a flag.
fn lock_mode(locked: bool, frozen: bool, env: &Environment) -> LockMode {
    match (locked, frozen) {
        (_, true) => LockMode::Frozen,
        (true, _) => LockMode::Locked,
        _ if env.is_on(&variables::ROCMENV_FROZEN) => LockMode::Frozen,
        _ if env.is_on(&variables::ROCMENV_LOCKED) => LockMode::Locked,
        _ => LockMode::Update,
    }
}

/// A flag beats the variables, a no beats a yes.
fn has_color(choice: ColorChoice, env: &Environment, terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if env.value(&variables::NO_COLOR).is_some() => false,
        ColorChoice::Auto => {
            terminal || env.is_on(&variables::CLICOLOR_FORCE) || env.is_on(&variables::FORCE_COLOR)
        }
    }
}

/// rocmenv's own variable, then pip's, then uv's; their configuration files come after.
fn python_index(env: &Environment) -> Option<Sourced<String>> {
    first_address(
        env,
        &[
            variables::ROCMENV_INDEX_URL,
            variables::PIP_INDEX_URL,
            variables::UV_DEFAULT_INDEX,
            variables::UV_INDEX_URL,
        ],
    )
}

/// rocmenv's own variable, then uv's, which means the same.
fn python_builds(env: &Environment) -> Option<Sourced<String>> {
    first_address(env, &[variables::ROCMENV_PYTHON_BUILDS_URL, variables::UV_PYTHON_INSTALL_MIRROR])
}

fn first_address(env: &Environment, order: &[Variable]) -> Option<Sourced<String>> {
    order.iter().find_map(|variable| {
        let url = env.text(variable)?;
        Some(Sourced::new(url.to_owned(), Origin::Variable(variable.name.to_owned())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        Environment::new(pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect())
    }

    #[test]
    fn colours_follow_flag_then_no_then_yes_then_terminal() {
        let both = environment(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]);
        assert!(!has_color(ColorChoice::Auto, &both, true));
        assert!(has_color(ColorChoice::Always, &both, false));
        let forced = environment(&[("CLICOLOR_FORCE", "1")]);
        assert!(has_color(ColorChoice::Auto, &forced, false));
        assert!(!has_color(ColorChoice::Auto, &environment(&[]), false));
        assert!(!has_color(ColorChoice::Never, &forced, true));
    }

    #[test]
    fn a_flag_beats_a_variable() {
        let env = environment(&[("ROCMENV_FROZEN", "1"), ("ROCMENV_TARGET", "desk")]);
        assert_eq!(lock_mode(true, false, &env), LockMode::Locked);
        assert_eq!(lock_mode(false, false, &env), LockMode::Frozen);
        let by_flag = target(Some("cluster".parse().unwrap()), &env).unwrap().unwrap();
        assert_eq!(by_flag.origin.to_string(), "--target");
        let by_variable = target(None, &env).unwrap().unwrap();
        assert_eq!(by_variable.value.as_str(), "desk");
        assert_eq!(by_variable.origin.to_string(), "$ROCMENV_TARGET");
        assert!(target(None, &environment(&[("ROCMENV_TARGET", "Bad Name")])).is_err());
    }

    #[test]
    fn rocmenvs_variable_beats_uvs_for_interpreter_builds() {
        let uv = ("UV_PYTHON_INSTALL_MIRROR", "http://uv");
        let own = ("ROCMENV_PYTHON_BUILDS_URL", "http://own");
        let named = |pairs: &[(&str, &str)]| python_builds(&environment(pairs));
        assert_eq!(named(&[uv, own]).map(|base| base.value).as_deref(), Some("http://own"));
        let base = named(&[uv]).unwrap();
        assert_eq!(base.origin, Origin::Variable("UV_PYTHON_INSTALL_MIRROR".to_owned()));
        assert!(named(&[]).is_none());
    }
}
