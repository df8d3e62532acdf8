//! The interpreter of an environment: one of the host.

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::generation::Interpreter;
use rocmenv_manifests::project::PythonSource;
use rocmenv_manifests::version::Dotted;
use rocmenv_store::object::{InUse, Object};
use rocmenv_store::report::Reporter;

use super::host::{self, HostError, HostOptions};
use super::lock::Inputs;
use super::world::World;
use crate::context::Context;
use crate::error::{Exit, Failure};

/// Where one is looked for.
pub struct Place<'a> {
    /// The call.
    pub context: &'a Context,
    /// What was read.
    pub inputs: &'a Inputs,
    /// The store.
    pub store: &'a InUse<'a>,
    /// Where things are served.
    pub world: &'a World,
}

/// What is wanted.
pub struct Wanted<'a> {
    /// The series.
    pub series: &'a Dotted,
    /// The oldest release that does.
    pub floor: &'a Dotted,
    /// Where it may come from.
    pub source: PythonSource,
    /// The objects of the environment.
    pub objects: &'a [Object],
}

/// What was found.
pub struct Provided {
    /// The interpreter.
    pub interpreter: Interpreter,
    /// Its key in the store, if it is managed.
    pub key: Option<String>,
    /// The objects that it is made of, if it is managed.
    pub objects: Vec<Sha256>,
}

/// Finds one.
pub async fn provide(
    place: &Place<'_>,
    wanted: &Wanted<'_>,
    _reporter: &dyn Reporter,
) -> Result<Provided, InterpreterError> {
    let options = HostOptions { interpreters: true, ..HostOptions::default() };
    let facts = host::facts(place.context, &place.inputs.registry, &options)?;
    let fits = facts.python.iter().find(|one| {
        let version: Option<Dotted> = Dotted::leading(&one.version.to_string());
        one.implementation == "cpython"
            && !one.free_threaded
            && one.virtual_environment_of.is_none()
            && version.is_some_and(|v| v.starts_with(wanted.series) && v >= *wanted.floor)
    });
    let found = fits.ok_or_else(|| InterpreterError::None { series: wanted.series.clone() })?;
    Ok(Provided {
        interpreter: Interpreter {
            version: found.version.to_string(),
            path: found.real_path.clone(),
            source: "host".to_owned(),
        },
        key: None,
        objects: Vec::new(),
    })
}

/// None was found.
#[derive(Debug, thiserror::Error)]
pub enum InterpreterError {
    /// The host cannot be told.
    #[error(transparent)]
    Host(#[from] HostError),
    /// None fits.
    #[error("no Python {series} on this host")]
    None {
        /// The series.
        series: Dotted,
    },
}

impl Failure for InterpreterError {
    fn exit(&self) -> Exit {
        Exit::Unmet
    }
}
