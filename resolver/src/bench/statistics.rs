//! Medians, spread, and the interval of a shift between two sets of runs.
//!
//! The interval is that of Hodges and Lehmann: it asks nothing of the distribution of the noise,
//! and at few runs it is exact, from the distribution of the Mann-Whitney statistic.

/// The middle value; the mean of the two middle ones of an even number. Not a number for none.
pub fn median(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

/// How far values lie apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The smallest.
    pub least: f64,
    /// The greatest.
    pub most: f64,
    /// Half of the width that holds the middle half of the values, as a share of the median.
    pub relative: f64,
}

/// The spread of at least one value.
pub fn spread(values: &[f64]) -> Spread {
    let sorted = sorted(values);
    let middle = median(&sorted);
    let (least, most) = (sorted[0], sorted[sorted.len() - 1]);
    let half = (quantile(&sorted, 3) - quantile(&sorted, 1)) / 2.0;
    Spread { median: middle, least, most, relative: half / middle }
}

/// A ratio between two sets of runs.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Interval {
    /// The middle one of all ratios between a run of the second set and one of the first.
    pub ratio: f64,
    /// The true ratio is above this ...
    pub low: f64,
    /// ... and below this, each with the asked confidence or more.
    pub high: f64,
    /// The confidence that was reached. With few runs less than was asked.
    pub confidence: f64,
}

/// How many times the second set's values are the first one's: ratio and interval. None where a
/// set is empty or a value is not above zero.
pub fn shift(first: &[f64], second: &[f64], confidence: f64) -> Option<Interval> {
    let positive = |value: &f64| value.is_finite() && *value > 0.0;
    if first.is_empty() || second.is_empty() || !first.iter().chain(second).all(positive) {
        return None;
    }
    let pairs = second.iter().flat_map(|b| first.iter().map(move |a| b.ln() - a.ln()));
    let differences = sorted(&pairs.collect::<Vec<_>>());
    let counts = mann_whitney(first.len(), second.len());
    let total: f64 = counts.iter().sum();
    // The interval from the (k+1)-th smallest difference to the (k+1)-th greatest misses the truth
    // with the probability that the statistic is at most k, twice.
    let (mut below, mut skipped) = (0.0, 0);
    let mut reached = 1.0 - 2.0 * counts[0] / total;
    for (value, count) in counts.iter().enumerate().take(differences.len().div_ceil(2)) {
        below += count / total;
        if value > 0 && 1.0 - 2.0 * below < confidence {
            break;
        }
        reached = 1.0 - 2.0 * below;
        skipped = value;
    }
    let (low, high) = (differences[skipped], differences[differences.len() - 1 - skipped]);
    Some(Interval {
        ratio: median(&differences).exp(),
        low: low.exp(),
        high: high.exp(),
        confidence: reached,
    })
}

/// How many orders of n and m values have each value of the Mann-Whitney statistic.
fn mann_whitney(n: usize, m: usize) -> Vec<f64> {
    // table[j][u]: orders of i and j values with statistic u, built up over i.
    let most = n * m;
    let mut table = vec![vec![0.0; most + 1]; m + 1];
    for row in &mut table {
        row[0] = 1.0;
    }
    for _ in 0..n {
        let mut next = vec![vec![0.0; most + 1]; m + 1];
        next[0][0] = 1.0;
        for j in 1..=m {
            for u in 0..=most {
                // The greatest value is of the first set (it beats all j), or of the second.
                let beats = if u >= j { table[j][u - j] } else { 0.0 };
                next[j][u] = beats + next[j - 1][u];
            }
        }
        table = next;
    }
    table.pop().unwrap_or_default()
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The value that `quarters` quarters of the sorted values lie below, between two by distance.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positions in a list of samples"
)]
fn quantile(sorted: &[f64], quarters: usize) -> f64 {
    let place = (sorted.len() - 1) as f64 * quarters as f64 / 4.0;
    let (below, part) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] * (1.0 - part) + sorted[above] * part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statistic_of_five_and_five_is_the_published_one() {
        // 252 orders; the critical value at 5 % two-sided is 2, as in every table of the test.
        let counts = mann_whitney(5, 5);
        assert!((counts.iter().sum::<f64>() - 252.0).abs() < 1e-9);
        assert_eq!(counts[..4], [1.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn the_interval_holds_a_known_shift() {
        let first = [1.00, 1.01, 0.99, 1.02, 0.98];
        let second = first.map(|value| value * 1.10);
        let interval = shift(&first, &second, 0.95).expect("both sets hold values");
        assert!((interval.ratio - 1.10).abs() < 1e-9, "{interval:?}");
        assert!(interval.low < 1.10 && 1.10 < interval.high, "{interval:?}");
        assert!(interval.low > 1.05 && interval.confidence > 0.95, "{interval:?}");
    }

    #[test]
    fn few_runs_say_how_little_they_prove() {
        let interval = shift(&[1.0, 1.1], &[2.0, 2.1], 0.95).expect("both sets hold values");
        assert!(interval.confidence < 0.95, "{interval:?}");
        assert!(shift(&[], &[1.0], 0.95).is_none());
        assert!(shift(&[0.0], &[1.0], 0.95).is_none());
    }

    #[test]
    fn medians_and_quartiles() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!((median(&[4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-12);
        let spread = spread(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!((spread.relative - 1.0 / 3.0).abs() < 1e-12, "{spread:?}");
    }
}
