//! Wheels by name and version, address or file, whether or not anything was installed.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rocmenv_manifests::catalog::{Answer, Catalog as _, PythonPage, Query};
use rocmenv_manifests::lock::Contract;
use rocmenv_manifests::name::{IndexName, TargetName};
use rocmenv_manifests::platform::{Arch, OsFamily};
use rocmenv_manifests::project::Project;
use rocmenv_manifests::python::{PackageName, Version, WheelName};
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::proof::{Package, Site};
use rocmenv_resolver::target::{Target, from_host};
use rocmenv_store::cache::Refresh;
use rocmenv_store::proof::{Depth, Place, WheelProof, read_wheel};
use rocmenv_store::report::Reporter;
use url::Url;

use super::report::{Read, Subject};
use super::{Gathered, ProveError, ProveOptions, gpus, host};
use crate::context::Context;
use crate::error::Error;
use crate::ops::host::{HostOptions, facts};
use crate::ops::lock::targets;
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
    let target = target(context, &registry, &facts)?;
    let depth = if options.whole { Depth::Whole } else { Depth::DeviceCode };
    let scratch = scratch(context)?;
    let wanting = Wanting { context, options, world: &world, target: &target };
    let (mut packages, mut reads) = (Vec::new(), Vec::new());
    let mut families: BTreeSet<OsFamily> = BTreeSet::new();
    for wanted in &options.wheels {
        let (file, url) = wanting.find(wanted, reporter).await?;
        let local = url.to_file_path().ok();
        let place = match &local {
            Some(path) => Place::File(path),
            None => Place::Address(&world.fetcher, &url),
        };
        let proof =
            read_wheel(place, depth, &scratch, reporter).await.map_err(ProveError::Wheel)?;
        reads.push(Read::of(&file, &proof));
        let (name, version) = match file.parse::<WheelName>() {
            Ok(wheel) => {
                families.extend(family(&wheel));
                (wheel.name.to_string(), wheel.version.to_string())
            }
            Err(_) => (file, String::new()),
        };
        packages.push(Package { name, version, site: Site::Modules, facts: Some(proof.facts) });
    }
    if families.len() > 1 {
        return Err(ProveError::TwoSystems.into());
    }
    let family = families.first().copied().unwrap_or(target.family);
    let is_here = context.settings.target.is_none() && family == target.family;
    let host = if is_here {
        host::Host::of(context, &registry, &Contract::default())?
    } else {
        host::Host::elsewhere(family, target.libc.as_ref().map(|libc| &libc.value))
    };
    Ok(Gathered {
        subject: Subject::Wheels,
        gpus: gpus::chosen(&options.gpus, target.gfx_targets()),
        packages,
        reads,
        host,
        verified: None,
        registry,
    })
}

/// The target that was named, else this host.
fn target(context: &Context, registry: &Registry, facts: &HostFacts) -> Result<Target, Error> {
    let Some(named) = &context.settings.target else {
        return Ok(from_host(TargetName::host(), facts, registry));
    };
    let opened = project::open(context)?;
    let mut found = targets(&opened.project, registry, facts, Some(&named.value))?;
    // `targets` refuses a name that there is not.
    let found = found.pop().map(|one| one.target);
    Ok(found.unwrap_or_else(|| from_host(TargetName::host(), facts, registry)))
}

/// The system that a wheel is for; `None` for one that goes everywhere.
fn family(wheel: &WheelName) -> Option<OsFamily> {
    let [_, _, platforms] = wheel.tag_sets();
    match platforms {
        _ if platforms.contains("linux") => Some(OsFamily::Linux),
        _ if platforms.contains("win") && !platforms.contains("macos") => Some(OsFamily::Windows),
        _ => None,
    }
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

/// What a wheel is looked for with.
struct Wanting<'a> {
    context: &'a Context,
    options: &'a ProveOptions,
    world: &'a World,
    target: &'a Target,
}

impl Wanting<'_> {
    /// The name of a wheel's file, and where it is.
    async fn find(&self, wanted: &str, reporter: &dyn Reporter) -> Result<(String, Url), Error> {
        let not_wheel = || ProveError::NotWheel(wanted.to_owned());
        if wanted.contains("://") {
            let url = Url::parse(wanted).map_err(|_| not_wheel())?;
            return Ok((file_of(&url), url));
        }
        let Some(stem) = wanted.strip_suffix(".whl") else {
            let (name, version) = wanted.split_once("==").unwrap_or((wanted, ""));
            let parsed = (name.trim().parse(), version.trim().parse());
            let (Ok(package), Ok(version)) = parsed else { return Err(not_wheel().into()) };
            let choice = |page: &PythonPage| choose(page, &version, self.target);
            return self.on_index(wanted, &package, &version, choice, reporter).await;
        };
        let path = self.context.cwd.join(wanted);
        let named = wanted.parse::<WheelName>().ok().filter(|_| !stem.contains(['/', '\\']));
        match named {
            // A file of an index, whatever system it is for.
            Some(wheel) if !path.exists() => {
                let is_there = |page: &PythonPage| page.files.iter().any(|one| one.name == wanted);
                let choice = |page: &PythonPage| is_there(page).then(|| wanted.to_owned());
                self.on_index(wanted, &wheel.name, &wheel.version, choice, reporter).await
            }
            _ => {
                let url = Url::from_file_path(path).map_err(|()| not_wheel())?;
                Ok((file_of(&url), url))
            }
        }
    }

    async fn on_index(
        &self,
        wanted: &str,
        package: &PackageName,
        version: &Version,
        choice: impl Fn(&PythonPage) -> Option<String>,
        reporter: &dyn Reporter,
    ) -> Result<(String, Url), Error> {
        let index = self.options.index.clone().unwrap_or_else(IndexName::python);
        let query = Query::PythonPage { index: index.clone(), package: package.clone() };
        let catalog = &self.world.catalog;
        catalog.fetch_missing(&BTreeSet::from([query]), reporter).await?;
        let absent = |others: Vec<String>| {
            let (family, arch) = (self.target.family, self.target.arch.value);
            let (wanted, index) = (wanted.to_owned(), index.to_string());
            ProveError::NoWheel { wanted, index, family, arch, others }
        };
        let Answer::Ready(page) = catalog.python_page(&index, package) else {
            return Err(absent(Vec::new()).into());
        };
        let file = choice(&page).ok_or_else(|| absent(wheels_of(&page, version)))?;
        let url = catalog.python_address(&index, package, &file);
        Ok((file, url.ok_or_else(|| absent(Vec::new()))?))
    }
}

/// The name of the file at an address.
fn file_of(url: &Url) -> String {
    let name = url.path_segments().and_then(|mut parts| parts.next_back());
    name.unwrap_or_default().replace("%2B", "+").replace("%2b", "+")
}

/// A wheel of the version for the target's system and processor. Those for different interpreters
/// hold the same device code, so that the last by name stands for all.
fn choose(page: &PythonPage, version: &Version, target: &Target) -> Option<String> {
    let arch = target.arch.value;
    let fits = |wheel: &WheelName| {
        let [_, _, platforms] = wheel.tag_sets();
        let is_of_arch = match (target.family, arch) {
            (OsFamily::Windows, Arch::X86_64) => platforms.contains("win_amd64"),
            (OsFamily::Windows, Arch::Aarch64) => platforms.contains("win_arm64"),
            (OsFamily::Linux, arch) => platforms.contains(&arch.to_string()),
        };
        wheel.is_pure() || family(wheel) == Some(target.family) && is_of_arch
    };
    let mut fitting = wheels_of(page, version);
    fitting.retain(|file| file.parse().is_ok_and(|wheel| fits(&wheel)));
    fitting.pop()
}

/// The files of a version's wheels, sorted.
fn wheels_of(page: &PythonPage, version: &Version) -> Vec<String> {
    let wheels = page.files.iter().filter_map(|file| file.name.parse::<WheelName>().ok());
    let of_version = wheels.filter(|wheel| wheel.version == *version);
    let mut files: Vec<String> = of_version.map(|wheel| wheel.as_str().to_owned()).collect();
    files.sort();
    files
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
