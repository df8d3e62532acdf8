//! `generations`: which environments there were, what changed between them, and keeping one.

use rocmenv_manifests::plan::Plan;
use rocmenv_store::generation::{self, EnvWriter, GenerationError, Listed};

use super::place::Place;
use crate::context::Context;
use crate::error::Error;

/// All generations of the environment, oldest first.
///
/// # Errors
/// There is no environment, or a record is damaged.
pub fn list(context: &Context) -> Result<Vec<Listed>, Error> {
    Ok(generation::list(&Place::find(context)?.layout)?)
}

/// What changes from one generation to another.
///
/// # Errors
/// One of them is not there.
pub fn difference(context: &Context, from: u32, to: u32) -> Result<Plan, Error> {
    let listed = list(context)?;
    Ok(Plan::between(&find(&listed, from)?.record.artifacts, &find(&listed, to)?.record.artifacts))
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
