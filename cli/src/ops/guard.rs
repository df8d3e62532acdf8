//! The guard over an environment that was made: what lies in it that no generation knows, and
//! whether that changes the accelerator.
//!
//! It must be cheap, because `run` asks it every time: one folder is listed and the names of its
//! packages are compared. Nothing else is read unless a name is not what it should be.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use fs_err as fs;
use rocmenv_manifests::generation::Generation;
use rocmenv_manifests::lock::{ArtifactKind, Lock, Predicate};
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::plan::Artifact;
use rocmenv_manifests::project::{Accelerator, Project};
use rocmenv_manifests::python::Version;
use rocmenv_manifests::python::name::package_name;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::guard::{Culprit, Guarded, Pin, culprits};
use rocmenv_store::layout::GenerationLayout;

use super::packages::site_packages;

/// A package that is not what the generation's record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stranger {
    /// Its normal name.
    pub name: String,
    /// The version that lies there; `None` where it was taken out.
    pub version: Option<String>,
    /// The version that was installed; `None` where nothing of that name was.
    pub locked: Option<String>,
}

impl fmt::Display for Stranger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match (&self.version, &self.locked) {
            (Some(version), Some(locked)) => {
                write!(f, "{name} {version} lies in the place of the locked {locked}")
            }
            (Some(version), None) => write!(f, "{name} {version} is not locked"),
            (None, locked) => {
                let locked = locked.as_deref().unwrap_or_default();
                write!(f, "{name} {locked} was taken out")
            }
        }
    }
}

/// The packages that no generation knows, and those that it misses.
pub fn strangers(generation: &Generation, place: &GenerationLayout) -> Vec<Stranger> {
    let Some(folder) = site_packages(place) else { return Vec::new() };
    let known: BTreeMap<&str, &str> = python(&generation.artifacts)
        .map(|artifact| (artifact.name.as_str(), artifact.version.as_str()))
        .collect();
    let (mut missing, mut found) = (known.clone(), Vec::new());
    for (name, version) in infos(&folder) {
        missing.remove(name.as_str());
        let locked = known.get(name.as_str()).copied();
        if !locked.is_some_and(|locked| is_same(locked, &version)) {
            let locked = locked.map(str::to_owned);
            found.push(Stranger { name, version: Some(version), locked });
        }
    }
    found.extend(missing.into_iter().map(|(name, version)| Stranger {
        name: name.to_owned(),
        version: None,
        locked: Some(version.to_owned()),
    }));
    found
}

/// What changes the accelerator of an environment in which there are strangers.
pub fn changed(
    registry: &Registry,
    generation: &Generation,
    place: &GenerationLayout,
    strangers: &[Stranger],
) -> Vec<Culprit> {
    let of = |name: &str| strangers.iter().find(|stranger| stranger.name == name);
    let mut pins: Vec<Pin> = python(&generation.artifacts)
        .filter(|artifact| of(&artifact.name).is_none())
        .map(pin)
        .collect();
    // Nobody knows where a stranger came from; what pip does by itself is the general index.
    pins.extend(strangers.iter().filter_map(|stranger| {
        let version = stranger.version.clone()?;
        Some(Pin { name: stranger.name.clone(), version, index: IndexName::python() })
    }));
    let before = culprits(registry, &all(&generation.artifacts), &guarded(generation, place));
    let mut now = culprits(registry, &pins, &guarded(generation, place));
    // What was passed over when it was made is not the stranger's fault.
    now.retain(|culprit| !before.contains(culprit));
    now
}

/// The Python packages among artifacts, as the guard sees them.
pub fn all(artifacts: &[Artifact]) -> Vec<Pin> {
    python(artifacts).map(pin).collect()
}

/// What a lock says that one of its targets is for.
pub fn guarded_of(
    lock: &Lock,
    target: &rocmenv_manifests::name::TargetName,
    env: &rocmenv_manifests::name::EnvName,
    accelerator: Accelerator,
) -> Guarded {
    let locked = lock.targets.iter().find(|one| one.name == *target && one.env == *env);
    let items = locked.into_iter().flat_map(|locked| &locked.contract.items);
    let gpus = items.filter_map(|item| match &item.predicate {
        Predicate::GfxWithin(gpus) => Some(gpus.clone()),
        _ => None,
    });
    Guarded {
        accelerator,
        gpus: gpus.flatten().collect(),
        rocm: locked.and_then(|locked| locked.rocm.clone()),
    }
}

/// As `guarded_of`, from the files that a generation keeps. Where they cannot be read, the most
/// is asked.
fn guarded(generation: &Generation, place: &GenerationLayout) -> Guarded {
    let project = fs::read_to_string(place.project_file()).ok();
    let project = project.and_then(|text| Project::parse("rocm.toml", &text).ok());
    let spec = project.iter().flat_map(|project| &project.targets);
    let spec = spec.into_iter().find(|spec| spec.name == generation.target);
    let accelerator = spec.map_or(Accelerator::Rocm, |spec| spec.accelerator);
    let lock = fs::read_to_string(place.lock_file()).ok();
    match lock.and_then(|text| Lock::parse(&text).ok()) {
        Some(lock) => guarded_of(&lock, &generation.target, &generation.env, accelerator),
        None => Guarded { accelerator, gpus: Vec::new(), rocm: None },
    }
}

fn python(artifacts: &[Artifact]) -> impl Iterator<Item = &Artifact> {
    let is_python = |artifact: &&Artifact| {
        matches!(artifact.kind, ArtifactKind::Wheel | ArtifactKind::RocmMeta)
    };
    artifacts.iter().filter(is_python)
}

fn pin(artifact: &Artifact) -> Pin {
    Pin {
        name: artifact.name.clone(),
        version: artifact.version.clone(),
        index: artifact.index.clone(),
    }
}

/// Names and versions of the packages in a folder of modules, by the names of their folders
/// alone (PEP 491).
fn infos(folder: &Path) -> Vec<(String, String)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok().map(|entry| entry.file_name()));
    let info = |name: &OsStr| {
        let (name, version) = name.to_str()?.strip_suffix(".dist-info")?.rsplit_once('-')?;
        Some((package_name(name).ok()?.to_string(), version.to_owned()))
    };
    let mut found: Vec<(String, String)> = names.filter_map(|name| info(&name)).collect();
    found.sort();
    found
}

/// `1.0` and `1.0.0` are one version, and so are `1+a.b` and `1+a_b`.
pub fn is_same(one: &str, other: &str) -> bool {
    one == other
        || matches!((one.parse::<Version>(), other.parse::<Version>()), (Ok(a), Ok(b)) if a == b)
}
