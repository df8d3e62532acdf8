//! Two sets of runs side by side.

use rocmenv_resolver::bench::{Bench, Comparison, Judgement, OperationComparison};
use serde_json::{Value, json};

use crate::render::table;

/// A line an operation: how many times the second set takes the first one's time.
pub fn comparison(compared: &[(Bench, Comparison)]) -> String {
    let mut rows = Vec::new();
    for (bench, comparison) in compared {
        for operation in &comparison.operations {
            rows.push(line(*bench, operation));
        }
        for name in &comparison.only_one {
            rows.push(vec![
                bench.name().to_owned(),
                name.clone(),
                String::new(),
                String::new(),
                String::new(),
                "in one set only".to_owned(),
            ]);
        }
    }
    table(&["bench", "operation", "runs", "time", "interval", ""], &rows)
}

/// The same as data.
pub fn comparison_json(compared: &[(Bench, Comparison)]) -> Value {
    let all: Vec<Value> = compared
        .iter()
        .map(|(bench, comparison)| json!({ "bench": bench, "comparison": comparison }))
        .collect();
    Value::Array(all)
}

fn line(bench: Bench, operation: &OperationComparison) -> Vec<String> {
    let (time, interval) = match &operation.time {
        Some(time) => (
            format!("x {:.3}", time.ratio),
            format!("{:.3} to {:.3} ({:.0} %)", time.low, time.high, 100.0 * time.confidence),
        ),
        None => (String::new(), String::new()),
    };
    let judgement = match operation.judgement {
        Judgement::Faster => "faster",
        Judgement::Same => "the same",
        Judgement::Undecided => "undecided: more runs would tell",
        Judgement::Slower => "slower",
        Judgement::TooFewRuns => "too few runs: five are needed of each",
    };
    vec![
        bench.name().to_owned(),
        operation.operation.clone(),
        format!("{} / {}", operation.runs.0, operation.runs.1),
        time,
        interval,
        judgement.to_owned(),
    ]
}
