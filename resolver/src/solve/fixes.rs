//! The smallest changes of the question that make it solvable, each proved by solving again.
//!
//! Only what the catalog has at hand is tried: a change that would need more to be fetched is
//! not proved, and what is not proved is not said.

use std::fmt;

use rocmenv_manifests::catalog::Catalog;
use rocmenv_manifests::version::{Dotted, RocmVersion};

use super::question::{Interpreter, Question};
use super::refusal::UNREADABLE;
use super::solution::Solution;
use super::{Outcome, Refusal, solve};

/// A change that makes a refused question solvable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fix {
    /// `[policy] unproven = true`.
    Unproven,
    /// Another release of ROCm.
    AskRocm(RocmVersion),
    /// Another series of Python.
    AskPython(Dotted),
    /// Doing without a framework or package.
    Drop(String),
}

impl Refusal {
    /// The refusal with the changes that would do, as far as the catalog at hand proves them.
    #[must_use]
    pub fn with_fixes(self, question: &Question, catalog: &dyn Catalog) -> Self {
        // Where something could not be read, no change of the question helps.
        if self.code == UNREADABLE {
            return self;
        }
        Self { fixes: fixes(question, catalog), ..self }
    }
}

/// The changes that do, the least first.
fn fixes(question: &Question, catalog: &dyn Catalog) -> Vec<Fix> {
    let solved = |changed: &Question| match solve(changed, catalog) {
        Outcome::Solved(solution) => Some(solution),
        _ => None,
    };
    let mut fixes = Vec::new();
    if !question.unproven {
        let changed = Question { unproven: true, ..question.clone() };
        fixes.extend(solved(&changed).map(|_| Fix::Unproven));
    }
    fixes.extend(another_rocm(question, solved));
    fixes.extend(another_python(question, solved));
    if fixes.is_empty() {
        fixes.extend(without_one(question, solved));
    }
    fixes
}

fn another_rocm(
    question: &Question,
    solved: impl Fn(&Question) -> Option<Box<Solution>>,
) -> Option<Fix> {
    question.wants.rocm.as_ref()?;
    let mut changed = question.clone();
    changed.wants.rocm = None;
    Some(Fix::AskRocm(solved(&changed)?.rocm?.version))
}

fn another_python(
    question: &Question,
    solved: impl Fn(&Question) -> Option<Box<Solution>>,
) -> Option<Fix> {
    question.wants.python.as_ref()?;
    let mut changed = question.clone();
    changed.wants.python = None;
    changed.interpreters = SERIES.rev().map(Interpreter::series).collect();
    Some(Fix::AskPython(solved(&changed)?.python?.dotted()))
}

/// Each wish without which the rest can be had.
fn without_one(
    question: &Question,
    solved: impl Fn(&Question) -> Option<Box<Solution>>,
) -> Vec<Fix> {
    let wants = &question.wants;
    if wants.frameworks.len() + wants.packages.len() < 2 {
        return Vec::new();
    }
    let frameworks = (0..wants.frameworks.len()).map(|at| {
        let mut changed = question.clone();
        let dropped = changed.wants.frameworks.remove(at).name;
        (changed, dropped)
    });
    let packages = (0..wants.packages.len()).map(|at| {
        let mut changed = question.clone();
        let dropped = changed.wants.packages.remove(at).name.to_string();
        (changed, dropped)
    });
    let tried = frameworks.chain(packages).take(MAX_DROPPED);
    tried.filter(|(changed, _)| solved(changed).is_some()).map(|(_, it)| Fix::Drop(it)).collect()
}

impl fmt::Display for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unproven => {
                f.write_str("allow builds that do not say their ROCm (`[policy] unproven = true`)")
            }
            Self::AskRocm(version) => write!(f, "ask for rocm {version}"),
            Self::AskPython(series) => write!(f, "ask for python {series}"),
            Self::Drop(name) => write!(f, "drop {name}"),
        }
    }
}

/// The series of CPython that are tried.
const SERIES: std::ops::RangeInclusive<u16> = 10..=14;

/// No more wishes than this are tried one by one.
const MAX_DROPPED: usize = 20;
