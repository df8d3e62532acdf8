//! The parts of a question that a person could take back or change one by one, and the question
//! without some of them. What is left out only ever allows more.

use std::collections::BTreeSet;

use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_manifests::version::Requirement;

use super::question::{Interpreter, Question};
use super::stack::{Fact, Grade};

/// One part of a question; numbers are places in its wishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Member {
    /// The request for ROCm.
    Rocm,
    /// The request for Python.
    Python,
    /// The request for a driver.
    Driver,
    /// A framework.
    Framework(usize),
    /// A component of ROCm.
    Component(usize),
    /// A Python package.
    Package(usize),
    /// What the host has.
    Host(Fact),
}

/// Every part of a question, those that are the easiest to do without last.
pub(super) fn all(question: &Question) -> BTreeSet<Member> {
    let wants = &question.wants;
    let mut members: BTreeSet<Member> = BTreeSet::new();
    members.extend(wants.rocm.as_ref().map(|_| Member::Rocm));
    members.extend(wants.python.as_ref().map(|_| Member::Python));
    members.extend(wants.driver.as_ref().map(|_| Member::Driver));
    members.extend((0..wants.frameworks.len()).map(Member::Framework));
    members.extend((0..wants.components.len()).map(Member::Component));
    members.extend((0..wants.packages.len()).map(Member::Package));
    let demands = question.stack.releases.iter().flat_map(|release| &release.demands);
    let refused = demands.filter(|demand| demand.judgement.grade == Grade::Refused);
    members.extend(refused.map(|demand| Member::Host(demand.fact)));
    members
}

/// The question with only these parts of it.
pub(super) fn limited_to(question: &Question, kept: &BTreeSet<Member>) -> Question {
    let mut limited = question.clone();
    let wants = &mut limited.wants;
    retain(&mut wants.frameworks, |at| kept.contains(&Member::Framework(at)));
    retain(&mut wants.components, |at| kept.contains(&Member::Component(at)));
    retain(&mut wants.packages, |at| kept.contains(&Member::Package(at)));
    if !kept.contains(&Member::Driver) {
        wants.driver = None;
    }
    if !kept.contains(&Member::Rocm) && wants.rocm.is_some() {
        wants.rocm = any_line().filter(|_| !wants.frameworks.is_empty());
    }
    if !kept.contains(&Member::Python) && wants.python.is_some() {
        free_python(&mut limited);
    }
    for release in &mut limited.stack.releases {
        release.demands.retain(|demand| {
            demand.judgement.grade != Grade::Refused || kept.contains(&Member::Host(demand.fact))
        });
    }
    limited
}

/// Lets any series of Python be chosen.
pub(super) fn free_python(question: &mut Question) {
    question.wants.python = None;
    question.interpreters = SERIES.rev().map(Interpreter::series).collect();
}

/// A request for ROCm that lets in every release of every line; nobody made it.
pub(super) fn any_line() -> Option<Sourced<Requirement>> {
    let requirement = ">=0,<9999".parse().ok()?;
    Some(Sourced::new(requirement, Origin::Default))
}

/// Keeps the items whose places are wanted.
pub(super) fn retain<T>(items: &mut Vec<T>, keeps: impl Fn(usize) -> bool) {
    let mut at = 0;
    items.retain(|_| {
        at += 1;
        keeps(at - 1)
    });
}

/// The series of CPython that anything is built for.
const SERIES: std::ops::RangeInclusive<u16> = 9..=15;
