//! vLLM's benchmarks (`vllm bench serve`, the older benchmark_serving.py, `vllm bench throughput`) and
//! SGLang's of the same shape: lines of `Name (unit): value`.

use super::super::measurement::{Bench, Measurement, Rate, Row};
use super::measurement;

/// Name as printed, operation, what one execution counts, how a value becomes seconds.
const LINES: [(&str, &str, Rate, Value); 8] = [
    ("Output token throughput (tok/s)", "output tokens", Rate::Tokens, Value::PerSecond),
    ("Total token throughput (tok/s)", "all tokens", Rate::Tokens, Value::PerSecond),
    ("Total Token throughput (tok/s)", "all tokens", Rate::Tokens, Value::PerSecond),
    ("Median TTFT (ms)", "time to the first token", Rate::Time, Value::Milliseconds),
    ("P99 TTFT (ms)", "time to the first token, 99 %", Rate::Time, Value::Milliseconds),
    ("Median TPOT (ms)", "time a further token", Rate::Time, Value::Milliseconds),
    ("Median ITL (ms)", "time between tokens", Rate::Time, Value::Milliseconds),
    ("Median E2E Latency (ms)", "time of a request", Rate::Time, Value::Milliseconds),
];

#[derive(Clone, Copy)]
enum Value {
    PerSecond,
    Milliseconds,
}

pub(super) fn recognises(text: &str) -> bool {
    text.contains("Serving Benchmark Result") || text.lines().any(|line| throughput(line).is_some())
}

pub(super) fn read(text: &str) -> Measurement {
    let mut rows: Vec<Row> = text.lines().filter_map(named).collect();
    rows.extend(text.lines().filter_map(throughput).flatten());
    measurement(Bench::Serving, "vLLM", rows)
}

fn named(line: &str) -> Option<Row> {
    let (name, value) = line.trim().rsplit_once(':')?;
    let value: f64 = value.trim().parse().ok()?;
    let (_, operation, rate, kind) = LINES.iter().find(|(known, ..)| *known == name.trim())?;
    let seconds = match kind {
        Value::PerSecond => 1.0 / value,
        Value::Milliseconds => value / 1e3,
    };
    row(operation, *rate, seconds)
}

/// `Throughput: 5.99 requests/s, 2864.07 total tokens/s, 1423.10 output tokens/s`
fn throughput(line: &str) -> Option<Vec<Row>> {
    let figures = line.trim().strip_prefix("Throughput:")?;
    let rows = figures.split(',').filter_map(|figure| {
        let (value, unit) = figure.trim().split_once(' ')?;
        let operation = match unit {
            "output tokens/s" => "output tokens",
            "total tokens/s" | "tokens/s" => "all tokens",
            _ => return None,
        };
        row(operation, Rate::Tokens, 1.0 / value.parse::<f64>().ok()?)
    });
    Some(rows.collect())
}

fn row(operation: &str, rate: Rate, seconds: f64) -> Option<Row> {
    (seconds.is_finite() && seconds > 0.0).then(|| Row {
        operation: operation.to_owned(),
        size: 0,
        rate,
        work: 1.0,
        bus_factor: None,
        seconds: vec![seconds],
    })
}
