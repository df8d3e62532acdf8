//! Why a question has no answer, and what would give it one: the smallest part of it that is
//! already too much, told in words, and the smallest changes that help.
//!
//! Both are proved by solving changed questions. Those may lack something that was not fetched:
//! then it is said what, and the diagnosis goes on where it was after it was fetched.

use std::collections::BTreeSet;

use rocmenv_manifests::catalog::{Catalog, Query};

use super::fixes::{Surroundings, search};
use super::member::{self, Member};
use super::question::Question;
use super::refusal::{Refusal, UNREADABLE};
use super::told::rank;
use super::trials::{Trial, Trials};
use super::{Outcome, known_builds, native_windows, solve};

/// A diagnosis in the making.
pub struct Diagnosis<'a> {
    question: &'a Question,
    refusal: Refusal,
    surroundings: Option<Surroundings<'a>>,
    trials: Trials<'a>,
}

/// What a diagnosis came to.
#[derive(Debug, Clone)]
pub struct Told {
    /// The refusal, as far as it is proved.
    pub refusal: Refusal,
    /// What has to be fetched to prove more; empty where there is no more.
    pub missing: BTreeSet<Query>,
}

impl<'a> Diagnosis<'a> {
    /// Begins with what the solve of a question said. Without `surroundings` no change of the
    /// host is tried.
    pub fn new(
        refusal: Refusal,
        question: &'a Question,
        catalog: &'a dyn Catalog,
        surroundings: Option<Surroundings<'a>>,
    ) -> Self {
        Self { question, refusal, surroundings, trials: Trials::new(catalog) }
    }

    /// Goes as far as the catalog allows.
    pub fn tell(&mut self) -> Told {
        // Where something could not be read, no change of the question helps.
        if self.refusal.code == UNREADABLE {
            return Told { refusal: self.refusal.clone(), missing: BTreeSet::new() };
        }
        self.trials.missing.clear();
        let core = self.core();
        let limited = member::limited_to(self.question, &core);
        let mut refusal = match solve(&limited, self.trials.catalog()) {
            Outcome::Refused(refusal) => refusal,
            _ => self.refusal.clone(),
        };
        if let Some(surroundings) = &self.surroundings {
            let known =
                known_builds::causes(self.question, surroundings.registry, &core, &refusal.causes);
            refusal.causes.extend(known);
            refusal.causes.sort_by_key(rank);
            let said = native_windows::causes(self.question, surroundings.registry, &core);
            refusal = refusal.on_native_windows(said);
        }
        refusal.fixes = search(self.question, &core, self.surroundings.as_ref(), &mut self.trials);
        refusal.core = core.into_iter().collect();
        Told { refusal, missing: std::mem::take(&mut self.trials.missing) }
    }

    /// The smallest part of the question that has no answer: without any one member of it there
    /// is one. Whole kinds are left out first, because most wishes have nothing to do with it.
    fn core(&mut self) -> BTreeSet<Member> {
        let mut kept = member::all(self.question);
        for kind in [is_package, is_component, is_framework, is_host] {
            let less: BTreeSet<Member> = kept.iter().copied().filter(|it| !kind(it)).collect();
            if less.len() + 1 < kept.len() && self.is_refused(&less) {
                kept = less;
            }
        }
        for member in kept.clone().into_iter().rev() {
            let mut less = kept.clone();
            less.remove(&member);
            if self.is_refused(&less) {
                kept = less;
            }
        }
        kept
    }

    fn is_refused(&mut self, kept: &BTreeSet<Member>) -> bool {
        let question = self.question;
        let make = || Some(member::limited_to(question, kept));
        matches!(self.trials.run(format!("only {kept:?}"), make), Trial::Refused)
    }
}

fn is_package(member: &Member) -> bool {
    matches!(member, Member::Package(_))
}

fn is_component(member: &Member) -> bool {
    matches!(member, Member::Component(_))
}

fn is_framework(member: &Member) -> bool {
    matches!(member, Member::Framework(_))
}

fn is_host(member: &Member) -> bool {
    matches!(member, Member::Host(_))
}
