//! Making one generation, up to the moment before it becomes current.

use fs_err as fs;
use rocmenv_manifests::generation::{GateAnswer, Generation, RewrittenObject};
use rocmenv_manifests::name::{EnvName, GroupName, TargetName};
use rocmenv_manifests::plan::Artifact;

use super::read::FORMAT;
use super::{GenerationError, Root};
use crate::environment::{Built, EnvSpec, OnFiles, Rewritten, build, constraints};
use crate::fs::{DiskError, flush, same_file_system};
use crate::layout::GenerationLayout;
use crate::object::{InUse, mark_sealed};

/// What a generation is to be.
#[derive(Debug, Clone)]
pub struct Request {
    /// The target.
    pub target: TargetName,
    /// The environment of the project.
    pub env: EnvName,
    /// The groups that were asked for.
    pub groups: Vec<GroupName>,
    /// Now (RFC 3339, UTC).
    pub created: String,
    /// What was locked.
    pub artifacts: Vec<Artifact>,
    /// The store's name of the managed interpreter, if one is used.
    pub managed_python: Option<String>,
    /// Objects that the managed interpreter is made of.
    pub python_objects: Vec<rocmenv_manifests::digest::Sha256>,
    /// What the environment consists of.
    pub spec: EnvSpec,
    /// rocm.toml, as it is.
    pub project_file: Vec<u8>,
    /// rocm.lock, as it is.
    pub lock_file: Vec<u8>,
    /// What the gates said.
    pub gates: Vec<GateAnswer>,
    /// What was warned of.
    pub warnings: Vec<String>,
}

/// A generation that is being made: a folder with the `building` marker in it.
#[derive(Debug)]
pub struct NewGeneration {
    pub(super) number: u32,
    pub(super) place: GenerationLayout,
}

impl NewGeneration {
    /// Its number.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Where it is made.
    pub fn place(&self) -> &GenerationLayout {
        &self.place
    }

    /// Builds it: root, links, activation, record; then everything is flushed and the marker
    /// removed. It is complete and durable after this, and not yet current.
    pub fn build(
        &self,
        store: &InUse<'_>,
        request: &Request,
        on_files: OnFiles<'_>,
    ) -> Result<Generation, GenerationError> {
        self.assemble(store, request, on_files)?.make_durable(store)
    }

    /// Everything of it but the flush.
    pub(super) fn assemble(
        &self,
        store: &InUse<'_>,
        request: &Request,
        on_files: OnFiles<'_>,
    ) -> Result<Assembled<'_>, GenerationError> {
        let place = &self.place;
        let mut held: Vec<_> = request.spec.objects.iter().map(|object| object.digest).collect();
        held.extend(&request.python_objects);
        held.sort_unstable();
        held.dedup();
        let root = Root {
            path: place.root().to_owned(),
            objects: held.clone(),
            python: request.managed_python.clone(),
            missing_since: None,
        };
        root.write_first(store.layout())?;
        let built = build(store, place, &request.spec, on_files)?;
        let record = self.record(request, &built, held);
        self.write_files(request, &built, &record)?;
        Ok(Assembled { place, built, record })
    }

    fn record(
        &self,
        request: &Request,
        built: &Built,
        objects: Vec<rocmenv_manifests::digest::Sha256>,
    ) -> Generation {
        let mut groups = request.groups.clone();
        groups.sort();
        let links = built.links.iter().map(|count| (count.mode.as_str().to_owned(), count.files));
        Generation {
            format: FORMAT,
            number: self.number,
            target: request.target.clone(),
            env: request.env.clone(),
            groups,
            created: request.created.clone(),
            path: self.place.root().to_string_lossy().into_owned(),
            python: request.spec.python.clone(),
            artifacts: request.artifacts.clone(),
            objects,
            rewritten: built.rewritten.iter().map(said).collect(),
            links: links.collect(),
            gates: request.gates.clone(),
            warnings: request.warnings.iter().cloned().chain(long_paths(built)).collect(),
        }
    }

    fn write_files(
        &self,
        request: &Request,
        built: &Built,
        record: &Generation,
    ) -> Result<(), DiskError> {
        let place = &self.place;
        let record = serde_json::to_vec_pretty(record).map_err(std::io::Error::from)?;
        fs::write(place.record(), record)?;
        fs::write(place.activation(), built.activation.to_text())?;
        fs::write(place.constraints(), constraints(&request.artifacts))?;
        fs::write(place.project_file(), &request.project_file)?;
        fs::write(place.lock_file(), &request.lock_file)?;
        Ok(())
    }
}

fn said(one: &Rewritten) -> RewrittenObject {
    RewrittenObject { object: one.object.digest, key: one.key }
}

/// What a person on Windows has to know of paths that are longer than its old limit.
fn long_paths(built: &Built) -> Option<String> {
    (built.long_paths > 0).then(|| {
        format!(
            "{} files have paths of 260 characters or more, which programs can open only where \
             Windows allows long paths (LongPathsEnabled): move the project to a shorter path",
            built.long_paths
        )
    })
}

/// A generation that has all its files, still under its marker and maybe only in memory.
pub(super) struct Assembled<'g> {
    place: &'g GenerationLayout,
    built: Built,
    record: Generation,
}

impl Assembled<'_> {
    /// One flush for the generation and the objects in it, or two if they lie on two file
    /// systems; then the marker goes.
    pub(super) fn make_durable(self, store: &InUse<'_>) -> Result<Generation, GenerationError> {
        let Self { place, built, record } = self;
        flush(place.root())?;
        if !same_file_system(place.root(), store.layout().root())? {
            flush(store.layout().root())?;
        }
        mark_sealed(&built.objects)?;
        mark_sealed(&built.bytecode)?;
        for one in &built.rewritten {
            mark_sealed(std::slice::from_ref(&one.object))?;
        }
        fs::remove_file(place.building()).map_err(DiskError::from)?;
        Ok(record)
    }
}
