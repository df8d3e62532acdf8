//! The search itself: halves what lies between a good and a bad one, and passes over what cannot
//! be told.

use super::Said;

/// Where the search ended.
pub(super) struct Found {
    pub(super) good: u32,
    pub(super) bad: u32,
    pub(super) untold: Vec<u32>,
}

/// Halves what lies between `good` and `bad` until nothing does that can be told.
pub(super) fn search<E>(
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
