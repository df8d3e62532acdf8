//! Why an environment gets no interpreter, and what to do about it.

use std::error::Error;
use std::fmt;

use rocmenv_manifests::version::Dotted;
use rocmenv_resolver::host::interpreters::NoInterpreter;
use rocmenv_resolver::python_builds::NoBuild;
use rocmenv_store::environment::EnvironmentError;
use rocmenv_store::fetch::FetchError;
use rocmenv_store::fs::DiskError;
use rocmenv_store::object::ObjectError;

use crate::error::{Exit, Failure};
use crate::failures::exit_of_fetch;
use crate::ops::world::WorldError;

/// An environment gets no interpreter.
#[derive(Debug, thiserror::Error)]
pub enum InterpreterError {
    /// Only the host's may be used, and none fits.
    #[error("no interpreter for this environment, and `[python] source` allows only the host's")]
    Host(#[source] NoInterpreter),
    /// None on the host, and none that can be fetched.
    #[error("no interpreter for this environment")]
    Nowhere(#[source] Box<Tried>),
    /// It would have to be fetched, and may not be.
    #[error("offline: Python {version} would have to be fetched")]
    Offline {
        /// The release.
        version: String,
        /// What was looked at before.
        #[source]
        tried: Box<Tried>,
    },
    /// It could not be fetched.
    #[error("cannot fetch Python {version}")]
    Fetch {
        /// The release.
        version: String,
        /// Why.
        #[source]
        source: FetchError,
    },
    /// Where builds are served is no address.
    #[error("{origin}: not an address of interpreter builds")]
    Address {
        /// Who says so.
        origin: String,
    },
    /// The archive holds no interpreter.
    #[error("`{file}` holds no interpreter")]
    NoProgram {
        /// The archive.
        file: String,
    },
    /// The distribution's interpreter is not in the lock.
    #[error("`rocm.lock` has no `{package}` for this environment")]
    NotLocked {
        /// The package.
        package: String,
    },
    /// The distribution's interpreter is older than the lock was made for.
    #[error("`{package}` is Python {version}, and the lock needs {floor} or newer")]
    DistributionTooOld {
        /// The package.
        package: String,
        /// What it is.
        version: String,
        /// What it must be at least.
        floor: Dotted,
    },
    /// The archive cannot be unpacked.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// Its tree cannot be made.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// The store cannot be used.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The user's configuration of indexes cannot be used.
    #[error(transparent)]
    World(#[from] WorldError),
}

/// What was tried before there was no interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// What the host has instead, if it was asked.
    pub host: Option<NoInterpreter>,
    /// Why none can be fetched, if that is known.
    pub build: Option<NoBuild>,
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.host, &self.build) {
            (Some(host), _) => host.fmt(f),
            (None, Some(build)) => build.fmt(f),
            (None, None) => f.write_str("rocmenv keeps none that fits"),
        }
    }
}

impl Error for Tried {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let build = self.build.as_ref().filter(|_| self.host.is_some())?;
        Some(build)
    }
}

impl Failure for InterpreterError {
    fn exit(&self) -> Exit {
        match self {
            Self::Offline { .. } => Exit::Network,
            Self::Fetch { source, .. } => exit_of_fetch(source),
            Self::Address { .. } => Exit::Usage,
            Self::World(inner) => inner.exit(),
            Self::NotLocked { .. } => Exit::Stale,
            Self::Host(_)
            | Self::Nowhere(_)
            | Self::DistributionTooOld { .. }
            | Self::Object(ObjectError::Disk(_))
            | Self::Environment(EnvironmentError::Disk(_))
            | Self::Disk(_) => Exit::Unmet,
            Self::NoProgram { .. } | Self::Object(_) | Self::Environment(_) => Exit::Integrity,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Host(_) | Self::Nowhere(_) => "python-not-found",
            Self::Offline { .. } => "offline",
            Self::Fetch { source, .. } => return source.code(),
            Self::Address { .. } => "index-address",
            Self::World(inner) => return inner.code(),
            Self::NotLocked { .. } | Self::DistributionTooOld { .. } => "python-not-locked",
            Self::Object(ObjectError::Disk(_))
            | Self::Environment(EnvironmentError::Disk(_))
            | Self::Disk(_) => "store-not-usable",
            Self::NoProgram { .. } | Self::Object(_) | Self::Environment(_) => "archive-refused",
        })
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Host(none) => format!(
                "install python{}, or remove `source = \"host\"` from `[python]` in rocm.toml so that rocmenv fetches one",
                none.wish.series
            ),
            Self::Nowhere(tried) => match &tried.host {
                Some(none) => format!(
                    "install python{} on this host, or ask for another `python` in rocm.toml",
                    none.wish.series
                ),
                None => "set `source = \"auto\"` in `[python]` of rocm.toml, or ask for another `python`"
                    .to_owned(),
            },
            Self::Offline { .. } => "run it again without `--offline`".to_owned(),
            Self::Fetch { source, .. } => return source.help(),
            Self::Address { .. } => "rocmenv explain index-address".to_owned(),
            Self::World(inner) => return inner.help(),
            Self::NotLocked { .. } | Self::DistributionTooOld { .. } => "rocmenv lock".to_owned(),
            Self::Object(_) | Self::Environment(_) | Self::Disk(_) | Self::NoProgram { .. } => {
                return None;
            }
        })
    }
}
