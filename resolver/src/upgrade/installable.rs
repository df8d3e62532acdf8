//! What can be installed, by release and Python, and which Pythons are of any use on the way.
//!
//! A Python that another one outdoes, in that the other has everything that it has and at least as
//! well, is left out: no path is cheaper with it.

use std::collections::BTreeSet;

use rocmenv_manifests::project::Accept;
use rocmenv_manifests::version::{Dotted, RocmVersion};

use super::axes::Axes;
use super::goal::{Goal, UpgradeHost};
use super::graph::SetTable;
use super::judge::Mark;
use super::sets::{Chooser, Missing, Set, satisfies};
use crate::check::SERIES;

/// What can be installed: on the way, and at the end.
#[derive(Debug)]
pub(super) struct Installable {
    pub(super) pythons: Vec<Option<String>>,
    pub(super) sets: SetTable,
    pub(super) ends: BTreeSet<(u8, u8)>,
    /// Why the newest wanted release has none.
    pub(super) missing: Option<(RocmVersion, Box<Missing>)>,
}

impl Installable {
    fn of_columns(columns: Vec<Column>) -> Self {
        let mut found = Self {
            pythons: Vec::new(),
            sets: SetTable::new(),
            ends: BTreeSet::new(),
            missing: None,
        };
        for (python, column) in (0u8..).zip(columns) {
            if python == 0 {
                found.missing = column.missing;
            }
            found.pythons.push(column.python);
            for (rocm, set) in (0u8..).zip(column.sets) {
                if let Some(set) = set {
                    found.sets.insert((rocm, python), set);
                }
            }
            found.ends.extend(column.ends.into_iter().map(|rocm| (rocm, python)));
        }
        found
    }
}

/// What the sets are looked for in.
pub(super) struct Search<'s> {
    pub(super) axes: &'s Axes,
    pub(super) host: &'s UpgradeHost,
    pub(super) goal: &'s Goal,
    pub(super) chooser: &'s Chooser<'s>,
    /// The releases that the end may have.
    pub(super) wanted: &'s [RocmVersion],
    pub(super) accept: Accept,
}

impl Search<'_> {
    /// The sets of every release of the way, for the Python in use and those that are of use.
    pub(super) fn all(&self) -> Installable {
        let own = self.host.state.python.clone();
        let mut columns = vec![self.column(own.clone(), true)];
        let is_open = own.is_some() || self.goal.python.is_some();
        if is_open && !self.is_complete(&columns[0]) {
            let mut others: Vec<&str> =
                SERIES.into_iter().filter(|series| Some(*series) != own.as_deref()).collect();
            others.sort_by_key(|series| distance(series, own.as_deref()));
            for series in others {
                let column = self.column(Some(series.to_owned()), false);
                if !columns.iter().any(|known| self.outdoes(known, &column)) {
                    columns.push(column);
                }
            }
        }
        Installable::of_columns(columns)
    }

    fn column(&self, python: Option<String>, is_own: bool) -> Column {
        let mut column = Column { python, sets: Vec::new(), ends: BTreeSet::new(), missing: None };
        let series = column.python.as_deref();
        let may_end = series.is_none_or(|series| self.may_end_with(series));
        for (rocm, release) in (0u8..).zip(&self.axes.releases) {
            let is_wanted = self.wanted.contains(release) && may_end;
            if is_own && self.axes.start.rocm == rocm {
                let frameworks = self.host.state.frameworks.clone();
                column.sets.push(Some(Set { frameworks, mark: Mark::Listed, pairs: Vec::new() }));
                if is_wanted && satisfies(&self.host.state, self.goal) {
                    column.ends.insert(rocm);
                }
                continue;
            }
            let end = is_wanted.then(|| self.chooser.at_the_end(release, series));
            let set = match end {
                Some(Ok(set)) => {
                    column.ends.insert(rocm);
                    Some(set)
                }
                other => {
                    if let Some(Err(missing)) = other {
                        column.missing = Some((release.clone(), missing));
                    }
                    self.chooser.on_the_way(release, series)
                }
            };
            column.sets.push(set);
        }
        column
    }

    /// Whether a Python has everything, so that no other is of use.
    fn is_complete(&self, own: &Column) -> bool {
        let has_all =
            own.sets.iter().all(|set| set.as_ref().is_some_and(|set| set.mark <= self.good()));
        has_all && own.ends.len() == self.wanted.len()
    }

    /// Whether one Python has all that another has, and as well.
    fn outdoes(&self, own: &Column, other: &Column) -> bool {
        let has_all = own.sets.iter().zip(&other.sets).all(|(own, other)| match (own, other) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(other)) => own.mark <= other.mark.max(self.good()),
        });
        has_all && other.ends.is_subset(&own.ends)
    }

    /// The mark up to which all are worth the same.
    fn good(&self) -> Mark {
        if self.accept == Accept::Listed { Mark::Listed } else { Mark::Built }
    }

    fn may_end_with(&self, python: &str) -> bool {
        let number: Option<Dotted> = python.parse().ok();
        let asked = self.goal.python.as_ref();
        asked.is_none_or(|asked| number.is_some_and(|number| asked.matches(&number)))
    }
}

/// The sets of one Python.
struct Column {
    python: Option<String>,
    sets: Vec<Option<Set>>,
    ends: BTreeSet<u8>,
    missing: Option<(RocmVersion, Box<Missing>)>,
}

/// How far a Python is from the one in use; the newer of two is nearer.
fn distance(series: &str, own: Option<&str>) -> (u32, bool) {
    let minor = |text: &str| text.split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok());
    let (Some(minor), Some(own)) = (minor(series), own.and_then(minor)) else { return (0, false) };
    (minor.abs_diff(own), minor < own)
}
