//! A place beside the project for environments that are made, tried and thrown away:
//! `.rocmenv/bisect/RELEASE/`, each with a rocm.lock and a `.rocmenv` of its own. Objects come from
//! the same stores, so that what was fetched once is linked again.

use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_manifests::project::ChannelChoice;
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_manifests::version::{Requirement, RocmVersion};
use rocmenv_resolver::solve::Moves;
use rocmenv_store::fs::{DiskError, remove_tree};
use rocmenv_store::generation::{self, Root};
use rocmenv_store::layout::EnvLayout;
use rocmenv_store::lock_file::LockFile;

use super::BisectError;
use crate::context::Context;
use crate::error::Error;
use crate::ops::difference::Side;
use crate::ops::environment::{self, Current};
use crate::ops::files;
use crate::ops::generations::side;
use crate::ops::lock::{self, Inputs, LockOptions};
use crate::ops::stores::Stores;
use crate::ops::sync::{self, SyncOptions};
use crate::ops::upgrade::{Subject, for_target};
use crate::project_root::ProjectRoot;
use crate::runtime;
use crate::settings::LockMode;

/// The place; thrown away when it goes out of scope.
pub(super) struct Scratch {
    context: Context,
    project: ProjectRoot,
    inputs: Inputs,
    target: TargetName,
    env: EnvName,
    folder: PathBuf,
    /// rocm.lock of the project, from which every release begins.
    lock: Option<String>,
    _alone: LockFile,
}

/// An environment of one release.
pub(super) struct Made {
    /// What it was made of.
    pub(super) side: Side,
    /// What a program runs in: the project's folder with this environment.
    pub(super) current: Current,
}

impl Scratch {
    /// Clears what a call that was killed left, and begins.
    ///
    /// # Errors
    /// The project has no such target, or the disk fails.
    pub(super) fn new(context: &Context, mut inputs: Inputs) -> Result<Self, Error> {
        let subject = Subject::of_call(context, &inputs)?;
        let (target, env) = (subject.target, subject.env);
        let project = inputs.opened.root.clone();
        let state = project.state();
        files::make_folder(&state)?;
        let alone = LockFile::exclusive(&state.join("bisect.lock"))?;
        let folder = state.join("bisect");
        let lock = files::read_optional(&project.lock())?;
        // One target and one environment are all that is tried.
        let wanted = &mut inputs.opened.project;
        wanted.targets.retain(|spec| spec.name == target);
        wanted.environments.retain(|name, _| *name == env);
        wanted.policy.keep_generations = u32::MAX;
        let mut context = for_target(context, &target, &env);
        context.settings.is_env_asked = true;
        context.settings.dry_run = false;
        context.settings.lock_mode = LockMode::Update;
        let scratch = Self { context, project, inputs, target, env, folder, lock, _alone: alone };
        scratch.clear()?;
        Ok(scratch)
    }

    /// Locks and syncs for a release.
    ///
    /// # Errors
    /// It cannot be solved or fetched, or the disk fails.
    pub(super) fn make(&mut self, release: &RocmVersion) -> Result<Made, Error> {
        self.ask_for(release)?;
        let folder = self.folder.join(release.to_string());
        files::make_folder(&folder)?;
        self.inputs.opened.root = self.project.scratch(folder.clone());
        self.context.settings.project = Some(folder.clone());
        let root = &self.inputs.opened.root;
        match &self.lock {
            Some(text) => files::replace(&root.lock(), text)?,
            None => remove_tree(&root.lock())?,
        }
        let wishes = self.inputs.opened.project.environments.get(&self.env);
        let frameworks = wishes.iter().flat_map(|wishes| &wishes.frameworks);
        let mut names: Vec<String> = frameworks.map(|own| own.name.clone()).collect();
        names.extend(["rocm".to_owned(), "python".to_owned()]);
        let options = LockOptions {
            moves: Moves::Named(names.into_iter().collect()),
            ..LockOptions::default()
        };
        let reporter = self.context.reporter.as_ref();
        let outcome = runtime::block_on(async {
            let locked = lock::lock(&self.context, &self.inputs, &options, reporter).await?;
            let found = lock::locked(&locked.lock, &self.target, &self.env);
            let found = found.and_then(|locked| locked.rocm.clone());
            if let Some(found) = found.filter(|found| found != release) {
                return Err(BisectError::OtherRelease(found).into());
            }
            let options = SyncOptions { groups: self.groups()?, ..SyncOptions::default() };
            sync::sync(&self.context, &self.inputs, &options, reporter).await
        })??;
        let record = outcome.generation.ok_or(BisectError::Nothing)?;
        let layout = self.layout(&folder);
        let side = side(&layout, &record)?;
        let folder = layout.generation(record.number).root().to_owned();
        let current = environment::of_generation(self.project.clone(), self.env.clone(), folder)?;
        Ok(Made { side, current })
    }

    /// Everything that is locked from.
    pub(super) fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The project itself.
    pub(super) fn project(&self) -> &ProjectRoot {
        &self.project
    }

    /// The target and the environment.
    pub(super) fn place(&self) -> (&TargetName, &EnvName) {
        (&self.target, &self.env)
    }

    /// The project asks for one release and nothing else about it; the channel follows its line
    /// where the project named one of AMD's two.
    fn ask_for(&mut self, release: &RocmVersion) -> Result<(), Error> {
        let origin = || Origin::Flag("bisect".to_owned());
        let is_therock =
            self.inputs.registry.line_of(release).is_some_and(|line| line.name == "therock");
        let project = &mut self.inputs.opened.project;
        let wanted: Requirement = format!("=={release}").parse().map_err(BisectError::Release)?;
        if let Some(wishes) = project.environments.get_mut(&self.env) {
            wishes.rocm = Some(Sourced::new(wanted, origin()));
        }
        let channel = &mut project.rocm.channel;
        if matches!(channel.value, ChannelChoice::Amd | ChannelChoice::TheRock) {
            let own = if is_therock { ChannelChoice::TheRock } else { ChannelChoice::Amd };
            *channel = Sourced::new(own, origin());
        }
        Ok(())
    }

    /// The groups that the project's own environment was made with.
    fn groups(&self) -> Result<Vec<rocmenv_manifests::name::GroupName>, Error> {
        let own = EnvLayout::new(self.project.folder(), &self.target, &self.env);
        Ok(match generation::current(&own)? {
            Some(number) => generation::read(&own.generation(number))?.groups,
            None => Vec::new(),
        })
    }

    fn layout(&self, folder: &Path) -> EnvLayout {
        EnvLayout::new(folder, &self.target, &self.env)
    }

    /// Takes the place away with what gc keeps for it.
    fn clear(&self) -> Result<(), Error> {
        if !self.folder.exists() {
            return Ok(());
        }
        let store = Stores::of(&self.context, &self.folder)?.open()?;
        for release in fs::read_dir(&self.folder).map_err(DiskError::from)? {
            let layout = self.layout(&release.map_err(DiskError::from)?.path());
            for one in generation::list(&layout).unwrap_or_default() {
                Root::remove(store.layout(), layout.generation(one.record.number).root())?;
            }
        }
        Ok(remove_tree(&self.folder)?)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next call.
        let _ = self.clear();
    }
}
