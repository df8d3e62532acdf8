//! The gate against real noise: 30 runs of each measurement on one quiet machine (an NVIDIA
//! H200; no AMD GPU was at hand), drawn five against five again and again, with and without a
//! slow-down put in.

use rocmenv_resolver::bench::{
    Bench, Judgement, Measurement, Rate, Row, Software, Tolerance, compare,
};
use serde_json::Value;

const DRAWS: u64 = 400;

#[test]
fn false_alarms_and_misses_are_counted() {
    let noise: Value = serde_json::from_str(include_str!("../data/noise.json")).expect("JSON");
    let mut lines =
        vec![format!("{:<16} {:>6} {:>6} {:>6} {:>6}", "slower by", "0 %", "3 %", "5 %", "10 %")];
    let operations = noise["median_seconds"].as_object().expect("operations by name");
    for (operation, times) in operations {
        let times: Vec<f64> =
            times.as_array().expect("times").iter().filter_map(Value::as_f64).collect();
        assert_eq!(times.len(), 30);
        let alarms = [0.0, 0.03, 0.05, 0.10].map(|slow| alarms(operation, &times, slow));
        lines.push(format!(
            "{operation:<16} {:>6} {:>6} {:>6} {:>6}",
            alarms[0], alarms[1], alarms[2], alarms[3]
        ));
        assert!(alarms[0] * 40 <= DRAWS, "{operation}: more than 2.5 % false alarms: {alarms:?}");
        assert!(alarms[3] == DRAWS, "{operation}: a slow-down of 10 % was missed: {alarms:?}");
    }
    insta::assert_snapshot!(lines.join("\n"), @r"
        slower by           0 %    3 %    5 %   10 %
        host-to-device        0     53    287    400
        device-to-host        0     89    400    400
        device-to-device      0    400    400    400
        bfloat16              0    279    400    400
        ");
}

/// How many of the draws the gate calls slower.
fn alarms(operation: &str, times: &[f64], slow: f64) -> u64 {
    let is_alarm = |draw: &u64| {
        let order = shuffled(times, *draw);
        let first: Vec<_> = order[..5].iter().map(|time| run(operation, *time)).collect();
        let second: Vec<_> =
            order[5..10].iter().map(|time| run(operation, time * (1.0 + slow))).collect();
        let comparison = compare(&first, &second, Tolerance::default());
        comparison.operations[0].judgement == Judgement::Slower
    };
    (0..DRAWS).filter(is_alarm).count() as u64
}

#[test]
fn few_runs_are_no_judgement() {
    let runs: Vec<_> = [1.0, 1.0, 1.0, 1.0].map(|time| run("copy", time)).to_vec();
    let slower: Vec<_> = [2.0; 4].map(|time| run("copy", time)).to_vec();
    let comparison = compare(&runs, &slower, Tolerance::default());
    assert_eq!(comparison.operations[0].judgement, Judgement::TooFewRuns);
    assert!(!comparison.is_slower());
}

#[test]
fn what_only_one_set_has_is_named() {
    let first = vec![run("copy", 1.0)];
    let second = vec![run("all_reduce", 1.0)];
    let comparison = compare(&first, &second, Tolerance::default());
    assert!(comparison.operations.is_empty());
    assert_eq!(comparison.only_one, ["all_reduce", "copy"]);
}

fn run(operation: &str, seconds: f64) -> Measurement {
    let row = Row {
        operation: operation.to_owned(),
        size: 1 << 26,
        rate: Rate::Bytes,
        work: 1.0,
        bus_factor: None,
        seconds: vec![seconds],
    };
    let (bench, software) = (Bench::Memory, Software::default());
    Measurement { bench, software, rows: vec![row], left_out: Vec::new() }
}

/// A permutation that depends on the draw alone (splitmix64).
fn shuffled(times: &[f64], draw: u64) -> Vec<f64> {
    let mut state = draw.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    let mut order = times.to_vec();
    for last in (1..order.len()).rev() {
        let other = usize::try_from(next() % (last as u64 + 1)).unwrap_or(0);
        order.swap(last, other);
    }
    order
}
