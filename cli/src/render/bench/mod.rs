//! Measurements as table, JSON, picture and page.

mod chart;
mod compared;
mod page;

use rocmenv_resolver::bench::{Rate, Row, median, spread};
use serde_json::{Value, json};

pub use compared::{comparison, comparison_json};
pub use page::{bench_html, bench_svg};

use super::table;
use crate::ops::bench::{BenchOutcome, Run};

/// A table of operation, size, median rate and spread, with the published peak where one exists.
pub fn bench(outcome: &BenchOutcome) -> String {
    let rows: Vec<Vec<String>> = merged(&outcome.runs)
        .into_iter()
        .map(|row| {
            let spread = spread(&row.seconds);
            let peak = outcome
                .peaks
                .iter()
                .find(|(operation, size, _)| (operation, *size) == (&row.operation, row.size));
            let share = peak.map(|(_, _, peak)| {
                format!("{:.0} % of {}", 100.0 * row.per_second() / peak.per_second, peak.source)
            });
            let bus = row.bus_factor.map(|factor| gigabytes(row.per_second() * factor));
            vec![
                row.operation.clone(),
                size(&row),
                time(spread.median),
                format!("{:.1} %", 100.0 * spread.relative),
                rate(&row),
                bus.unwrap_or_default(),
                share.unwrap_or_default(),
            ]
        })
        .collect();
    let header = ["operation", "size", "median", "spread", "rate", "bus", "of the published peak"];
    let mut text = head(outcome);
    text.push_str(&table(&header, &rows));
    text
}

/// Every sample, with the peaks.
pub fn bench_json(outcome: &BenchOutcome) -> Value {
    let peaks: Vec<Value> = outcome
        .peaks
        .iter()
        .map(
            |(operation, size, peak)| json!({ "operation": operation, "size": size, "peak": peak }),
        )
        .collect();
    json!({ "runs": outcome.runs, "published-peaks": peaks })
}

/// Kept runs, a line each.
pub fn bench_runs(runs: &[Run]) -> String {
    let rows: Vec<Vec<String>> = runs
        .iter()
        .map(|run| {
            let software = &run.measurement.software;
            vec![
                super::moment(&run.at),
                run.measurement.bench.name().to_owned(),
                run.generation.map(|number| number.to_string()).unwrap_or_default(),
                run.label.clone().unwrap_or_default(),
                software.tool.clone(),
                software.device.clone().unwrap_or_default(),
                run.measurement.rows.len().to_string(),
            ]
        })
        .collect();
    table(&["made", "bench", "generation", "label", "tool", "device", "rows"], &rows)
}

fn head(outcome: &BenchOutcome) -> String {
    let Some(run) = outcome.runs.first() else { return String::new() };
    let software = &run.measurement.software;
    let device = match (software.devices, &software.device) {
        (Some(count), Some(name)) if count > 1 => format!("{count} x {name}"),
        (_, Some(name)) => name.clone(),
        (_, None) => "a device that is not known".to_owned(),
    };
    let torch = software.torch.as_ref().map(|torch| format!(", torch {torch}")).unwrap_or_default();
    format!(
        "{} by {} on {device}{torch}, {} run(s)\n\n",
        run.measurement.bench.name(),
        software.tool,
        outcome.runs.len()
    )
}

/// The rows of all runs, samples of the same operation and size together.
fn merged(runs: &[Run]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for row in runs.iter().flat_map(|run| &run.measurement.rows) {
        let same = |known: &&mut Row| known.operation == row.operation && known.size == row.size;
        match rows.iter_mut().find(same) {
            // A run counts once: with its median, as in the gate.
            Some(known) => known.seconds.push(median(&row.seconds)),
            None if runs.len() > 1 => {
                rows.push(Row { seconds: vec![median(&row.seconds)], ..row.clone() });
            }
            None => rows.push(row.clone()),
        }
    }
    rows
}

fn size(row: &Row) -> String {
    match row.rate {
        _ if row.size == 0 => String::new(),
        Rate::Operations => row.size.to_string(),
        Rate::Bytes | Rate::Tokens | Rate::Time => super::bytes(row.size),
    }
}

fn rate(row: &Row) -> String {
    let per_second = row.per_second();
    match row.rate {
        Rate::Bytes => gigabytes(per_second),
        Rate::Operations => format!("{:.1} TFLOP/s", per_second / 1e12),
        Rate::Tokens => format!("{per_second:.1} tokens/s"),
        Rate::Time => String::new(),
    }
}

fn gigabytes(per_second: f64) -> String {
    format!("{:.2} GB/s", per_second / 1e9)
}

fn time(seconds: f64) -> String {
    if seconds >= 1.0 {
        format!("{seconds:.2} s")
    } else if seconds >= 1e-3 {
        format!("{:.3} ms", seconds * 1e3)
    } else {
        format!("{:.2} us", seconds * 1e6)
    }
}
