//! Logs of other tools, read into the shape of a measurement.
//!
//! A log is recognised by what only that tool prints. What a parser does not know it leaves out;
//! it never guesses a unit.

mod rccl_tests;
mod rocm_bandwidth_test;
mod transfer_bench;
mod vllm;

use super::measurement::{Bench, Measurement, Rate, Row, Software};

/// The tools whose logs are read.
pub const TOOLS: [&str; 4] = ["rccl-tests", "TransferBench", "rocm_bandwidth_test", "vLLM"];

/// Reads a log of one of `TOOLS`. `operation` names the collective where the log itself does not:
/// rccl-tests prints its own name only in newer versions.
///
/// # Errors
/// No tool printed this, it holds no figure, or the collective is not known.
pub fn read(text: &str, operation: Option<&str>) -> Result<Measurement, LogError> {
    if vllm::recognises(text) {
        return filled(vllm::read(text), "vLLM");
    }
    if transfer_bench::recognises(text) {
        return filled(transfer_bench::read(text), "TransferBench");
    }
    if rocm_bandwidth_test::recognises(text) {
        return filled(rocm_bandwidth_test::read(text), "rocm_bandwidth_test");
    }
    if rccl_tests::recognises(text) {
        return filled(rccl_tests::read(text, operation)?, "rccl-tests");
    }
    Err(LogError::Unknown)
}

fn filled(measurement: Measurement, tool: &'static str) -> Result<Measurement, LogError> {
    if measurement.rows.is_empty() { Err(LogError::Empty { tool }) } else { Ok(measurement) }
}

/// A measurement by another tool.
fn measurement(bench: Bench, tool: &str, rows: Vec<Row>) -> Measurement {
    let software = Software { tool: tool.to_owned(), ..Software::default() };
    Measurement { bench, software, rows, left_out: Vec::new() }
}

/// A copy of `bytes` in `seconds`; none where a figure is missing or zero.
#[expect(clippy::cast_precision_loss, reason = "sizes stay far below 2^53")]
fn copy(operation: String, bytes: u64, seconds: Option<f64>) -> Option<Row> {
    let seconds = seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0)?;
    Some(Row {
        operation,
        size: bytes,
        rate: Rate::Bytes,
        work: bytes as f64,
        bus_factor: None,
        seconds: vec![seconds],
    })
}

/// A log cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LogError {
    /// No known tool.
    #[error("none of {} printed this", TOOLS.join(", "))]
    Unknown,
    /// A known tool without a figure.
    #[error("this log of {tool} holds no figure")]
    Empty {
        /// The tool.
        tool: &'static str,
    },
    /// The collective's name is not in the log.
    #[error("this log of rccl-tests does not say which collective it measured")]
    NoOperation,
}
