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
    insta::assert_snapshot!(told(log!("nccl-tests-107"), Some("all_reduce")), @r"
        collectives by rccl-tests on 2 x AMD Instinct MI250X
        all_reduce 1310720000: 1.120e0 s, bus factor 1.00
        ");
}

#[test]
fn collectives_that_count_wrong_values() {
    // NVIDIA/nccl-tests#128: sizes of zero bytes measure nothing.
    insta::assert_snapshot!(told(log!("nccl-tests-128"), None), @r"
        collectives by rccl-tests
        reduce_scatter 128: 3.231e-5 s
        reduce_scatter 1048576: 8.000e-5 s, bus factor 0.87
        ");
}

#[test]
fn collectives_that_reduce_nothing() {
    // NVIDIA/nccl#340.
    insta::assert_snapshot!(told(log!("nccl-340"), None), @r"
        collectives by rccl-tests
        broadcast 65536: 1.657e-5 s, bus factor 1.00
        broadcast 1048576: 4.738e-5 s, bus factor 1.00
        ");
}

#[test]
fn collectives_whose_comment_signs_were_lost() {
    // NVIDIA/nccl#583.
    insta::assert_snapshot!(told(log!("nccl-583"), None), @r"
        collectives by rccl-tests on 2 x AMD Instinct MI300X
        all_reduce 32: 2.010e-5 s
        all_reduce 536870912: 4.200e-3 s, bus factor 1.00
        ");
}

#[test]
fn bare_lines_of_collectives() {
    // kvcache-ai/Mooncake#3484.
    insta::assert_snapshot!(told(log!("mooncake-3484"), Some("all_reduce")), @r"
        collectives by rccl-tests
        all_reduce 32768: 1.866e-5 s, bus factor 1.74
        all_reduce 67108864: 3.300e-4 s, bus factor 1.75
        ");
}

#[test]
fn collectives_without_validation() {
    // NVIDIA/nccl#1530.
    insta::assert_snapshot!(told(log!("nccl-1530"), None), @r"
        collectives by rccl-tests on 2 x AMD Radeon PRO W7900
        all_gather 4194304: 4.000e-4 s, bus factor 0.50
        ");
}

#[test]
fn transfers_with_single_iterations() {
    // ROCm/TransferBench#50.
    insta::assert_snapshot!(told(log!("transferbench-50"), None), @r"
        memory by TransferBench
        G0 -> GPU00:004 -> G1 67108864: 1.996e-3 1.999e-3 2.015e-3 s
        ");
}

#[test]
fn transfers_under_executors() {
    // TransferBench v1.62.00 in a public acceptance note of a machine with MI350X, read 2026-11-30.
    insta::assert_snapshot!(told(log!("transferbench-executors"), None), @r"
        memory by TransferBench
        G0 -> G000:004 -> G1 67108864: 1.459e-3 s
        G1 -> D001:001 -> C0 67108864: 1.678e-3 s
        ");
}

#[test]
fn bandwidth_between_all_devices() {
    // ROCm/rocm_bandwidth_test#129: the access matrix above looks alike and is no bandwidth.
    insta::assert_snapshot!(told(log!("rocm-bandwidth-test-129"), None), @r"
        memory by rocm_bandwidth_test
        unidirectional 0 -> 1 0: 3.556e-2 s
        unidirectional 1 -> 0 0: 3.533e-2 s
        unidirectional 1 -> 1 0: 9.087e-4 s
        bidirectional 0 -> 1 0: 1.852e-2 s
        bidirectional 1 -> 0 0: 1.852e-2 s
        ");
}

#[test]
fn bandwidth_over_sizes() {
    // AMD's guide of single-node networks: ROCm/gpu-cluster-networking,
    // docs/how-to/single-node-config.rst at 0d26d8c (version 2.6.0 of the tool).
    insta::assert_snapshot!(told(log!("rocm-bandwidth-test-sizes"), None), @r"
        memory by rocm_bandwidth_test
        copy 1024: 1.060e-5 s
        copy 1048576: 4.600e-5 s
        copy 536870912: 1.920e-2 s
        ");
}

#[test]
fn serving() {
    // vllm-project/vllm#33743, #18566.
    insta::assert_snapshot!(told(log!("vllm-33743"), None), @r"
        serving by vLLM
        output tokens 0: 3.727e-3 s
        all tokens 0: 9.501e-4 s
        time to the first token 0: 2.649e0 s
        time to the first token, 99 % 0: 4.610e0 s
        time a further token 0: 5.175e-2 s
        time between tokens 0: 4.655e-2 s
        ");
    insta::assert_snapshot!(told(log!("vllm-18566"), None), @r"
        serving by vLLM
        output tokens 0: 1.519e-4 s
        all tokens 0: 7.128e-5 s
        time to the first token 0: 9.460e0 s
        ");
}

#[test]
fn serving_of_another_program() {
    // sgl-project/sglang#9812: a time of zero is no time.
    insta::assert_snapshot!(told(log!("sglang-9812"), None), @r"
        serving by vLLM
        output tokens 0: 5.705e-2 s
        all tokens 0: 5.576e-5 s
        time of a request 0: 2.522e1 s
        time to the first token 0: 2.522e1 s
        ");
}

#[test]
fn throughput_alone() {
    // vLLM's benchmarks/README.md has the line with tokens (`vllm bench throughput`), and
    // vllm-project/vllm#359 the older one without.
    insta::assert_snapshot!(told(log!("vllm-throughput"), None), @r"
        serving by vLLM
        all tokens 0: 3.492e-4 s
        output tokens 0: 7.027e-4 s
        ");
    let older = "Throughput: 5.99 requests/s\nAverage latency: 67.59 s";
    assert_eq!(read(older, None), Err(LogError::Empty { tool: "vLLM" }));
}

#[test]
fn something_else_is_no_log() {
    assert_eq!(read("Linux version 6.8.0", None), Err(LogError::Unknown));
    assert_eq!(read("", None), Err(LogError::Unknown));
}
