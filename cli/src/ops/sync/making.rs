//! Making one generation: choose the interpreter, bring the objects, build, switch, retire.

use rocmenv_manifests::generation::{GateAnswer, Generation};
use rocmenv_manifests::lock::{ArtifactKind, Lock, LockedTarget, Predicate};
use rocmenv_manifests::plan::Artifact;
use rocmenv_manifests::platform::OsFamily;
use rocmenv_store::cache::Refresh;
use rocmenv_store::environment::{EnvSpec, LocalProject, local_project_of};
use rocmenv_store::generation::{self, EnvWriter, Request};
use rocmenv_store::layout::{EnvLayout, GenerationLayout};
use rocmenv_store::object::{InUse, Object};
use rocmenv_store::report::{Progress, Reporter, Task, TaskKind};

use super::objects::{Brought, Supplies};
use super::{SyncError, SyncOptions, SyncOutcome, carried, dropping, mending, proof, variables};
use crate::context::Context;
use crate::error::Error;
use crate::ops::files;
use crate::ops::guard;
use crate::ops::interpreter::{self, Wanted};
use crate::ops::lock::{self, Inputs};
use crate::ops::prove;
use crate::ops::shims::shim_program;
use crate::ops::stores::Stores;
use crate::ops::world::{LazyWorld, WorldOptions};
use crate::settings::LockMode;

/// One generation that is to be made.
pub(super) struct Making<'a> {
    pub(super) context: &'a Context,
    pub(super) inputs: &'a Inputs,
    pub(super) options: &'a SyncOptions,
    pub(super) lock: &'a Lock,
    pub(super) target: &'a LockedTarget,
    pub(super) artifacts: Vec<Artifact>,
    pub(super) layout: EnvLayout,
    pub(super) project: Option<LocalProject>,
}

impl Making<'_> {
    /// Whether the current generation is what would be made: the same artifacts and groups, where
    /// it was made, on an interpreter that is still there.
    pub(super) fn is_already(&self, outcome: &SyncOutcome) -> bool {
        let Some(generation) = &outcome.generation else { return false };
        let place = self.layout.generation(generation.number);
        let mut groups = self.options.groups.clone();
        groups.sort();
        let series = |version: &str| {
            self.target.python.as_ref().is_none_or(|python| {
                version.parse().is_ok_and(|version: rocmenv_manifests::version::Dotted| {
                    version.starts_with(&python.series)
                })
            })
        };
        let project =
            generation.python.as_ref().and_then(|python| local_project_of(&place, &python.version));
        outcome.plan.is_empty()
            && !self.is_tampered_with(generation, &place)
            && generation.groups == groups
            && project == self.project.as_ref().map(LocalProject::path_file)
            && generation::moved_from(generation, &place).is_none()
            && generation.python.as_ref().is_none_or(|python| {
                std::path::Path::new(&python.path).exists() && series(&python.version)
            })
    }

    /// Whether something was put into the environment that changes its accelerator: then it is
    /// made anew, although the lock has not moved.
    fn is_tampered_with(&self, generation: &Generation, place: &GenerationLayout) -> bool {
        let strangers = guard::strangers(generation, place);
        let registry = &self.inputs.registry;
        !strangers.is_empty() && !guard::changed(registry, generation, place, &strangers).is_empty()
    }

    /// What somebody put into the current generation and the new one would not have.
    pub(super) fn would_drop(&self, outcome: &SyncOutcome) -> Vec<String> {
        let Some(generation) = &outcome.generation else { return Vec::new() };
        dropping::would_drop(generation, &self.layout, &self.artifacts)
    }

    pub(super) async fn make(
        &self,
        outcome: &mut SyncOutcome,
        reporter: &dyn Reporter,
    ) -> Result<(), Error> {
        let writer = EnvWriter::lock(self.layout.clone()).map_err(SyncError::Disk)?;
        self.check_pin(&writer)?;
        let world = self.world();
        let stores = Stores::of(self.context, self.inputs.opened.root.folder())?;
        let store = stores.open().map_err(SyncError::Disk)?;
        let store = store.in_use().map_err(SyncError::Disk)?;
        if !self.options.from.is_empty() {
            let (from, downloads) = (&self.options.from, &world.get()?.downloads);
            carried::take(from, &self.target.name, &self.artifacts, &store, downloads)?;
        }
        if self.options.repair {
            let (artifacts, current) = (&self.artifacts, outcome.generation.as_ref());
            let mend = || mending::mend(&store, artifacts, current, reporter);
            outcome.mended = tokio::task::block_in_place(mend).map_err(SyncError::Disk)?;
        }
        let supplies = Supplies { store: &store, world: &world, reporter };
        // The interpreter first: with it, modules are compiled while the rest is on its way.
        let (parts, others) = self.parted();
        let (mut brought, _) = supplies.bring(&parts, None)?;
        let provided = self.interpreter(&supplies, &brought).await?;
        let compiler = provided.as_ref().filter(|_| self.options.bytecode);
        let compiler = compiler.map(|one| &one.interpreter);
        let (rest, bytecode) = supplies.bring(&others, compiler)?;
        brought.extend(rest);
        let gpus = prove::of_target(&self.target.name, &self.target.contract, self.inputs);
        let registry = &self.inputs.registry;
        let proved =
            tokio::task::block_in_place(|| proof::ask(registry, &brought, &gpus, self.options))?;
        outcome.gates.push(proved);
        let anew = brought.iter().filter(|one| one.anew).map(|one| one.artifact.name.clone());
        outcome.mended.extend(anew);
        let artifacts: Vec<Artifact> = brought.iter().map(|one| one.artifact.clone()).collect();
        let objects: Vec<Object> = brought.into_iter().map(|one| one.object).collect();
        let lock_file = self.filled_lock(&artifacts)?;
        let request = Request {
            target: self.target.name.clone(),
            env: self.target.env.clone(),
            groups: self.options.groups.clone(),
            created: self.context.now.to_string(),
            artifacts,
            managed_python: provided.as_ref().and_then(|one| one.key.clone()),
            python_objects: provided.as_ref().map(|one| one.objects.clone()).unwrap_or_default(),
            spec: EnvSpec {
                python: provided.map(|one| one.interpreter),
                objects,
                project: self.project.clone(),
                variables: variables::of(self.inputs, self.target),
                bytecode,
                system: self.system(),
                launcher: shim_program(self.context).ok(),
            },
            project_file: self.inputs.opened.text.clone().into_bytes(),
            lock_file: lock_file.into_bytes(),
            gates: outcome.gates.clone(),
            warnings: warnings(&outcome.gates),
        };
        let record = self.build(&writer, &store, &request, reporter)?;
        outcome.venv =
            Some(generation::point_venv_at(&self.layout, record.number).map_err(SyncError::Disk)?);
        outcome.removed = self.retire(&writer, &store)?;
        outcome.generation = Some(record);
        outcome.made = true;
        Ok(())
    }

    /// A call that was killed, or a power cut, may have left the current generation without what
    /// follows from it. A project that cannot be written is up to date all the same.
    pub(super) fn settle(&self, outcome: &mut SyncOutcome) {
        let Some(generation) = &outcome.generation else { return };
        if generation::is_settled(&self.layout, generation.number).unwrap_or(true) {
            return;
        }
        if let Ok(writer) = EnvWriter::lock(self.layout.clone()) {
            outcome.venv = writer.settle().ok();
        }
    }

    /// A rollback pins: sync does not go over it unasked.
    fn check_pin(&self, writer: &EnvWriter) -> Result<(), Error> {
        let current = match generation::current(&self.layout) {
            Err(error) if error.is_damage() => None,
            current => current?,
        };
        let Some(current) = current else { return Ok(()) };
        let pinned = match generation::is_pinned(&self.layout, current) {
            Err(error) if error.is_damage() && self.options.unpin => true,
            pinned => pinned?,
        };
        if !pinned {
            return Ok(());
        }
        if !self.options.unpin {
            return Err(SyncError::Pinned(current).into());
        }
        Ok(writer.unpin(current)?)
    }

    fn world(&self) -> LazyWorld<'_> {
        let options = WorldOptions {
            root: &self.inputs.opened.root,
            project: &self.inputs.opened.project,
            registry: &self.inputs.registry,
            arch: self.inputs.host.arch.unwrap_or_default(),
            codename: self.inputs.host.os.codename.as_deref(),
            refresh: Refresh::WhenOld,
        };
        LazyWorld::new(self.context, options)
    }

    /// The packages that the interpreter is made of, and all other artifacts.
    fn parted(&self) -> (Vec<Artifact>, Vec<Artifact>) {
        let names = self.wanted().map(|wanted| wanted.packages()).unwrap_or_default();
        let is_part = |artifact: &Artifact| {
            artifact.kind == ArtifactKind::Deb && names.contains(artifact.name.as_str())
        };
        self.artifacts.iter().cloned().partition(is_part)
    }

    fn wanted(&self) -> Option<Wanted<'_>> {
        let python = self.target.python.as_ref()?;
        Some(Wanted {
            series: &python.series,
            floor: &python.floor,
            source: self.inputs.opened.project.python_source.value,
            locked: &self.lock.packages,
        })
    }

    async fn interpreter(
        &self,
        supplies: &Supplies<'_>,
        parts: &[Brought],
    ) -> Result<Option<interpreter::Provided>, Error> {
        let Some(wanted) = self.wanted() else { return Ok(None) };
        let place = interpreter::Place {
            context: self.context,
            host: &self.inputs.host,
            registry: &self.inputs.registry,
            store: supplies.store,
            world: supplies.world,
        };
        let parts: Vec<Object> = parts.iter().map(|one| one.object.clone()).collect();
        Ok(Some(interpreter::provide(&place, &wanted, &parts, supplies.reporter).await?))
    }

    /// The lock as it is kept with the generation: gaps that were filled on the way are written
    /// down in rocm.lock, too.
    fn filled_lock(&self, artifacts: &[Artifact]) -> Result<String, Error> {
        let lock = lock::filled(self.lock, artifacts);
        let text = lock.to_text();
        if lock != *self.lock && self.context.settings.lock_mode == LockMode::Update {
            files::replace(&self.inputs.opened.root.lock(), &text)?;
        }
        Ok(text)
    }

    /// The system that was locked for; one like this host's, or `select` had refused.
    fn system(&self) -> OsFamily {
        let items = self.target.contract.items.iter();
        let mut families = items.filter_map(|item| match item.predicate {
            Predicate::OsFamily(family) => Some(family),
            _ => None,
        });
        families.next().unwrap_or_default()
    }

    fn build(
        &self,
        writer: &EnvWriter,
        store: &InUse<'_>,
        request: &Request,
        reporter: &dyn Reporter,
    ) -> Result<Generation, Error> {
        let new = writer.begin(store.layout())?;
        let task = Task { kind: TaskKind::Link, name: self.target.name.to_string(), total: None };
        let progress = Progress::start(reporter, &task);
        Ok(writer.make(&new, store, request, &|files| progress.advance(files))?)
    }

    fn retire(&self, writer: &EnvWriter, store: &InUse<'_>) -> Result<Vec<u32>, Error> {
        let keep = self.inputs.opened.project.policy.keep_generations;
        let keep = usize::try_from(keep).unwrap_or(usize::MAX);
        match writer.retire(store.layout(), keep, std::path::Path::new("/proc")) {
            // Where nothing says which ones are to be kept, all are.
            Err(error) if error.is_damage() => Ok(Vec::new()),
            removed => Ok(removed?),
        }
    }
}

fn warnings(gates: &[GateAnswer]) -> Vec<String> {
    let warned = gates.iter().filter(|answer| answer.outcome == "warned");
    warned.filter_map(|answer| answer.detail.clone()).collect()
}
