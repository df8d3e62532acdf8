//! Which interpreter a sync takes, in the order of [`crate::ops::interpreter::provide`]: what
//! rocmenv keeps, the host's, a download; or the one way that rocm.toml allows.

use std::fmt;

use rocmenv_manifests::project::PythonSource;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::Dotted;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::host::facts::Interpreter;
use rocmenv_resolver::host::interpreters::InterpreterWish;
use rocmenv_resolver::python_builds::distribution_packages;

use super::{Found, Provenance, Wanted};
use crate::context::Context;
use crate::ops::interpreter::{builds, of_host};

/// Why an interpreter cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Another series than the wanted one.
    Series(Dotted),
    /// Older than the lock was made for, or a preview of it.
    TooOld(Dotted),
    /// Not CPython.
    Implementation(String),
    /// Built without the global lock.
    FreeThreaded,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Series(wanted) => write!(f, "not {wanted}"),
            Self::TooOld(minimum) => write!(f, "older than {minimum}"),
            Self::Implementation(name) => write!(f, "{name}, not CPython"),
            Self::FreeThreaded => f.write_str("free-threaded"),
        }
    }
}

/// What a sync would take, and why that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chosen {
    /// Kept already; nothing else is looked at.
    Kept(String),
    /// The first of the host's that fits: on the search path, of pyenv, of the distribution.
    OfHost(String),
    /// The distribution's packages, which `[python] source = "distro"` asks for.
    Packages(String),
    /// Nothing here fits, so that this archive would be fetched.
    Fetched(String),
    /// Nothing.
    Nothing(String),
}

/// What is chosen from.
pub(super) struct Situation<'a> {
    pub(super) registry: &'a Registry,
    pub(super) host: &'a HostFacts,
    pub(super) wanted: &'a Wanted,
    pub(super) found: &'a [Found],
}

/// Chooses.
pub(super) fn choose(context: &Context, situation: &Situation<'_>) -> Chosen {
    match situation.wanted.source {
        PythonSource::Distro => situation.packages(),
        PythonSource::Host => situation.of_host(context).unwrap_or_else(Chosen::Nothing),
        PythonSource::Managed => situation.kept().unwrap_or_else(|| situation.fetched()),
        PythonSource::Auto => situation
            .kept()
            .or_else(|| situation.of_host(context).ok())
            .unwrap_or_else(|| situation.fetched()),
    }
}

impl Situation<'_> {
    fn first(&self, from: Provenance) -> Option<&Found> {
        self.found.iter().find(|found| found.from == from && found.unfit.is_none())
    }

    fn kept(&self) -> Option<Chosen> {
        self.first(Provenance::Managed).map(|found| Chosen::Kept(found.place.clone()))
    }

    /// By the very search of a sync, which looks through virtual environments to their bases.
    fn of_host(&self, context: &Context) -> Result<Chosen, String> {
        match of_host(context, &self.wanted.wish) {
            Ok(found) => Ok(Chosen::OfHost(found.interpreter.path)),
            Err(none) => Err(none.to_string().lines().next().unwrap_or_default().to_owned()),
        }
    }

    fn packages(&self) -> Chosen {
        let found =
            self.first(Provenance::Packages).map(|found| Chosen::Packages(found.place.clone()));
        let missing = || format!("`rocm.lock` has no python{}", self.wanted.wish.series);
        found.unwrap_or_else(|| Chosen::Nothing(missing()))
    }

    fn fetched(&self) -> Chosen {
        match builds(self.registry, self.host, &self.wanted.wish) {
            Ok(builds) => builds.into_iter().next().map_or_else(
                || Chosen::Nothing("nobody builds it".to_owned()),
                |build| Chosen::Fetched(build.artifact.file),
            ),
            Err(none) => Chosen::Nothing(none.to_string()),
        }
    }
}

/// Why an interpreter of the host is not the wanted one.
pub(super) fn unfit(one: &Interpreter, wish: &InterpreterWish) -> Option<Reason> {
    if one.implementation != "cpython" {
        return Some(Reason::Implementation(one.implementation.clone()));
    }
    if one.free_threaded {
        return Some(Reason::FreeThreaded);
    }
    unfit_version(&one.version.to_string(), wish)
}

/// Why a version is not the wanted one.
pub(super) fn unfit_version(version: &str, wish: &InterpreterWish) -> Option<Reason> {
    let is_preview = version.bytes().any(|letter| letter.is_ascii_alphabetic());
    let known = Dotted::leading(version)?;
    if !known.starts_with(&wish.series) {
        return Some(Reason::Series(wish.series.clone()));
    }
    let is_old = known < wish.minimum || (is_preview && known == wish.minimum);
    is_old.then(|| Reason::TooOld(wish.minimum.clone()))
}

/// Why a package of the distribution is not the wanted one.
pub(super) fn unfit_package(name: &str, wish: &InterpreterWish) -> Option<Reason> {
    let wanted = distribution_packages(&wish.series);
    (wanted[0] != name).then(|| Reason::Series(wish.series.clone()))
}
