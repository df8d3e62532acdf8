//! `bisect`: which kept generation was the first that a command fails in.
//!
//! The command runs in each generation where it lies; none is switched to. Exit codes are those
//! that `git bisect run` knows: 0 is good, 125 cannot tell, everything else is bad.

use std::ffi::OsString;

use rocmenv_manifests::generation::Generation;
use rocmenv_store::generation::{self, Listed};
use serde::Serialize;

use super::difference::Difference;
use super::environment;
use super::generations::{between, find};
use super::place::Place;
use super::{child, registry};
use crate::context::Context;
use crate::error::{Error, Exit, Failure};

/// What is searched, and how it is told.
#[derive(Debug, Clone, Default)]
pub struct BisectOptions {
    /// A generation in which the command works; the oldest kept one where none is named.
    pub good: Option<u32>,
    /// A later one in which it fails; the current one where none is named.
    pub bad: Option<u32>,
    /// The command; those of `[verify]` where it is empty.
    pub command: Vec<OsString>,
}

/// What a run in one generation said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Said {
    /// It works.
    Good,
    /// It fails.
    Bad,
    /// It cannot be told here.
    Unknown,
}

/// One run.
#[derive(Debug, Clone, Serialize)]
pub struct Trial {
    /// The generation.
    pub generation: u32,
    /// What came of it.
    pub said: Said,
    /// The last line of what the command wrote.
    pub detail: String,
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

/// Searches. `ran` hears of each run when it has ended.
///
/// # Errors
/// There are no two generations to search between, the ends do not say what they should, or the
/// command cannot be run.
pub fn bisect(
    context: &Context,
    options: &BisectOptions,
    commands: &[Vec<OsString>],
    mut ran: impl FnMut(&Trial),
) -> Result<BisectOutcome, Error> {
    let place = Place::find(context)?;
    let listed = generation::list(&place.layout)?;
    let (good, bad) = ends(&listed, options)?;
    let mut trials = Vec::new();
    let mut try_one = |number: u32| -> Result<Said, Error> {
        let trial = attempt(context, &place, number, commands)?;
        ran(&trial);
        let said = trial.said;
        trials.push(trial);
        Ok(said)
    };
    for (number, expected) in [(bad, Said::Bad), (good, Said::Good)] {
        let said = try_one(number)?;
        if said != expected {
            return Err(BisectError::End { number, expected, said }.into());
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

/// Where the search ended.
struct Found {
    good: u32,
    bad: u32,
    untold: Vec<u32>,
}

/// Halves what lies between `good` and `bad` until nothing does that can be told.
fn search<E>(
    numbers: &[u32],
    good: u32,
    bad: u32,
    try_one: &mut impl FnMut(u32) -> Result<Said, E>,
) -> Result<Found, E> {
    let (mut good, mut bad) = (good, bad);
    let mut untold = Vec::new();
    loop {
        let open: Vec<u32> = numbers
            .iter()
            .copied()
            .filter(|number| good < *number && *number < bad && !untold.contains(number))
            .collect();
        let Some(middle) = open.get(open.len() / 2).copied() else { break };
        match try_one(middle)? {
            Said::Good => good = middle,
            Said::Bad => bad = middle,
            Said::Unknown => untold.push(middle),
        }
    }
    untold.retain(|number| good < *number && *number < bad);
    untold.sort_unstable();
    Ok(Found { good, bad, untold })
}

fn ends(listed: &[Listed], options: &BisectOptions) -> Result<(u32, u32), Error> {
    let current = listed.iter().find(|one| one.is_current).map(|one| one.record.number);
    let bad = options.bad.or(current).ok_or(BisectError::Nothing)?;
    let oldest = listed.first().map(|one| one.record.number);
    let good = options.good.or(oldest).ok_or(BisectError::Nothing)?;
    find(listed, bad)?;
    find(listed, good)?;
    if good >= bad {
        return Err(BisectError::Order { good, bad }.into());
    }
    Ok((good, bad))
}

/// Runs the commands in one generation, to the first that does not succeed.
fn attempt(
    context: &Context,
    place: &Place,
    number: u32,
    commands: &[Vec<OsString>],
) -> Result<Trial, Error> {
    let folder = place.layout.generation(number).root().to_owned();
    let current = environment::of_generation(place.root.clone(), place.env.clone(), folder)?;
    for words in commands {
        let ended = child::run(context, &current, words)?;
        if ended.code == Some(0) {
            continue;
        }
        let said = if ended.code == Some(CANNOT_TELL) { Said::Unknown } else { Said::Bad };
        return Ok(Trial { generation: number, said, detail: ended.last_line() });
    }
    Ok(Trial { generation: number, said: Said::Good, detail: String::new() })
}

/// There is nothing to search, or the ends are not what was said of them.
#[derive(Debug, thiserror::Error)]
pub enum BisectError {
    /// No generation at all.
    #[error("there is no generation to search")]
    Nothing,
    /// The good one is not before the bad one.
    #[error("generation {good} is not before generation {bad}")]
    Order {
        /// The one that should be good.
        good: u32,
        /// The one that should be bad.
        bad: u32,
    },
    /// An end does not say what it should.
    #[error("generation {number} should be {}, and {}", word(*expected), was(*said))]
    End {
        /// The generation.
        number: u32,
        /// What it should have said.
        expected: Said,
        /// What it said.
        said: Said,
    },
    /// Neither a command nor `[verify]`.
    #[error("no command was given and rocm.toml has none in `[verify]`")]
    NoCommand,
    /// The commands of rocm.toml were not allowed.
    #[error("nobody has allowed the commands of this rocm.toml to be run")]
    NotAllowed,
}

fn word(said: Said) -> &'static str {
    match said {
        Said::Good => "good",
        Said::Bad => "bad",
        Said::Unknown => "untold",
    }
}

fn was(said: Said) -> &'static str {
    match said {
        Said::Good => "the command succeeds in it",
        Said::Bad => "the command fails in it",
        Said::Unknown => "the command cannot tell in it",
    }
}

impl Failure for BisectError {
    fn exit(&self) -> Exit {
        match self {
            Self::Nothing => Exit::Stale,
            Self::End { .. } => Exit::Unmet,
            Self::Order { .. } | Self::NoCommand | Self::NotAllowed => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Nothing => "environment-missing",
            Self::Order { .. } | Self::End { .. } => "bisect-ends",
            Self::NoCommand => "bisect-command",
            Self::NotAllowed => "not-allowed",
        })
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Nothing => "rocmenv sync".to_owned(),
            Self::Order { .. } => "rocmenv generations".to_owned(),
            Self::End { expected: Said::Good, .. } => {
                "name one that works: `--good N` (see `rocmenv generations`)".to_owned()
            }
            Self::End { .. } => {
                "name one that fails: `--bad N` (see `rocmenv generations`)".to_owned()
            }
            Self::NoCommand => "rocmenv bisect -- python test.py".to_owned(),
            Self::NotAllowed => "rocmenv bisect --yes".to_owned(),
        })
    }
}

/// The code by which a command says that it cannot tell.
const CANNOT_TELL: i32 = 125;

#[cfg(test)]
mod tests {
    use super::*;

    /// Every place of the fault among up to nine generations, and every set of untold ones.
    #[test]
    fn the_first_bad_one_is_found_whatever_cannot_be_told() {
        for count in 2..=9_u32 {
            let numbers: Vec<u32> = (1..=count).collect();
            for first_bad in 2..=count {
                for mask in 0..(1_u32 << count) {
                    let is_untold = |n: u32| n != 1 && n != count && mask & (1 << (n - 1)) != 0;
                    let mut asked = Vec::new();
                    let mut try_one = |n: u32| -> Result<Said, ()> {
                        asked.push(n);
                        Ok(match n {
                            n if is_untold(n) => Said::Unknown,
                            n if n >= first_bad => Said::Bad,
                            _ => Said::Good,
                        })
                    };
                    let found = search(&numbers, 1, count, &mut try_one).unwrap();
                    let told = |n: &u32| !is_untold(*n);
                    let good = (1..first_bad).filter(told).max().unwrap();
                    let bad = (first_bad..=count).find(told).unwrap();
                    assert_eq!((found.good, found.bad), (good, bad));
                    assert_eq!(found.untold, (good + 1..bad).collect::<Vec<_>>());
                    asked.sort_unstable();
                    asked.dedup();
                    assert!(mask != 0 || asked.len() <= 4, "{asked:?}");
                }
            }
        }
    }
}
