//! How many of the old generations have to go so that the store is small enough: as few as
//! possible, the oldest of all environments first.

use rocmenv_store::fs::DiskError;
use rocmenv_store::gc::{Collector, GcPlan};

use super::Retiring;

/// What was found.
pub(super) struct Found {
    /// The plan for the generations that were chosen.
    pub(super) plan: GcPlan,
    /// Bytes that the store takes after it.
    pub(super) stays: u64,
}

/// Moves spare generations to those that go, until the store takes no more than `max` bytes or
/// all have gone. What a generation holds may be held by others, too, so nothing tells what its
/// going frees but a plan without it.
pub(super) fn until(
    generations: &mut [Retiring],
    max: u64,
    collector: &Collector,
    plan: &dyn Fn(&[Retiring]) -> Result<GcPlan, DiskError>,
) -> Result<Found, DiskError> {
    let mut spare: Vec<(String, usize, u32)> = Vec::new();
    for (at, retiring) in generations.iter_mut().enumerate() {
        spare.extend(retiring.spare.drain(..).map(|(created, number)| (created, at, number)));
    }
    spare.sort();
    let before: Vec<Vec<u32>> = generations.iter().map(|one| one.numbers.clone()).collect();
    let mut without = |count: usize| -> Result<Found, DiskError> {
        for (retiring, numbers) in generations.iter_mut().zip(&before) {
            retiring.numbers.clone_from(numbers);
        }
        for (_, at, number) in &spare[..count] {
            generations[*at].numbers.push(*number);
        }
        for retiring in generations.iter_mut() {
            retiring.numbers.sort_unstable();
        }
        let plan = plan(generations)?;
        let stays = collector.remaining(&plan)?;
        Ok(Found { plan, stays })
    };
    // one more that goes never leaves more: the fewest are found by halving
    let (mut fewest, mut most) = (0, spare.len());
    while fewest < most {
        let middle = usize::midpoint(fewest, most);
        if without(middle)?.stays <= max {
            most = middle;
        } else {
            fewest = middle + 1;
        }
    }
    without(fewest)
}
