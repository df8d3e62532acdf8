//! Which kept generation was the first that a command fails in. The command runs in each where it
//! lies; none is switched to.

use std::ffi::OsString;

use rocmenv_manifests::generation::Generation;
use rocmenv_store::generation::{self, Listed};
use serde::Serialize;

use super::search::{Found, search};
use super::{BisectError, Said, Verdict, ran};
use crate::context::Context;
use crate::error::Error;
use crate::ops::difference::Difference;
use crate::ops::generations::{between, find};
use crate::ops::place::Place;
use crate::ops::{environment, registry};

/// Which generations are searched.
#[derive(Debug, Clone, Copy, Default)]
pub struct GenerationEnds {
    /// One in which the command works; the oldest kept one where none is named.
    pub good: Option<u32>,
    /// A later one in which it fails; the current one where none is named.
    pub bad: Option<u32>,
}

/// One run.
#[derive(Debug, Clone, Serialize)]
pub struct Trial {
    /// The generation.
    pub generation: u32,
    /// What came of it.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// What the search found.
#[derive(Debug, Serialize)]
pub struct BisectOutcome {
    /// The runs, in the order in which they were made.
    pub trials: Vec<Trial>,
    /// The last generation that is known to be good.
    pub good: u32,
    /// The first one that is known to be bad.
    pub bad: u32,
    /// Generations between them in which it could not be told.
    pub untold: Vec<u32>,
    /// What changes from the good to the bad one.
    pub difference: Difference,
}

/// Searches. `heard` hears of each run when it has ended.
///
/// # Errors
/// There are no two generations to search between, the ends do not say what they should, or the
/// command cannot be run.
pub fn bisect(
    context: &Context,
    ends: GenerationEnds,
    commands: &[Vec<OsString>],
    mut heard: impl FnMut(&Trial),
) -> Result<BisectOutcome, Error> {
    let place = Place::find(context)?;
    let listed = generation::list(&place.layout)?;
    let (good, bad) = proven(&listed, ends)?;
    let mut trials = Vec::new();
    let mut try_one = |number: u32| -> Result<Said, Error> {
        let folder = place.layout.generation(number).root().to_owned();
        let current = environment::of_generation(place.root.clone(), place.env.clone(), folder)?;
        let trial = Trial { generation: number, verdict: ran(context, &current, commands)? };
        heard(&trial);
        let said = trial.verdict.said;
        trials.push(trial);
        Ok(said)
    };
    for (number, expected) in [(bad, Said::Bad), (good, Said::Good)] {
        let said = try_one(number)?;
        if said != expected {
            let what = format!("generation {number}");
            return Err(BisectError::End { what, expected, said }.into());
        }
    }
    let numbers: Vec<u32> = listed.iter().map(|one| one.record.number).collect();
    let found = search(&numbers, good, bad, &mut try_one)?;
    let registry = registry::load(context)?;
    let record = |number: u32| -> Result<&Generation, Error> { Ok(&find(&listed, number)?.record) };
    let difference = between(&place.layout, record(found.good)?, record(found.bad)?, &registry)?;
    let Found { good, bad, untold } = found;
    Ok(BisectOutcome { trials, good, bad, untold, difference })
}

fn proven(listed: &[Listed], ends: GenerationEnds) -> Result<(u32, u32), Error> {
    let current = listed.iter().find(|one| one.is_current).map(|one| one.record.number);
    let bad = ends.bad.or(current).ok_or(BisectError::Nothing)?;
    let oldest = listed.first().map(|one| one.record.number);
    let good = ends.good.or(oldest).ok_or(BisectError::Nothing)?;
    find(listed, bad)?;
    find(listed, good)?;
    if good >= bad {
        return Err(BisectError::Order {
            good: format!("generation {good}"),
            bad: format!("generation {bad}"),
        }
        .into());
    }
    Ok((good, bad))
}
