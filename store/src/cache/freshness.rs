//! Until when a cached answer may be used without asking again.

use std::collections::BTreeSet;

use rocmenv_manifests::name::PackageName;
use serde::{Deserialize, Serialize};

use crate::fetch::Validators;

/// What the user wants of cached answers. Metadata and lists that are named by their digest never
/// change and are not concerned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Refresh {
    /// As long as the server allows, or ten minutes.
    #[default]
    WhenOld,
    /// Ask again for everything.
    All,
    /// Ask again for these packages.
    Packages(BTreeSet<PackageName>),
    /// However old: nobody can be asked.
    Never,
}

/// When an answer came and how it can be asked for again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    /// Seconds since 1970 UTC.
    pub(super) fetched_at: i64,
    /// Seconds, where the server said.
    pub(super) max_age: Option<u64>,
    /// How to ask whether it still holds.
    pub(super) validators: Validators,
}

impl Stamp {
    /// The last second at which the answer may be used without asking again.
    pub(super) fn good_until(&self) -> i64 {
        let age = self.max_age.unwrap_or(USUAL_AGE);
        self.fetched_at.saturating_add(i64::try_from(age).unwrap_or(i64::MAX))
    }
}

impl Refresh {
    /// Whether the answer may be used at `now`. What was fetched in this run (which has one `now`)
    /// is always fresh.
    pub(super) fn accepts(&self, stamp: &Stamp, package: Option<&PackageName>, now: i64) -> bool {
        let age = now.saturating_sub(stamp.fetched_at);
        let asked_for = match self {
            Self::Never => return true,
            Self::WhenOld => false,
            Self::All => true,
            Self::Packages(packages) => package.is_some_and(|name| packages.contains(name)),
        };
        if age == 0 {
            return true;
        }
        // A negative age is a clock that was set back.
        let allowed = stamp.max_age.unwrap_or(USUAL_AGE);
        !asked_for && u64::try_from(age).is_ok_and(|age| age <= allowed)
    }
}

/// What the general Python index allows, and what pip assumes.
const USUAL_AGE: u64 = 600;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn age_is_judged_by_the_server_and_the_user() {
        let stamp =
            |fetched_at, max_age| Stamp { fetched_at, max_age, validators: Validators::default() };
        let when_old = |stamp: Stamp| Refresh::WhenOld.accepts(&stamp, None, 10_000);
        assert!(when_old(stamp(9_400, None)) && !when_old(stamp(9_399, None)));
        assert!(when_old(stamp(9_000, Some(1_000))) && !when_old(stamp(9_999, Some(0))));
        assert!(when_old(stamp(10_000, Some(0))) && !when_old(stamp(10_001, Some(99))));
        assert!(Refresh::Never.accepts(&stamp(0, Some(0)), None, 10_000));
        assert!(!Refresh::All.accepts(&stamp(9_999, None), None, 10_000));
        assert!(Refresh::All.accepts(&stamp(10_000, None), None, 10_000));
    }
}
