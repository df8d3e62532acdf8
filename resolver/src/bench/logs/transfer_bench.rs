//! TransferBench: `Transfer 00 | 33.520 GB/s | 2.002 ms | 67108864 bytes | G0 -> GPU00:004 -> G1`,
//! with lines of single iterations below where SHOW_ITERATIONS asked for them.

use super::super::measurement::{Bench, Measurement, Row};
use super::{copy, measurement};

pub(super) fn recognises(text: &str) -> bool {
    text.contains("TransferBench") || text.lines().any(|line| transfer(line).is_some())
}

pub(super) fn read(text: &str) -> Measurement {
    let mut rows: Vec<Row> = Vec::new();
    let mut iterations = Vec::new();
    for line in text.lines() {
        if let Some(row) = transfer(line) {
            settle(&mut rows, &mut iterations);
            rows.push(row);
        } else if line.trim_start().starts_with("Iter ") {
            iterations.extend(milliseconds(line));
        }
    }
    settle(&mut rows, &mut iterations);
    measurement(Bench::Memory, "TransferBench", rows)
}

/// Single iterations are the samples of the transfer above them.
fn settle(rows: &mut [Row], iterations: &mut Vec<f64>) {
    if let Some(row) = rows.last_mut()
        && !iterations.is_empty()
    {
        row.seconds = std::mem::take(iterations);
    }
    iterations.clear();
}

fn transfer(line: &str) -> Option<Row> {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let is_transfer = columns.first().is_some_and(|first| first.starts_with("Transfer "));
    if !is_transfer || columns.len() < 5 {
        return None;
    }
    let bytes = columns[3].strip_suffix("bytes")?.trim().parse().ok()?;
    copy(columns[4].to_owned(), bytes, milliseconds(line))
}

fn milliseconds(line: &str) -> Option<f64> {
    let column = line.split('|').map(str::trim).find_map(|column| column.strip_suffix("ms"))?;
    let value: f64 = column.trim().parse().ok()?;
    (value > 0.0).then_some(value / 1e3)
}
