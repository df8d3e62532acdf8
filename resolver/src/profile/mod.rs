//! What a profiled run spent its time on, and what holds it back.
//!
//! A kernel's kind comes from its name, which is a rule of thumb: the shares say "by kernel names".
//! Where the device was not measured, nothing is claimed of it.

mod rocprof;

use serde::{Deserialize, Serialize};

pub use rocprof::{RocprofError, from_rocprofv3};

/// What a kernel does, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Matrix products, convolutions, attention.
    Compute,
    /// Everything else that reads and writes memory.
    Memory,
    /// Copies between host and device or within it.
    Copy,
    /// Collectives.
    Collective,
}

/// A kernel or copy with all of its calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// What it does.
    pub kind: Kind,
    /// Seconds of all calls together.
    pub seconds: f64,
    /// How many calls.
    pub calls: u64,
}

/// A reading beside the run; what could not be read is absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sample {
    /// Bytes that the framework has reserved.
    pub memory_bytes: Option<u64>,
    /// Degrees Celsius.
    pub temperature_celsius: Option<f64>,
    /// Watts.
    pub power_watts: Option<f64>,
    /// The driver's own share of busy time.
    pub busy_percent: Option<f64>,
}

/// What a profiler wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// `torch` or `rocprofv3`.
    pub profiler: String,
    /// The device's name, or `cpu`.
    pub device: String,
    /// Seconds from start to end of the program.
    pub seconds: f64,
    /// Seconds from the first to the last work of the device; none: it was not measured.
    pub device_window_seconds: Option<f64>,
    /// Seconds in which the device did something, overlaps counted once.
    pub device_busy_seconds: Option<f64>,
    /// Seconds that the program waited for its data loader, where that was seen.
    #[serde(default)]
    pub input_wait_seconds: f64,
    /// The most memory that the framework reserved.
    #[serde(default)]
    pub peak_memory_bytes: Option<u64>,
    /// Kernels and copies, longest first.
    pub kernels: Vec<Kernel>,
    /// Readings.
    #[serde(default)]
    pub samples: Vec<Sample>,
    /// The program's exit code.
    #[serde(default)]
    pub exit_code: i32,
}

/// What holds a program back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The device waits for data.
    Input,
    /// The device waits for the program that launches its work.
    Host,
    /// Collectives.
    Communication,
    /// Copies.
    Copies,
    /// Kernels that mostly move memory.
    Memory,
    /// Kernels that mostly compute.
    Compute,
    /// The device was not measured.
    NotKnown,
}

/// What a report shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Analysis {
    /// The share of the device's window in which it was busy.
    pub busy: Option<f64>,
    /// Shares of all kernel time: compute, memory, copies, collectives.
    pub shares: Vec<(Kind, f64)>,
    /// The share of the run spent waiting for input.
    pub input_wait: f64,
    /// What holds it back.
    pub verdict: Verdict,
    /// Why, in words with figures.
    pub because: String,
}

/// Above this share of kernel time, collectives or copies are the first thing to look at.
const MUCH: f64 = 0.30;
/// Below this share of busy time, the device waits for something.
const IDLE: f64 = 0.70;
/// Above this share of the run, waiting for input is what it waits for.
const WAITS: f64 = 0.15;

/// Reads a report.
pub fn analyse(report: &Report) -> Analysis {
    let all: f64 = report.kernels.iter().map(|kernel| kernel.seconds).sum();
    let share = |kind: Kind| {
        let own = report.kernels.iter().filter(|kernel| kernel.kind == kind);
        let seconds: f64 = own.map(|kernel| kernel.seconds).sum();
        if all > 0.0 { seconds / all } else { 0.0 }
    };
    let kinds = [Kind::Compute, Kind::Memory, Kind::Copy, Kind::Collective];
    let shares: Vec<(Kind, f64)> = kinds.into_iter().map(|kind| (kind, share(kind))).collect();
    let busy = report
        .device_busy_seconds
        .zip(report.device_window_seconds)
        .filter(|(_, window)| *window > 0.0)
        .map(|(busy, window)| busy / window);
    let input_wait =
        if report.seconds > 0.0 { report.input_wait_seconds / report.seconds } else { 0.0 };
    let (verdict, because) = judge(busy, input_wait, &share);
    Analysis { busy, shares, input_wait, verdict, because }
}

fn judge(busy: Option<f64>, input_wait: f64, share: &dyn Fn(Kind) -> f64) -> (Verdict, String) {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let Some(busy) = busy else {
        return (Verdict::NotKnown, "the profiler saw no work of a device".to_owned());
    };
    if busy < IDLE && input_wait > WAITS {
        let because = format!(
            "the device was busy {} of the time, and {} of the run went into waiting for the data loader",
            percent(busy),
            percent(input_wait)
        );
        return (Verdict::Input, because);
    }
    if busy < IDLE {
        let because = format!(
            "the device was busy {} of the time, and nothing shows that it waited for data: its \
             work is launched too slowly",
            percent(busy)
        );
        return (Verdict::Host, because);
    }
    let by_names = |kind: Kind, what: &str| {
        format!("{what} take {} of kernel time, by kernel names", percent(share(kind)))
    };
    if share(Kind::Collective) > MUCH {
        return (Verdict::Communication, by_names(Kind::Collective, "collectives"));
    }
    if share(Kind::Copy) > MUCH {
        return (Verdict::Copies, by_names(Kind::Copy, "copies"));
    }
    if share(Kind::Memory) > share(Kind::Compute) {
        return (Verdict::Memory, by_names(Kind::Memory, "kernels that move memory"));
    }
    (Verdict::Compute, by_names(Kind::Compute, "matrix products, convolutions and attention"))
}

/// A kernel's kind by its name, for profilers that do not say it.
pub fn kind_of(name: &str) -> Kind {
    let low = name.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| low.contains(part));
    if has(&["memcpy", "memset", "copybuffer", "fillbuffer"]) {
        Kind::Copy
    } else if has(&["nccl", "rccl"]) {
        Kind::Collective
    } else if has(&["gemm", "conv", "cijk_", "attention", "flash", "fmha", "matmul", "mfma"]) {
        Kind::Compute
    } else {
        Kind::Memory
    }
}
