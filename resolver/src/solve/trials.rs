//! Changed questions, each solved once: what a diagnosis is proved with.
//!
//! An answer does not depend on what was fetched later, so it is kept; what lacked something is
//! tried again when it was fetched.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use rocmenv_manifests::catalog::{Catalog, Query};

use super::question::Question;
use super::refusal::UNREADABLE;
use super::solution::Solution;
use super::{Outcome, solve};

/// What one changed question came to.
#[derive(Debug, Clone)]
pub(super) enum Trial {
    /// There is a solution.
    Solved(Rc<Solution>),
    /// There is none.
    Refused,
    /// Not known, because something was not fetched or could not be read.
    Open,
}

/// The trials of one diagnosis.
pub(super) struct Trials<'a> {
    catalog: &'a dyn Catalog,
    known: HashMap<String, Trial>,
    /// What open trials lack.
    pub(super) missing: BTreeSet<Query>,
}

impl<'a> Trials<'a> {
    pub(super) fn new(catalog: &'a dyn Catalog) -> Self {
        Self { catalog, known: HashMap::new(), missing: BTreeSet::new() }
    }

    /// Solves the question of that name, or remembers what it came to.
    pub(super) fn run(&mut self, name: String, make: impl FnOnce() -> Option<Question>) -> Trial {
        if let Some(known) = self.known.get(&name) {
            return known.clone();
        }
        let Some(question) = make() else { return Trial::Refused };
        let found = match solve(&question, self.catalog) {
            Outcome::Missing(missing) => {
                self.missing.extend(missing);
                return Trial::Open;
            }
            Outcome::Solved(solution) => Trial::Solved(Rc::new(*solution)),
            Outcome::Refused(refusal) if refusal.code == UNREADABLE => Trial::Open,
            Outcome::Refused(_) => Trial::Refused,
        };
        self.known.insert(name, found.clone());
        found
    }

    pub(super) fn catalog(&self) -> &'a dyn Catalog {
        self.catalog
    }
}
