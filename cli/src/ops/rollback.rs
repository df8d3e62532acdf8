//! `rollback`: another generation becomes the current one, at once and without a network.
//!
//! The generation that is gone back to is held (pinned), so that `sync` waits instead of undoing
//! the rollback. rocm.toml and rocm.lock stay as they are, unless `--files` asks for those that
//! the generation was made of; then there is nothing to wait for and nothing is held. Nor is
//! anything held by going forward to the newest, which is what `sync` made last.

use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::generation::Generation;
use rocmenv_resolver::target::Mismatch;
use rocmenv_store::fs::DiskError;
use rocmenv_store::generation::{self, EnvWriter, Listed, VenvLink};
use rocmenv_store::layout::GenerationLayout;

use super::difference::Difference;
use super::generations::{between, find};
use super::host::{self, HostOptions};
use super::place::Place;
use super::{files, fitness, registry};
use crate::context::Context;
use crate::error::{Error, Exit, Failure};

/// Where to go back to.
#[derive(Debug, Clone, Default)]
pub struct RollbackOptions {
    /// A generation; without one, that before the current, or with `files` a held one itself.
    pub to: Option<u32>,
    /// Whether rocm.toml and rocm.lock are put back, too.
    pub files: bool,
}

/// What was done, or with `--dry-run` would be.
#[derive(Debug)]
pub struct RollbackOutcome {
    /// The generation that was current.
    pub from: u32,
    /// The generation that is current now.
    pub to: Generation,
    /// What that changes.
    pub difference: Difference,
    /// Whether it is held: `sync` waits until it is told otherwise.
    pub held: bool,
    /// Files of the project that were put back.
    pub replaced: Vec<Replaced>,
    /// What the generation needs of a host and this one does not give.
    pub mismatches: Vec<Mismatch>,
    /// The generation's interpreter, where it is gone.
    pub vanished: Option<String>,
    /// The link for editors.
    pub venv: Option<VenvLink>,
}

/// A file of the project that another one takes the place of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The file.
    pub file: PathBuf,
    /// Where it is kept as it was; `None` where there was none.
    pub kept: Option<PathBuf>,
    from: PathBuf,
}

/// A rollback that was looked at and not yet done: what is in the way is known before anything
/// changes.
#[derive(Debug)]
pub struct Prepared {
    place: Place,
    /// What will be done.
    pub outcome: RollbackOutcome,
}

/// Looks where a rollback would lead.
///
/// # Errors
/// There is no such generation or nothing to go back to.
pub fn prepare(context: &Context, options: &RollbackOptions) -> Result<Prepared, Error> {
    let place = Place::find(context)?;
    let listed = generation::list(&place.layout)?;
    let current = listed.iter().find(|one| one.is_current).ok_or(RollbackError::NoCurrent)?;
    let number = destination(&listed, current, options)?;
    let to = find(&listed, number)?.record.clone();
    let layout = place.layout.generation(number);
    if let Some(made_at) = generation::moved_from(&to, &layout) {
        let here = layout.root().to_owned();
        return Err(RollbackError::Moved { number, here, made_at }.into());
    }
    let registry = registry::load(context)?;
    let facts = host::facts(context, &registry, &HostOptions::default())?;
    let newest = listed.iter().map(|one| one.record.number).max();
    let python = to.python.as_ref().map(|python| &python.path);
    let outcome = RollbackOutcome {
        from: current.record.number,
        difference: between(&place.layout, &current.record, &to, &registry)?,
        held: newest != Some(number) && !options.files,
        replaced: if options.files { differing(context, &place, &layout)? } else { Vec::new() },
        mismatches: fitness::mismatches(&place, &layout, &facts, &registry)?,
        vanished: python.filter(|path| !Path::new(path).exists()).cloned(),
        venv: None,
        to,
    };
    Ok(Prepared { place, outcome })
}

impl Prepared {
    /// Goes there.
    ///
    /// # Errors
    /// The files of the project cannot be replaced; the generation that was current still is
    /// then.
    pub fn carry_out(mut self) -> Result<RollbackOutcome, Error> {
        switch(&self.place, &mut self.outcome)?;
        Ok(self.outcome)
    }
}

fn destination(
    listed: &[Listed],
    current: &Listed,
    options: &RollbackOptions,
) -> Result<u32, RollbackError> {
    if let Some(number) = options.to {
        return Ok(number);
    }
    let now = current.record.number;
    if options.files && current.is_pinned {
        return Ok(now);
    }
    // Not the one that was current before: after a rollback that is the one that was left.
    let older = listed.iter().map(|one| one.record.number).filter(|number| *number < now);
    older.max().ok_or(RollbackError::NothingBefore(now))
}

/// The files of the project that are not what the generation was made of.
fn differing(
    context: &Context,
    place: &Place,
    layout: &GenerationLayout,
) -> Result<Vec<Replaced>, Error> {
    let pairs =
        [(place.root.manifest(), layout.project_file()), (place.root.lock(), layout.lock_file())];
    // A folder for each time, so that no rollback writes over what an earlier one kept.
    let time = context.now.strftime("%Y-%m-%dT%H-%M-%SZ").to_string();
    let folder = place.layout.root().join("before-rollback").join(time);
    let mut differing = Vec::new();
    for (file, from) in pairs {
        let now = files::read_optional(&file)?;
        if now.as_deref() != Some(files::read(&from)?.as_str()) {
            let name = file.file_name().unwrap_or_default();
            let kept = now.map(|_| folder.join(name));
            differing.push(Replaced { file, kept, from });
        }
    }
    Ok(differing)
}

fn switch(place: &Place, outcome: &mut RollbackOutcome) -> Result<(), Error> {
    let number = outcome.to.number;
    let writer = EnvWriter::lock(place.layout.clone())?;
    for replaced in &outcome.replaced {
        put_back(replaced)?;
    }
    writer.switch(number)?;
    if outcome.held {
        writer.pin(number)?;
    } else {
        writer.unpin(number)?;
    }
    outcome.venv = Some(generation::point_venv_at(&place.layout, number)?);
    Ok(())
}

/// What is there may be an hour's work that nobody has committed: it is kept.
fn put_back(replaced: &Replaced) -> Result<(), Error> {
    if let Some(kept) = &replaced.kept {
        let folder = kept.parent().unwrap_or(kept);
        fs::create_dir_all(folder).map_err(DiskError::from)?;
        files::replace(kept, &files::read(&replaced.file)?)?;
    }
    Ok(files::replace(&replaced.file, &files::read(&replaced.from)?)?)
}

/// There is no way back.
#[derive(Debug, thiserror::Error)]
pub enum RollbackError {
    /// None is current.
    #[error("no generation is current")]
    NoCurrent,
    /// The oldest one is current.
    #[error("there is no generation before {0}")]
    NothingBefore(u32),
    /// Its files say another path than the one where they are.
    #[error("generation {number} was made at `{}` and lies at `{}`", made_at.display(), here.display())]
    Moved {
        /// The generation.
        number: u32,
        /// Where it lies.
        here: PathBuf,
        /// Where it was made.
        made_at: PathBuf,
    },
}

impl Failure for RollbackError {
    fn exit(&self) -> Exit {
        match self {
            Self::NothingBefore(_) => Exit::Unmet,
            Self::NoCurrent | Self::Moved { .. } => Exit::Stale,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoCurrent => "environment-missing",
            Self::NothingBefore(_) => "generation-unknown",
            Self::Moved { .. } => "environment-moved",
        })
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::NothingBefore(_) => "rocmenv generations".to_owned(),
            Self::NoCurrent | Self::Moved { .. } => "rocmenv sync".to_owned(),
        })
    }
}
