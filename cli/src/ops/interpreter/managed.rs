//! Interpreters that rocmenv keeps: builds of the registry's table, in the store by their digests.

use rocmenv_manifests::generation::Interpreter;
use rocmenv_manifests::platform::OsFamily;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::host::interpreters::{InterpreterWish, NoInterpreter};
use rocmenv_resolver::python_builds::{BuildChoice, BuildPlace, NoBuild, python_builds};
use rocmenv_store::environment::managed_python;
use rocmenv_store::fetch::{Downloaded, FailureClass, FetchError, FileRequest};
use rocmenv_store::object::Object;
use rocmenv_store::report::{Progress, Reporter, Task, TaskKind};
use url::Url;

use super::{InterpreterError, Place, Provided, Tried};
use crate::context::Context;
use crate::ops::world::World;

/// The newest that fits of those in the store. The table names all builds by their digests, so
/// asking the store for each is all it takes; there is no list that could be wrong.
pub(super) fn kept(
    place: &Place<'_>,
    wish: &InterpreterWish,
) -> Result<Option<Provided>, InterpreterError> {
    for build in choices(place, wish).unwrap_or_default() {
        let Some(digest) = build.artifact.sha256 else { continue };
        if let Some(object) = place.store.find(&digest)? {
            return provided(place, &build, object).map(Some);
        }
    }
    Ok(None)
}

/// The newest build there is, fetched and unpacked. `host`: what was looked at there before.
pub(super) async fn fetched(
    place: &Place<'_>,
    wish: &InterpreterWish,
    host: Option<NoInterpreter>,
    reporter: &dyn Reporter,
) -> Result<Provided, InterpreterError> {
    let build = match choices(place, wish).map(|builds| builds.into_iter().next()) {
        Ok(Some(build)) => build,
        Ok(None) => return Err(nowhere(host, None)),
        Err(none) => return Err(nowhere(host, Some(none))),
    };
    let addresses = addresses(place.context, &build)?;
    let fetched = download(place.world.get()?, &build, addresses, reporter).await;
    let archive = fetched.map_err(|error| not_fetched(error, &build, host))?;
    let object = tokio::task::block_in_place(|| {
        let (kind, name) = (TaskKind::Unpack, build.artifact.file.clone());
        let progress = Progress::start(reporter, &Task { kind, name, total: None });
        place.store.ensure(&archive.path, &build.artifact, &|bytes| progress.advance(bytes))
    })?;
    provided(place, &build, object)
}

/// The archive of the newest build for a machine, for somebody who carries it there.
pub(crate) async fn archive(
    world: &World,
    context: &Context,
    build: &BuildChoice,
    reporter: &dyn Reporter,
) -> Result<Downloaded, InterpreterError> {
    let addresses = addresses(context, build)?;
    let found = download(world, build, addresses, reporter).await;
    found.map_err(|error| not_fetched(error, build, None))
}

fn choices(place: &Place<'_>, wish: &InterpreterWish) -> Result<Vec<BuildChoice>, NoBuild> {
    builds(place.registry, place.host, wish)
}

/// The builds that run on a host, newest first.
pub(crate) fn builds(
    registry: &Registry,
    host: &HostFacts,
    wish: &InterpreterWish,
) -> Result<Vec<BuildChoice>, NoBuild> {
    let on = BuildPlace {
        family: host.os.family.unwrap_or(OsFamily::Linux),
        arch: host.arch.unwrap_or_default(),
        libc: host.libc.clone(),
    };
    python_builds(registry, wish, &on)
}

fn nowhere(host: Option<NoInterpreter>, build: Option<NoBuild>) -> InterpreterError {
    InterpreterError::Nowhere(Box::new(Tried { host, build }))
}

fn not_fetched(
    source: FetchError,
    build: &BuildChoice,
    host: Option<NoInterpreter>,
) -> InterpreterError {
    let version = build.artifact.version.clone();
    match source {
        FetchError::Offline { .. } => {
            let tried = Box::new(Tried { host, build: None });
            InterpreterError::Offline { version, tried }
        }
        source => InterpreterError::Fetch { version, source },
    }
}

/// Asks one address after the other as long as it is the network that fails; the first failure is
/// the one that is told.
async fn download(
    world: &World,
    build: &BuildChoice,
    addresses: Vec<Url>,
    reporter: &dyn Reporter,
) -> Result<Downloaded, FetchError> {
    let mut failed = None;
    for url in addresses {
        let request = FileRequest {
            url,
            name: build.artifact.file.clone(),
            sha256: build.artifact.sha256,
            size: build.artifact.size,
        };
        match world.fetcher.download(&request, &world.downloads, reporter).await {
            Err(error) if error.class() == FailureClass::Network => {
                failed = failed.or(Some(error));
            }
            other => return other,
        }
    }
    let nobody = || FetchError::Offline { what: format!("`{}`", build.artifact.file) };
    Err(failed.unwrap_or_else(nobody))
}

/// The registry's addresses, or the one place that the user set for all builds.
fn addresses(context: &Context, build: &BuildChoice) -> Result<Vec<Url>, InterpreterError> {
    let parsed = |text: &str, origin: String| {
        Url::parse(text).map_err(|_| InterpreterError::Address { origin })
    };
    if let Some(base) = &context.settings.python_builds {
        let text = format!("{}/{}", base.value.trim_end_matches('/'), build.path);
        return Ok(vec![parsed(&text, base.origin.to_string())?]);
    }
    build.addresses.iter().map(|text| parsed(text, "the registry".to_owned())).collect()
}

fn provided(
    place: &Place<'_>,
    build: &BuildChoice,
    object: Object,
) -> Result<Provided, InterpreterError> {
    let (digest, objects) = (object.digest, [object]);
    let python = tokio::task::block_in_place(|| managed_python(place.store, &objects))?
        .ok_or_else(|| InterpreterError::NoProgram { file: build.artifact.file.clone() })?;
    let interpreter = Interpreter {
        version: build.artifact.version.clone(),
        path: python.program.to_string_lossy().into_owned(),
        source: "managed".to_owned(),
    };
    Ok(Provided { interpreter, key: Some(python.key), objects: vec![digest] })
}
