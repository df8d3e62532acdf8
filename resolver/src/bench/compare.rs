//! The gate: did an operation become slower from one set of runs to another?
//!
//! A run is one start of the measuring program. Its score for an operation is the geometric mean
//! of its times over the sizes that both sets have, so that the gate asks one question an
//! operation and not one a size: with many questions, some would be answered wrongly by chance.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::measurement::{Measurement, Row};
use super::statistics::{Interval, median, shift};

/// What a difference must be to count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// A ratio of times within 1 +- this is called the same.
    pub ratio: f64,
    /// How sure an answer must be.
    pub confidence: f64,
    /// How many runs each set needs.
    pub runs: usize,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { ratio: 0.02, confidence: 0.95, runs: 5 }
    }
}

/// What the runs show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// The whole interval lies below the tolerance.
    Faster,
    /// The whole interval lies within the tolerance.
    Same,
    /// The interval reaches over a border: more runs would tell.
    Undecided,
    /// The whole interval lies above the tolerance.
    Slower,
    /// A set has too few runs.
    TooFewRuns,
}

/// One operation in both sets.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct OperationComparison {
    /// The operation.
    pub operation: String,
    /// The sizes that both sets have.
    pub sizes: Vec<u64>,
    /// How many runs each set has of it.
    pub runs: (usize, usize),
    /// How many times the second set takes the time of the first.
    pub time: Option<Interval>,
    /// What that shows.
    pub judgement: Judgement,
}

/// Two sets of runs side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Comparison {
    /// The operations that both sets have, by name.
    pub operations: Vec<OperationComparison>,
    /// Operations that only one set has.
    pub only_one: Vec<String>,
}

impl Comparison {
    /// Whether something became slower.
    pub fn is_slower(&self) -> bool {
        self.operations.iter().any(|operation| operation.judgement == Judgement::Slower)
    }
}

/// Compares two sets of runs of the same measurement.
pub fn compare(first: &[Measurement], second: &[Measurement], tolerance: Tolerance) -> Comparison {
    let (before, after) = (names(first), names(second));
    let operations = before
        .intersection(&after)
        .map(|operation| one(operation, first, second, tolerance))
        .collect();
    let only_one = before.symmetric_difference(&after).map(|name| (*name).to_owned()).collect();
    Comparison { operations, only_one }
}

fn one(
    operation: &str,
    first: &[Measurement],
    second: &[Measurement],
    tolerance: Tolerance,
) -> OperationComparison {
    let sizes: BTreeSet<u64> = common_sizes(operation, first.iter().chain(second));
    let before = scores(operation, first, &sizes);
    let after = scores(operation, second, &sizes);
    let time = shift(&before, &after, tolerance.confidence);
    let runs = (before.len(), after.len());
    let judgement = if runs.0.min(runs.1) < tolerance.runs {
        Judgement::TooFewRuns
    } else {
        time.map_or(Judgement::TooFewRuns, |time| judge(time, tolerance))
    };
    OperationComparison {
        operation: operation.to_owned(),
        sizes: sizes.into_iter().collect(),
        runs,
        time,
        judgement,
    }
}

fn judge(time: Interval, tolerance: Tolerance) -> Judgement {
    let (low, high) = (1.0 / (1.0 + tolerance.ratio), 1.0 + tolerance.ratio);
    if time.low > high {
        Judgement::Slower
    } else if time.high < low {
        Judgement::Faster
    } else if time.low >= low && time.high <= high {
        Judgement::Same
    } else {
        Judgement::Undecided
    }
}

fn names(runs: &[Measurement]) -> BTreeSet<&str> {
    runs.iter().flat_map(|run| &run.rows).map(|row| row.operation.as_str()).collect()
}

fn common_sizes<'m>(operation: &str, runs: impl Iterator<Item = &'m Measurement>) -> BTreeSet<u64> {
    let of_run =
        |run: &Measurement| -> BTreeSet<u64> { rows(operation, run).map(|row| row.size).collect() };
    // A run that lacks the operation altogether (it was left out) takes no size away.
    let mut sets = runs.map(of_run).filter(|sizes| !sizes.is_empty());
    let Some(first) = sets.next() else { return BTreeSet::new() };
    sets.fold(first, |common, sizes| common.intersection(&sizes).copied().collect())
}

/// One score a run: the geometric mean of the median times of its sizes.
#[expect(clippy::cast_precision_loss, reason = "a handful of sizes")]
fn scores(operation: &str, runs: &[Measurement], sizes: &BTreeSet<u64>) -> Vec<f64> {
    let score = |run: &Measurement| {
        let times: BTreeMap<u64, f64> = rows(operation, run)
            .filter(|row| sizes.contains(&row.size))
            .map(|row| (row.size, median(&row.seconds)))
            .collect();
        let logs: f64 = times.values().map(|time| time.ln()).sum();
        (!times.is_empty()).then(|| (logs / times.len() as f64).exp())
    };
    runs.iter().filter_map(score).collect()
}

fn rows<'m>(operation: &str, run: &'m Measurement) -> impl Iterator<Item = &'m Row> {
    run.rows.iter().filter(move |row| row.operation == operation)
}
