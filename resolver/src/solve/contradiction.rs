//! Packages that are asked for in ways that no version meets, whether or not it can be used.
//!
//! A conflict of the solver holds every candidate that is excluded. Where requirements contradict
//! each other by themselves, why some old version has no wheel for this Python is no cause, and
//! telling it would hide the one that is.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use resolvo::{SolvableId, VersionSetId};

use super::thing::Name;
use super::universe::Universe;

/// Who asks for which versions of what, as a conflict shows it.
#[derive(Default)]
pub(super) struct Askers(BTreeMap<String, Asked>);

/// What is asked of one name.
struct Asked {
    name: Name,
    by_who: BTreeMap<String, Vec<VersionSetId>>,
}

impl Askers {
    /// Notes that `who` would take any of this set: of one who is there in several versions, each
    /// may ask for another.
    pub(super) fn add(&mut self, who: String, name: &Name, set: VersionSetId) {
        let fresh = || Asked { name: name.clone(), by_who: BTreeMap::new() };
        let asked = self.0.entry(name.to_string()).or_insert_with(fresh);
        asked.by_who.entry(who).or_default().push(set);
    }

    /// The names of which the askers take nothing in common, while each has something to take.
    pub(super) fn contradicted(&self, universe: &Universe<'_>) -> BTreeSet<String> {
        let found = self.0.iter().filter(|(_, asked)| asked.is_contradicted(universe));
        found.map(|(name, _)| name.clone()).collect()
    }
}

impl Asked {
    fn is_contradicted(&self, universe: &Universe<'_>) -> bool {
        let table = universe.table(universe.pool.intern_package_name(self.name.clone()));
        let excluded: HashSet<SolvableId> = table.excluded.iter().map(|(id, _)| *id).collect();
        let takes = |sets: &[VersionSetId], id: SolvableId| {
            let candidate = universe.candidate(id);
            sets.iter().any(|set| universe.pool.resolve_version_set(*set).contains(candidate))
        };
        let candidates = || table.candidates.iter().copied();
        let has_some = |sets: &Vec<VersionSetId>| {
            candidates().any(|id| !excluded.contains(&id) && takes(sets, id))
        };
        let is_common = |id: SolvableId| self.by_who.values().all(|sets| takes(sets, id));
        self.by_who.len() > 1 && self.by_who.values().all(has_some) && !candidates().any(is_common)
    }
}
