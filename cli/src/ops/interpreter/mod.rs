//! The Python interpreter of an environment: one that rocmenv keeps already, else a fitting one of
//! the host, else a download; or what rocm.toml says instead.
//!
//! The lock keeps a series, so any release of it that is new enough will do; the generation
//! records which one it was.

mod base;
mod distribution;
mod error;
mod foreseen;
mod managed;
mod words;

use std::collections::BTreeSet;

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::generation::Interpreter;
use rocmenv_manifests::lock::LockedPackage;
use rocmenv_manifests::project::PythonSource;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::Dotted;
use rocmenv_resolver::host::interpreters::{InterpreterWish, NoInterpreter, find_interpreter};
use rocmenv_resolver::host::{HostFacts, LiveSysroot};
use rocmenv_store::object::{InUse, Object};
use rocmenv_store::report::Reporter;

use crate::context::Context;
use crate::ops::world::LazyWorld;

pub use base::{BaseGone, check_base};
pub use error::{InterpreterError, Tried};
pub(crate) use foreseen::to_fetch;
pub(crate) use managed::{archive, builds};

/// What an environment needs.
pub struct Wanted<'a> {
    /// The series (`3.12`).
    pub series: &'a Dotted,
    /// The oldest release of it for which the lock holds.
    pub floor: &'a Dotted,
    /// Where rocm.toml says that it comes from.
    pub source: PythonSource,
    /// The packages of the lock, which say what a distribution's interpreter needs.
    pub locked: &'a [LockedPackage],
}

impl<'a> Wanted<'a> {
    /// The names of the distribution's packages that it is made of; none where it comes from
    /// elsewhere.
    pub fn packages(&self) -> BTreeSet<&'a str> {
        match self.source {
            PythonSource::Distro => distribution::needed(self.locked, self.series),
            PythonSource::Auto | PythonSource::Host | PythonSource::Managed => BTreeSet::new(),
        }
    }
}

/// Where it is looked for, and with what.
pub struct Place<'a> {
    /// The call.
    pub context: &'a Context,
    /// The host; its interpreters need not be among the facts.
    pub host: &'a HostFacts,
    /// The registry, which knows the builds.
    pub registry: &'a Registry,
    /// The store.
    pub store: &'a InUse<'a>,
    /// What brings archives, where one has to be fetched.
    pub world: &'a LazyWorld<'a>,
}

/// An interpreter that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provided {
    /// What the generation records.
    pub interpreter: Interpreter,
    /// Its name in the store, unless it is the host's.
    pub key: Option<String>,
    /// The objects that it is made of.
    pub objects: Vec<Sha256>,
}

/// Provides the interpreter of an environment; `parts` are the objects of
/// [its packages](Wanted::packages).
///
/// # Errors
/// None fits, with what was looked at; or one could not be fetched or unpacked.
pub async fn provide(
    place: &Place<'_>,
    wanted: &Wanted<'_>,
    parts: &[Object],
    reporter: &dyn Reporter,
) -> Result<Provided, InterpreterError> {
    let wish = InterpreterWish { series: wanted.series.clone(), minimum: wanted.floor.clone() };
    match wanted.source {
        PythonSource::Distro => {
            tokio::task::block_in_place(|| distribution::unpacked(place.store, wanted, parts))
        }
        PythonSource::Host => of_host(place.context, &wish).map_err(InterpreterError::Host),
        PythonSource::Managed => match managed::kept(place, &wish)? {
            Some(kept) => Ok(kept),
            None => managed::fetched(place, &wish, None, reporter).await,
        },
        PythonSource::Auto => {
            if let Some(kept) = managed::kept(place, &wish)? {
                return Ok(kept);
            }
            match of_host(place.context, &wish) {
                Ok(found) => Ok(found),
                Err(none) => managed::fetched(place, &wish, Some(none), reporter).await,
            }
        }
    }
}

/// The first interpreter of the host that fits. None is run that was run before.
pub(crate) fn of_host(
    context: &Context,
    wish: &InterpreterWish,
) -> Result<Provided, NoInterpreter> {
    let variables = context.environment.all().iter();
    let variables = variables
        .filter_map(|(name, value)| Some((name.to_str()?.to_owned(), value.to_str()?.to_owned())));
    let root = LiveSysroot::new(variables.collect());
    let memory = words::Memory::of(context);
    let found = tokio::task::block_in_place(|| find_interpreter(&root, wish, &memory))?;
    let interpreter = Interpreter {
        version: found.version.to_string(),
        path: found.path.to_string_lossy().into_owned(),
        source: "host".to_owned(),
    };
    Ok(Provided { interpreter, key: None, objects: Vec::new() })
}
