//! Logs in the shapes of public reports (named by the report), with figures of our own.

use std::fmt::Write as _;

use rocmenv_resolver::bench::logs::{LogError, read};

/// The measurement in a line a row, as a reader checks it against the log.
fn told(log: &str, operation: Option<&str>) -> String {
    let measurement = read(log, operation).expect("the log is one of a known tool");
    let software = &measurement.software;
    let mut text = format!("{} by {}", measurement.bench.name(), software.tool);
    if let (Some(devices), Some(device)) = (software.devices, &software.device) {
        let _ = write!(text, " on {devices} x {device}");
    }
    for row in &measurement.rows {
        let times: Vec<String> = row.seconds.iter().map(|time| format!("{time:.3e}")).collect();
        let _ = write!(text, "\n{} {}: {} s", row.operation, row.size, times.join(" "));
        if let Some(factor) = row.bus_factor {
            let _ = write!(text, ", bus factor {factor:.2}");
        }
    }
    text
}

macro_rules! log {
    ($name:literal) => {
        include_str!(concat!("../data/logs/", $name, ".txt"))
    };
}

#[test]
fn collectives_without_a_root() {
    // NVIDIA/nccl-tests#107: two nodes; the log itself does not name the collective.
    assert_eq!(read(log!("nccl-tests-107"), None), Err(LogError::NoOperation));
    insta::assert_snapshot!(told(log!("nccl-tests-107"), Some("all_reduce")), @"");
}

#[test]
fn collectives_that_count_wrong_values() {
    // NVIDIA/nccl-tests#128: sizes of zero bytes measure nothing.
    insta::assert_snapshot!(told(log!("nccl-tests-128"), None), @"");
}

#[test]
fn collectives_that_reduce_nothing() {
    // NVIDIA/nccl#340.
    insta::assert_snapshot!(told(log!("nccl-340"), None), @"");
}

#[test]
fn collectives_whose_comment_signs_were_lost() {
    // NVIDIA/nccl#583.
    insta::assert_snapshot!(told(log!("nccl-583"), None), @"");
}

#[test]
fn bare_lines_of_collectives() {
    // kvcache-ai/Mooncake#3484.
    insta::assert_snapshot!(told(log!("mooncake-3484"), Some("all_reduce")), @"");
}

#[test]
fn collectives_without_validation() {
    // NVIDIA/nccl#1530.
    insta::assert_snapshot!(told(log!("nccl-1530"), None), @"");
}

#[test]
fn transfers_with_single_iterations() {
    // ROCm/TransferBench#50.
    insta::assert_snapshot!(told(log!("transferbench-50"), None), @"");
}

#[test]
fn transfers_under_executors() {
    insta::assert_snapshot!(told(log!("transferbench-executors"), None), @"");
}

#[test]
fn bandwidth_between_all_devices() {
    // ROCm/rocm_bandwidth_test#129: the access matrix above looks alike and is no bandwidth.
    insta::assert_snapshot!(told(log!("rocm-bandwidth-test-129"), None), @"");
}

#[test]
fn bandwidth_over_sizes() {
    insta::assert_snapshot!(told(log!("rocm-bandwidth-test-sizes"), None), @"");
}

#[test]
fn serving() {
    // vllm-project/vllm#33743, #18566.
    insta::assert_snapshot!(told(log!("vllm-33743"), None), @"");
    insta::assert_snapshot!(told(log!("vllm-18566"), None), @"");
}

#[test]
fn serving_of_another_program() {
    // sgl-project/sglang#9812: a time of zero is no time.
    insta::assert_snapshot!(told(log!("sglang-9812"), None), @"");
}

#[test]
fn throughput_alone() {
    // vllm-project/vllm#359 shows the older line without tokens.
    insta::assert_snapshot!(told(log!("vllm-throughput"), None), @"");
    let older = "Throughput: 5.99 requests/s\nAverage latency: 67.59 s";
    assert_eq!(read(older, None), Err(LogError::Empty { tool: "vLLM" }));
}

#[test]
fn something_else_is_no_log() {
    assert_eq!(read("Linux version 6.8.0", None), Err(LogError::Unknown));
    assert_eq!(read("", None), Err(LogError::Unknown));
}
