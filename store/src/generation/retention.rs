//! Which generations may go. A pure decision.

use std::collections::BTreeSet;

/// What keeps generations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keep {
    /// The current one.
    pub current: Option<u32>,
    /// The one before.
    pub previous: Option<u32>,
    /// Pinned ones.
    pub pinned: Vec<u32>,
    /// Ones that a live process uses.
    pub in_use: Vec<u32>,
    /// How many of the newest stay (`[policy] keep-generations`).
    pub newest: usize,
}

/// The generations of `numbers` that nothing keeps, oldest first.
pub fn removable(numbers: &[u32], keep: &Keep) -> Vec<u32> {
    let sorted: BTreeSet<u32> = numbers.iter().copied().collect();
    let newest: BTreeSet<u32> = sorted.iter().rev().take(keep.newest).copied().collect();
    let is_kept = |number: &u32| {
        newest.contains(number)
            || keep.current == Some(*number)
            || keep.previous == Some(*number)
            || keep.pinned.contains(number)
            || keep.in_use.contains(number)
    };
    sorted.into_iter().filter(|number| !is_kept(number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_pinned_or_new_stays() {
        let keep = Keep {
            current: Some(3),
            previous: Some(2),
            pinned: vec![1],
            in_use: vec![4],
            newest: 2,
        };
        assert_eq!(removable(&[1, 2, 3, 4, 5, 6, 7, 8], &keep), [5, 6]);
        assert_eq!(removable(&[1, 2], &Keep { newest: 5, ..Keep::default() }), [0; 0]);
    }
}
