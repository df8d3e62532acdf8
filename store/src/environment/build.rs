//! From objects to an environment on the disk.

use std::collections::HashMap;
use std::path::PathBuf;

use rocmenv_manifests::generation::Interpreter;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::platform::OsFamily;
use rocmenv_shims::activation::{Activation, Change};

use super::python::PythonLayout;
use super::runpath::{self, Rewritten};
use super::tree::write;
use super::{Blueprint, Collision, LocalProject, OnFiles, Prefix, activation, launcher};
use crate::fs::{DiskError, LinkCount, is_long};
use crate::layout::GenerationLayout;
use crate::object::{InUse, Object, ObjectError};
use crate::wheel::WheelError;

/// What an environment is made of.
#[derive(Debug, Clone, Default)]
pub struct EnvSpec {
    /// The interpreter; needed as soon as there is a wheel.
    pub python: Option<Interpreter>,
    /// Wheels, TheRock's `rocm` archive, Debian packages and tarballs of ROCm.
    pub objects: Vec<Object>,
    /// The project itself, if it is to be importable.
    pub project: Option<LocalProject>,
    /// Further variables, after those that follow from the files.
    pub variables: Vec<Change>,
    /// Compiled Python of the objects ([`compile`](super::compile)); may be less than all of it.
    pub bytecode: Vec<Object>,
    /// The system that the environment is for, whose layout it gets.
    pub system: OsFamily,
    /// The program that starts scripts by their names on Windows: rocmenv's shim program.
    pub launcher: Option<PathBuf>,
}

/// What was made.
#[derive(Debug, Clone)]
pub struct Built {
    /// How the files got there.
    pub links: Vec<LinkCount>,
    /// Every object that the environment holds links into, those of bytecode left out.
    pub objects: Vec<Object>,
    /// Bytecode objects that it holds links into.
    pub bytecode: Vec<Object>,
    /// Copies with other search paths that it holds links into.
    pub rewritten: Vec<Rewritten>,
    /// What shims will read.
    pub activation: Activation,
    /// How many files have paths that not every program of Windows can open.
    pub long_paths: usize,
}

/// An environment could not be built.
#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// Packages bring different files to one place.
    #[error("packages bring different files to {} place(s): {}", .0.len(), list(.0))]
    Collisions(Vec<Collision>),
    /// There are wheels and no interpreter.
    #[error("`{0}` is a Python package, and the environment has no interpreter")]
    NoPython(String),
    /// The interpreter's version is no version.
    #[error("`{0}` is no version of an interpreter")]
    PythonVersion(String),
    /// A package cannot be installed.
    #[error("cannot install `{package}`")]
    Wheel {
        /// The package.
        package: String,
        /// Why.
        #[source]
        source: WheelError,
    },
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A library or program could not be copied with another search path.
    #[error(transparent)]
    Rewritten(#[from] ObjectError),
}

/// Builds an environment in the folder of a generation, which must be empty but for its marker.
/// Nothing is durable and nothing is visible when this returns.
pub fn build(
    store: &InUse<'_>,
    place: &GenerationLayout,
    spec: &EnvSpec,
    on_files: OnFiles<'_>,
) -> Result<Built, EnvironmentError> {
    let rewritten = runpath::rewritten(store, &spec.objects, spec.system)?;
    let launcher = launcher::stored(store.layout(), spec)?;
    let python = spec
        .python
        .as_ref()
        .map(|python| PythonLayout::new(python, place, spec.system, launcher))
        .transpose()?;
    let compiled: HashMap<_, _> = spec.bytecode.iter().map(|one| (one.digest, one)).collect();
    let mut blueprint = Blueprint::new(spec.system);
    if let Some(python) = &python {
        python.add_folders(&mut blueprint);
    }
    for object in &spec.objects {
        let package = || object.manifest.name.clone();
        match object.manifest.kind {
            ArtifactKind::Wheel | ArtifactKind::RocmMeta => {
                let python =
                    python.as_ref().ok_or_else(|| EnvironmentError::NoPython(package()))?;
                let compiled = compiled.get(&object.digest).copied();
                python
                    .add_package(&mut blueprint, object, compiled)
                    .map_err(|source| EnvironmentError::Wheel { package: package(), source })?;
            }
            ArtifactKind::Deb | ArtifactKind::Tarball | ArtifactKind::Python => {
                Prefix::add(&mut blueprint, object, &rewritten);
            }
        }
    }
    if let Some(python) = &python {
        python.add_itself(&mut blueprint);
        if let Some(project) = &spec.project {
            let package = || project.name.clone();
            python
                .add_project(&mut blueprint, project)
                .map_err(|source| EnvironmentError::Wheel { package: package(), source })?;
        }
    }
    let finished = blueprint.finish();
    if !finished.collisions.is_empty() {
        return Err(EnvironmentError::Collisions(finished.collisions));
    }
    let links = write(place.root(), &finished, on_files)?;
    let long_paths = finished.items.iter().filter(|item| is_long(place.root(), &item.path)).count();
    let activation = activation::of(place, python.as_ref(), spec);
    let (objects, bytecode) = (spec.objects.clone(), spec.bytecode.clone());
    Ok(Built { links, objects, bytecode, rewritten, activation, long_paths })
}

fn list(collisions: &[Collision]) -> String {
    let shown = collisions.iter().take(SHOWN).map(ToString::to_string);
    shown.collect::<Vec<_>>().join("; ")
}

const SHOWN: usize = 5;
