//! `generations`: which environments there were, what changed between them, and keeping one.

use rocmenv_manifests::generation::Generation;
use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::registry::Registry;
use rocmenv_store::generation::{self, EnvWriter, GenerationError, Listed};
use rocmenv_store::layout::EnvLayout;

use super::difference::{Difference, Side};
use super::place::Place;
use super::{files, registry};
use crate::context::Context;
use crate::error::Error;

/// All generations of the environment, oldest first.
///
/// # Errors
/// There is no environment, or a record is damaged.
pub fn list(context: &Context) -> Result<Vec<Listed>, Error> {
    Ok(generation::list(&Place::find(context)?.layout)?)
}

/// What cannot be read of the environment's state, in words.
///
/// # Errors
/// There is no environment.
pub fn damaged(context: &Context) -> Result<Vec<String>, Error> {
    let found = generation::damaged(&Place::find(context)?.layout)?;
    Ok(found.iter().map(ToString::to_string).collect())
}

/// What changes from one generation to another.
///
/// # Errors
/// One of them is not there, or the lock that it keeps cannot be read.
pub fn difference(context: &Context, from: u32, to: u32) -> Result<Difference, Error> {
    let layout = Place::find(context)?.layout;
    let listed = generation::list(&layout)?;
    let registry = registry::load(context)?;
    between(&layout, &find(&listed, from)?.record, &find(&listed, to)?.record, &registry)
}

/// As [`difference`], of two records.
///
/// # Errors
/// A lock that they keep cannot be read.
pub(super) fn between(
    layout: &EnvLayout,
    from: &Generation,
    to: &Generation,
    registry: &Registry,
) -> Result<Difference, Error> {
    Ok(Difference::between(&side(layout, from)?, &side(layout, to)?, registry))
}

/// What a generation was made of. The record says the artifacts: gaps of its lock are filled
/// there.
///
/// # Errors
/// The lock that it keeps cannot be read.
pub(super) fn side(layout: &EnvLayout, record: &Generation) -> Result<Side, Error> {
    let lock = Lock::parse(&files::read(&layout.generation(record.number).lock_file())?)?;
    let side = Side::of_lock(&lock, &record.target, &record.env, &record.groups);
    Ok(Side { artifacts: record.artifacts.clone(), ..side })
}

/// Keeps a generation, whatever comes, or keeps it no longer.
///
/// # Errors
/// It is not there.
pub fn pin(context: &Context, number: u32, keep: bool) -> Result<(), Error> {
    let layout = Place::find(context)?.layout;
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

/// The generation of that number.
///
/// # Errors
/// There is none.
pub(super) fn find(listed: &[Listed], number: u32) -> Result<&Listed, GenerationError> {
    let found = listed.iter().find(|one| one.record.number == number);
    found.ok_or(GenerationError::Unknown(number))
}
