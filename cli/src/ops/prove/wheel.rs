//! Wheels by name and version, address or file, whether or not anything was installed.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rocmenv_manifests::catalog::{Answer, Catalog as _, PythonPage, Query};
use rocmenv_manifests::lock::Contract;
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::platform::Arch;
use rocmenv_manifests::project::Project;
use rocmenv_manifests::python::{PackageName, Version, WheelName};
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::proof::{Package, Site};
use rocmenv_store::cache::Refresh;
use rocmenv_store::proof::{Depth, Place, WheelProof, read_wheel};
use rocmenv_store::report::Reporter;
use url::Url;

use super::report::{Read, Subject};
use super::{Gathered, ProveError, ProveOptions, gpus, host};
use crate::context::Context;
use crate::error::Error;
use crate::ops::host::{HostOptions, facts};
use crate::ops::world::{World, WorldOptions, world};
use crate::ops::{project, registry};
use crate::project_root::ProjectRoot;

/// The wheels that were asked for.
pub(super) async fn gather(
    context: &Context,
    options: &ProveOptions,
    reporter: &dyn Reporter,
) -> Result<Gathered, Error> {
    let registry = registry::load(context)?;
    let facts = facts(context, &registry, &HostOptions::default())?;
    let world = world_of(context, &registry, &facts)?;
    let depth = if options.whole { Depth::Whole } else { Depth::DeviceCode };
    let scratch = scratch(context)?;
    let (mut packages, mut reads) = (Vec::new(), Vec::new());
    for wanted in &options.wheels {
        let (file, url) = find(context, options, &world, facts.arch, wanted, reporter).await?;
        let local = url.to_file_path().ok();
        let place = match &local {
            Some(path) => Place::File(path),
            None => Place::Address(&world.fetcher, &url),
        };
        let proof =
            read_wheel(place, depth, &scratch, reporter).await.map_err(ProveError::Wheel)?;
        reads.push(Read::of(&file, &proof));
        let (name, version) = match file.parse::<WheelName>() {
            Ok(wheel) => (wheel.name.to_string(), wheel.version.to_string()),
            Err(_) => (file, String::new()),
        };
        packages.push(Package { name, version, site: Site::Modules, facts: Some(proof.facts) });
    }
    Ok(Gathered {
        subject: Subject::Wheels,
        gpus: gpus::chosen(&options.gpus, facts.gfx_targets().into_iter().collect()),
        packages,
        reads,
        host: host::Host::of(context, &registry, &Contract::default())?,
        verified: None,
    })
}

/// The project's indexes where there is a project, else the general ones.
fn world_of(context: &Context, registry: &Registry, facts: &HostFacts) -> Result<World, Error> {
    let (root, project) = if context.project().is_ok() {
        let opened = project::open(context)?;
        (opened.root, opened.project)
    } else {
        let project = Project::parse("rocm.toml", NO_PROJECT).map_err(project::OpenError::from)?;
        (ProjectRoot::at(context.start()), project)
    };
    let options = WorldOptions {
        root: &root,
        project: &project,
        registry,
        arch: facts.arch.unwrap_or_default(),
        codename: facts.os.codename.as_deref(),
        refresh: Refresh::WhenOld,
    };
    Ok(world(context, &options)?)
}

/// The name of a wheel's file, and where it is.
async fn find(
    context: &Context,
    options: &ProveOptions,
    world: &World,
    arch: Option<Arch>,
    wanted: &str,
    reporter: &dyn Reporter,
) -> Result<(String, Url), Error> {
    let last = |url: &Url| {
        let name = url.path_segments().and_then(|mut parts| parts.next_back());
        name.unwrap_or_default().replace("%2B", "+").replace("%2b", "+")
    };
    if wanted.contains("://") {
        let url = Url::parse(wanted).map_err(|_| ProveError::NotWheel(wanted.to_owned()))?;
        return Ok((last(&url), url));
    }
    if wanted.strip_suffix(".whl").is_some() {
        let url = Url::from_file_path(context.cwd.join(wanted));
        let url = url.map_err(|()| ProveError::NotWheel(wanted.to_owned()))?;
        return Ok((last(&url), url));
    }
    let (name, version) = wanted.split_once("==").unwrap_or((wanted, ""));
    let parsed = (name.trim().parse::<PackageName>(), version.trim().parse::<Version>());
    let (Ok(package), Ok(version)) = parsed else {
        return Err(ProveError::NotWheel(wanted.to_owned()).into());
    };
    let index = options.index.clone().unwrap_or_else(IndexName::python);
    let query = Query::PythonPage { index: index.clone(), package: package.clone() };
    world.catalog.fetch_missing(&BTreeSet::from([query]), reporter).await?;
    let absent = || ProveError::NoWheel { wanted: wanted.to_owned(), index: index.to_string() };
    let Answer::Ready(page) = world.catalog.python_page(&index, &package) else {
        return Err(absent().into());
    };
    let file = choose(&page, &version, arch.unwrap_or_default()).ok_or_else(absent)?;
    let url = world.catalog.python_address(&index, &package, &file).ok_or_else(absent)?;
    Ok((file, url))
}

/// A wheel of the version for Linux on this architecture. Those for different interpreters hold
/// the same device code, so that the last by name stands for all.
fn choose(page: &PythonPage, version: &Version, arch: Arch) -> Option<String> {
    let wheels = page.files.iter().filter_map(|file| file.name.parse::<WheelName>().ok());
    let mut fitting: Vec<WheelName> = wheels
        .filter(|wheel| wheel.version == *version)
        .filter(|wheel| {
            let [_, _, platforms] = wheel.tag_sets();
            wheel.is_pure() || platforms.contains("linux") && platforms.contains(&arch.to_string())
        })
        .collect();
    fitting.sort_by_key(|wheel| wheel.as_str().to_owned());
    fitting.pop().map(|wheel| wheel.as_str().to_owned())
}

/// The folder that one file at a time is unpacked in.
pub(super) fn scratch(context: &Context) -> Result<PathBuf, Error> {
    let folder = context.cache()?.join("scratch");
    fs_err::create_dir_all(&folder).map_err(|error| ProveError::Disk(error.into()))?;
    Ok(folder)
}

impl Read {
    pub(super) fn of(file: &str, proof: &WheelProof) -> Self {
        let unread = proof.unread.iter().map(|one| (one.path.clone(), one.why.to_owned()));
        Self {
            file: file.to_owned(),
            fetched: proof.fetched,
            size: proof.size,
            unread: unread.collect(),
        }
    }
}

const NO_PROJECT: &str = "[project]\nname = \"none\"\n";
