//! `generations` and `rollback`: which environments there were, and going back to one.

use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::plan::Plan;
use rocmenv_shims::locate;
use rocmenv_store::fs::DiskError;
use rocmenv_store::generation::{self, EnvWriter, GenerationError, Listed};
use rocmenv_store::layout::EnvLayout;

use super::environment::EnvironmentError;
use super::files::{self, FileError};
use crate::context::Context;
use crate::error::{Exit, Failure};
use crate::project_root::ProjectRoot;

/// What `rollback` was asked.
#[derive(Debug, Clone, Default)]
pub struct RollbackOptions {
    /// The generation; without one, the previous.
    pub to: Option<u32>,
    /// Whether rocm.toml and rocm.lock are put back, too.
    pub files: bool,
}

/// What `rollback` did, or would do.
#[derive(Debug, Clone)]
pub struct RollbackOutcome {
    /// The generation that ran.
    pub from: u32,
    /// The generation that runs now.
    pub to: u32,
    /// What that changes.
    pub plan: Plan,
    /// Whether it is held: `sync` waits until it is told otherwise.
    pub held: bool,
}

/// The environment that a call speaks of, as the shims would choose it.
///
/// # Errors
/// There is no project, or it has no environment.
pub fn layout(context: &Context) -> Result<(ProjectRoot, EnvLayout), GenerationsError> {
    use std::ffi::OsStr;
    let root = context.project().map_err(EnvironmentError::from)?;
    let settings = &context.settings;
    let target = settings.target.as_ref().map(|target| OsStr::new(target.value.as_str()));
    let folder =
        locate::environment(root.folder(), target, None).map_err(EnvironmentError::from)?;
    let state = root.state();
    let first = folder.strip_prefix(&state).ok().and_then(|inside| inside.components().next());
    let name: Option<TargetName> =
        first.and_then(|name| name.as_os_str().to_str()).and_then(|name| name.parse().ok());
    let target = name.unwrap_or_else(TargetName::host);
    let layout = EnvLayout::new(root.folder(), &target, &settings.env);
    Ok((root, layout))
}

/// All generations of the environment, oldest first.
///
/// # Errors
/// There is no environment, or a record is damaged.
pub fn list(context: &Context) -> Result<Vec<Listed>, GenerationsError> {
    let (_, layout) = layout(context)?;
    Ok(generation::list(&layout)?)
}

/// What changes from one generation to another.
///
/// # Errors
/// One of them is not there.
pub fn difference(context: &Context, from: u32, to: u32) -> Result<Plan, GenerationsError> {
    let listed = list(context)?;
    Ok(Plan::between(&find(&listed, from)?.record.artifacts, &find(&listed, to)?.record.artifacts))
}

/// Keeps a generation, whatever comes, or keeps it no longer.
///
/// # Errors
/// It is not there.
pub fn pin(context: &Context, number: u32, keep: bool) -> Result<(), GenerationsError> {
    let (_, layout) = layout(context)?;
    find(&generation::list(&layout)?, number)?;
    if context.settings.dry_run {
        return Ok(());
    }
    let writer = EnvWriter::lock(layout)?;
    if keep {
        writer.pin(number)?;
    } else {
        writer.unpin(number)?;
    }
    Ok(())
}

/// Switches to another generation. Needs no network and builds nothing.
///
/// # Errors
/// There is no such generation, or nothing to go back to.
pub fn rollback(
    context: &Context,
    options: &RollbackOptions,
) -> Result<RollbackOutcome, GenerationsError> {
    let (root, layout) = layout(context)?;
    let listed = generation::list(&layout)?;
    let current = listed.iter().find(|one| one.is_current);
    let from = current.ok_or(GenerationsError::NoCurrent)?.record.number;
    let to = match options.to {
        Some(number) => number,
        None => generation::previous(&layout)?.ok_or(GenerationsError::NothingBefore(from))?,
    };
    let target = find(&listed, to)?;
    let newest = listed.iter().map(|one| one.record.number).max();
    let outcome = RollbackOutcome {
        from,
        to,
        plan: Plan::between(&find(&listed, from)?.record.artifacts, &target.record.artifacts),
        // The newest is what `sync` made last: going forward to it holds nothing.
        held: newest != Some(to) && !options.files,
    };
    if context.settings.dry_run {
        return Ok(outcome);
    }
    let place = layout.generation(to);
    let writer = EnvWriter::lock(layout.clone())?;
    if options.files {
        for (kept, own) in
            [(place.project_file(), root.manifest()), (place.lock_file(), root.lock())]
        {
            files::replace(&own, &files::read(&kept)?)?;
        }
    }
    writer.switch(to)?;
    if outcome.held {
        writer.pin(to)?;
    } else {
        writer.unpin(to)?;
    }
    generation::point_venv_at(&layout, to)?;
    Ok(outcome)
}

fn find(listed: &[Listed], number: u32) -> Result<&Listed, GenerationsError> {
    let known = || listed.iter().map(|one| one.record.number).collect();
    let found = listed.iter().find(|one| one.record.number == number);
    found.ok_or_else(|| GenerationsError::Unknown { number, known: known() })
}

/// The generations could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum GenerationsError {
    /// No environment.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// A record is damaged, or the disk failed.
    #[error(transparent)]
    Generation(#[from] GenerationError),
    /// The disk failed.
    #[error("cannot change the environment")]
    Disk(#[from] DiskError),
    /// A file of the project could not be put back.
    #[error(transparent)]
    File(#[from] FileError),
    /// No such generation.
    #[error("there is no generation {number}")]
    Unknown {
        /// Its number.
        number: u32,
        /// Those that there are.
        known: Vec<u32>,
    },
    /// None is current.
    #[error("no generation is current")]
    NoCurrent,
    /// It is the first.
    #[error("there is no generation before {0}")]
    NothingBefore(u32),
}

impl Failure for GenerationsError {
    fn exit(&self) -> Exit {
        match self {
            Self::Environment(inner) => inner.exit(),
            Self::File(inner) => inner.exit(),
            Self::Generation(inner) => inner.exit(),
            Self::Disk(inner) => inner.exit(),
            Self::Unknown { .. } => Exit::Usage,
            Self::NoCurrent => Exit::Stale,
            Self::NothingBefore(_) => Exit::Unmet,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Environment(inner) => inner.code(),
            Self::File(inner) => inner.code(),
            Self::Generation(inner) => inner.code(),
            Self::Disk(inner) => inner.code(),
            Self::Unknown { .. } | Self::NothingBefore(_) => Some("generation-unknown"),
            Self::NoCurrent => Some("environment-missing"),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Environment(inner) => inner.help(),
            Self::File(inner) => inner.help(),
            Self::Generation(inner) => inner.help(),
            Self::Disk(inner) => inner.help(),
            Self::Unknown { known, .. } => Some(match known.last() {
                Some(newest) => format!("rocmenv rollback {newest}"),
                None => "rocmenv sync".to_owned(),
            }),
            Self::NoCurrent => Some("rocmenv sync".to_owned()),
            Self::NothingBefore(_) => Some("rocmenv generations".to_owned()),
        }
    }
}
