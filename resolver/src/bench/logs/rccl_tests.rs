//! rccl-tests and nccl-tests: lines of size, count, type, reduction and root, then time, bandwidths
//! and errors twice, out of place and in place.
//!
//! Older versions have no root, and operations that reduce nothing no reduction. The error column
//! was a number, is a count, and is `N/A` without validation. So a line is read from both ends.

use super::super::measurement::{Bench, Measurement, Rate, Row};
use super::{LogError, measurement};

const OPERATIONS: [&str; 4] = ["all_reduce", "all_gather", "reduce_scatter", "broadcast"];

pub(super) fn recognises(text: &str) -> bool {
    text.contains("algbw") && text.contains("busbw")
        || text.lines().any(|line| line_of(line).is_some())
}

pub(super) fn read(text: &str, operation: Option<&str>) -> Result<Measurement, LogError> {
    let operation = operation.or_else(|| named(text)).ok_or(LogError::NoOperation)?;
    let ranks = text.lines().filter(|line| is_rank(line)).count();
    let rows: Vec<Row> = text.lines().filter_map(line_of).map(|line| line.row(operation)).collect();
    let mut measurement = measurement(Bench::Collectives, "rccl-tests", rows);
    measurement.software.devices = u32::try_from(ranks).ok().filter(|ranks| *ranks > 0);
    measurement.software.device = text.lines().filter(|line| is_rank(line)).find_map(device);
    Ok(measurement)
}

struct Line {
    size: u64,
    seconds: f64,
    bus_factor: Option<f64>,
}

impl Line {
    #[expect(clippy::cast_precision_loss, reason = "sizes stay far below 2^53")]
    fn row(self, operation: &str) -> Row {
        Row {
            operation: operation.to_owned(),
            size: self.size,
            rate: Rate::Bytes,
            work: self.size as f64,
            bus_factor: self.bus_factor,
            seconds: vec![self.seconds],
        }
    }
}

fn line_of(line: &str) -> Option<Line> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if !(11..=13).contains(&words.len()) {
        return None;
    }
    let size: u64 = words[0].parse().ok()?;
    let _count: u64 = words[1].parse().ok()?;
    if words[2].parse::<f64>().is_ok() || size == 0 {
        return None;
    }
    let figures = &words[words.len() - 8..];
    let [time, algorithm, bus] = [0, 1, 2].map(|place| figures[place].parse::<f64>().ok());
    let seconds = time? / 1e6;
    // Bandwidths are printed with two digits: of tiny ones no factor can be made.
    let factor = algorithm.zip(bus).filter(|(algorithm, _)| *algorithm >= 1.0);
    let bus_factor = factor.map(|(algorithm, bus)| bus / algorithm);
    (seconds > 0.0).then_some(Line { size, seconds, bus_factor })
}

/// The collective whose program's name stands first in the log.
fn named(text: &str) -> Option<&'static str> {
    let place = |name: &&str| text.find(&format!("{name}_perf"));
    OPERATIONS
        .into_iter()
        .filter(|name| place(name).is_some())
        .min_by_key(|name| place(name).unwrap_or(usize::MAX))
}

/// `#  Rank  0 Group  0 Pid  28307 on  gpu59 device  0 [0x16] NAME`
fn is_rank(line: &str) -> bool {
    let line = line.trim_start_matches(['#', ' ']);
    line.starts_with("Rank ") && line.contains(" device ")
}

fn device(line: &str) -> Option<String> {
    let name = line.rsplit_once(']')?.1.trim();
    (!name.is_empty()).then(|| name.to_owned())
}
