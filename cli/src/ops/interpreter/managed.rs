//! Interpreters that rocmenv keeps: builds of the registry's table, in the store by their digests.

use rocmenv_manifests::generation::Interpreter;
use rocmenv_manifests::platform::OsFamily;
use rocmenv_resolver::host::interpreters::{InterpreterWish, NoInterpreter};
use rocmenv_resolver::python_builds::{BuildChoice, BuildPlace, NoBuild, python_builds};
use rocmenv_store::environment::managed_python;
use rocmenv_store::fetch::{Downloaded, FailureClass, FetchError, FileRequest};
use rocmenv_store::object::Object;
use rocmenv_store::report::{Progress, Reporter, Task, TaskKind};
use url::Url;

use super::{InterpreterError, Place, Provided, Tried};

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
    let newest = choices(place, wish).map(|builds| builds.into_iter().next());
    let build = match newest {
        Ok(Some(build)) => build,
        Ok(None) => return Err(InterpreterError::Nowhere(Tried { host, build: None })),
        Err(none) => return Err(InterpreterError::Nowhere(Tried { host, build: Some(none) })),
    };
    let archive = match download(place, &build, reporter).await? {
        Ok(archive) => archive,
        Err(FetchError::Offline { .. }) => {
            let version = build.artifact.version;
            return Err(InterpreterError::Offline { version, tried: Tried { host, build: None } });
        }
        Err(source) => {
            return Err(InterpreterError::Fetch { version: build.artifact.version, source });
        }
    };
    let object = tokio::task::block_in_place(|| {
        let (kind, name) = (TaskKind::Unpack, build.artifact.file.clone());
        let progress = Progress::start(reporter, &Task { kind, name, total: None });
        place.store.ensure(&archive.path, &build.artifact, &|bytes| progress.advance(bytes))
    })?;
    provided(place, &build, object)
}

fn choices(place: &Place<'_>, wish: &InterpreterWish) -> Result<Vec<BuildChoice>, NoBuild> {
    let host = place.host;
    let on = BuildPlace {
        family: host.os.family.unwrap_or(OsFamily::Linux),
        arch: host.arch.unwrap_or_default(),
        libc: host.libc.clone(),
    };
    python_builds(place.registry, wish, &on)
}

/// Asks one address after the other as long as it is the network that fails; the first failure is
/// the one that is told.
async fn download(
    place: &Place<'_>,
    build: &BuildChoice,
    reporter: &dyn Reporter,
) -> Result<Result<Downloaded, FetchError>, InterpreterError> {
    let mut failed = None;
    for url in addresses(place, build)? {
        let request = FileRequest {
            url,
            name: build.artifact.file.clone(),
            sha256: build.artifact.sha256,
            size: build.artifact.size,
        };
        match place.fetcher.download(&request, place.downloads, reporter).await {
            Ok(archive) => return Ok(Ok(archive)),
            Err(error) if error.class() == FailureClass::Network => {
                failed = failed.or(Some(error));
            }
            Err(error) => return Ok(Err(error)),
        }
    }
    let file = || FetchError::Offline { what: format!("`{}`", build.artifact.file) };
    Ok(Err(failed.unwrap_or_else(file)))
}

/// The registry's addresses, or the one place that the user set for all builds.
fn addresses(place: &Place<'_>, build: &BuildChoice) -> Result<Vec<Url>, InterpreterError> {
    let parsed = |text: &str, origin: String| {
        Url::parse(text).map_err(|_| InterpreterError::Address { origin })
    };
    match &place.context.settings.python_builds {
        Some(base) => {
            let text = format!("{}/{}", base.value.trim_end_matches('/'), build.path);
            Ok(vec![parsed(&text, base.origin.to_string())?])
        }
        None => {
            let registry = || "the registry".to_owned();
            build.addresses.iter().map(|text| parsed(text, registry())).collect()
        }
    }
}

fn provided(
    place: &Place<'_>,
    build: &BuildChoice,
    object: Object,
) -> Result<Provided, InterpreterError> {
    let (digest, objects) = (object.digest, [object]);
    let built = tokio::task::block_in_place(|| managed_python(place.store, &objects))?;
    let file = || build.artifact.file.clone();
    let python = built.ok_or_else(|| InterpreterError::NoProgram { file: file() })?;
    let interpreter = Interpreter {
        version: build.artifact.version.clone(),
        path: python.program.to_string_lossy().into_owned(),
        source: "managed".to_owned(),
    };
    Ok(Provided { interpreter, key: Some(python.key), objects: vec![digest] })
}
