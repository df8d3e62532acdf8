//! rocprofv3's traces as CSV: kernels, and copies where they were traced.
//!
//! Columns are found by their titles (`Kernel_Name`, `Direction`, `Start_Timestamp`,
//! `End_Timestamp`, in nanoseconds), as rocprofiler-sdk's documentation of rocprofv3 names them:
//! every release so far kept these four and put others between them.

use std::collections::BTreeMap;

use super::{Kernel, Kind, Report, kind_of};

/// A report of a kernel trace and, where there is one, a memory copy trace. `seconds` is how long
/// the program ran.
///
/// # Errors
/// A trace lacks a column, or a line is not as long as its title line.
pub fn from_rocprofv3(
    kernels: &str,
    copies: Option<&str>,
    device: &str,
    seconds: f64,
) -> Result<Report, RocprofError> {
    let mut spans = trace(kernels, "Kernel_Name")?;
    for span in &mut spans {
        span.kind = kind_of(&span.name);
    }
    if let Some(copies) = copies {
        spans.extend(trace(copies, "Direction")?);
    }
    let mut totals: BTreeMap<&str, (Kind, u64, u64)> = BTreeMap::new();
    for span in &spans {
        let total = totals.entry(&span.name).or_insert((span.kind, 0, 0));
        total.1 += span.end.saturating_sub(span.start);
        total.2 += 1;
    }
    let mut kernels: Vec<Kernel> = totals
        .into_iter()
        .map(|(name, (kind, length, calls))| Kernel {
            name: name.to_owned(),
            kind,
            seconds: seconds_of(length),
            calls,
        })
        .collect();
    kernels.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    let (window, busy) = covered(&mut spans);
    Ok(Report {
        profiler: "rocprofv3".to_owned(),
        device: device.to_owned(),
        seconds,
        device_window_seconds: window,
        device_busy_seconds: busy,
        input_wait_seconds: 0.0,
        peak_memory_bytes: None,
        kernels,
        samples: Vec::new(),
        exit_code: 0,
    })
}

struct Span {
    name: String,
    kind: Kind,
    start: u64,
    end: u64,
}

/// Nanoseconds of a clock that began with the machine: differences are taken before they become
/// floating point.
#[expect(clippy::cast_precision_loss, reason = "2^53 nanoseconds are 104 days")]
fn seconds_of(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e9
}

fn trace(text: &str, name: &'static str) -> Result<Vec<Span>, RocprofError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let Some((_, titles)) = lines.next() else { return Ok(Vec::new()) };
    let titles = cells(titles);
    let place = |title: &'static str| {
        titles.iter().position(|own| own == title).ok_or(RocprofError::Column(title))
    };
    let (name, start, end) = (place(name)?, place("Start_Timestamp")?, place("End_Timestamp")?);
    let span = |(number, line): (usize, &str)| {
        let cells = cells(line);
        let stamp = |place: usize| -> Option<u64> { cells.get(place)?.trim().parse().ok() };
        let span = || {
            let (start, end) = (stamp(start)?, stamp(end)?);
            Some(Span { name: cells.get(name)?.clone(), kind: Kind::Copy, start, end })
        };
        span().ok_or(RocprofError::Line(number + 1))
    };
    lines.map(span).collect()
}

/// The window from first to last work, and the length of the union of all spans.
fn covered(spans: &mut [Span]) -> (Option<f64>, Option<f64>) {
    spans.sort_by_key(|span| span.start);
    let Some(first) = spans.first().map(|span| span.start) else { return (None, None) };
    let (mut busy, mut reached) = (0, first);
    for span in spans.iter() {
        busy += span.end.saturating_sub(span.start.max(reached));
        reached = reached.max(span.end);
    }
    (Some(seconds_of(reached - first)), Some(seconds_of(busy)))
}

/// The cells of a line; names of kernels stand in quotes, because they hold commas.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut rest = line.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '"' if is_quoted && rest.peek() == Some(&'"') => {
                cell.push('"');
                rest.next();
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(std::mem::take(&mut cell)),
            letter => cell.push(letter),
        }
    }
    cells.push(cell);
    cells
}

/// A trace cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RocprofError {
    /// A column is missing.
    #[error("the trace has no column `{0}`")]
    Column(&'static str),
    /// A line holds no span.
    #[error("line {0} of the trace is not one of it")]
    Line(usize),
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::super::{Verdict, analyse};
    use super::*;

    #[test]
    fn kernels_and_copies_make_one_report() {
        let kernels = "\"Kind\",\"Agent_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n\
            \"KERNEL_DISPATCH\",4,\"Cijk_Ailk_Bjlk_BBS<a, b>\",1000000000,1800000000\n\
            \"KERNEL_DISPATCH\",4,\"elementwise\",1800000000,1900000000\n";
        let copies = "\"Kind\",\"Direction\",\"Start_Timestamp\",\"End_Timestamp\"\n\
            \"MEMORY_COPY\",\"HOST_TO_DEVICE\",1850000000,2000000000\n";
        let report = from_rocprofv3(kernels, Some(copies), "gfx942", 3.0).expect("both are traces");
        assert_eq!(report.kernels[0].name, "Cijk_Ailk_Bjlk_BBS<a, b>");
        assert!((report.device_window_seconds.unwrap_or(0.0) - 1.0).abs() < 1e-9);
        assert!((report.device_busy_seconds.unwrap_or(0.0) - 1.0).abs() < 1e-9);
        assert_eq!(analyse(&report).verdict, Verdict::Compute);
    }

    /// Traces in the columns of public reports (named by the report), with figures of our own.
    macro_rules! trace {
        ($name:literal) => {
            include_str!(concat!("../../tests/data/traces/", $name, ".csv"))
        };
    }

    /// A kernel a line, then the window and the part of it with work.
    fn told(kernels: &str, copies: Option<&str>) -> String {
        let report = from_rocprofv3(kernels, copies, "gfx942", 1.0).expect("both are traces");
        let mut text = String::new();
        for kernel in &report.kernels {
            let microseconds = kernel.seconds * 1e6;
            let _ = writeln!(text, "{}: {} x, {microseconds:.3} us", kernel.name, kernel.calls);
        }
        let window = report.device_window_seconds.unwrap_or(0.0) * 1e6;
        let busy = report.device_busy_seconds.unwrap_or(0.0) * 1e6;
        text + &format!("window {window:.3} us, busy {busy:.3} us")
    }

    #[test]
    fn a_trace_of_the_first_releases() {
        // rocprofiler-sdk's README of ROCm 6.2: no dispatch or thread, the queue is an address,
        // directions without the word before them.
        insta::assert_snapshot!(
            told(trace!("kernel-trace-6.2"), Some(trace!("memory-copy-trace-6.2"))),
            @r"
            HOST_TO_DEVICE: 1 x, 150.000 us
            transpose(float*, float*, int): 1 x, 60.000 us
            DEVICE_TO_HOST: 1 x, 40.000 us
            window 300.000 us, busy 250.000 us
            "
        );
    }

    #[test]
    fn a_trace_with_dispatches() {
        // amd/HPCTrainingExamples, Rocprofv3/HIP/README.md (ROCm 6.3): agents by number.
        insta::assert_snapshot!(told(trace!("kernel-trace-6.3"), None), @r"
            Norm(int, double, double const*, double*): 2 x, 403.527 us
            __amd_rocclr_fillBufferAligned: 1 x, 5.001 us
            window 503.527 us, busy 408.528 us
            ");
    }

    #[test]
    fn a_trace_with_streams_and_registers() {
        // ROCm/rocprofiler-sdk 481f7ff, source/docs/data/kernel_trace.csv, and a6af0d4,
        // memory_copy_trace.csv (ROCm 7): agents by name, lines not in the order of time, two
        // streams at once.
        insta::assert_snapshot!(
            told(trace!("kernel-trace-7"), Some(trace!("memory-copy-trace-7"))),
            @r"
            void add<float>(float*, float const*, float const*, int, int): 2 x, 27.000 us
            divide(float*, float const*, float const*, int, int): 1 x, 10.000 us
            MEMORY_COPY_HOST_TO_DEVICE: 1 x, 9.000 us
            MEMORY_COPY_DEVICE_TO_HOST: 1 x, 4.000 us
            window 64.000 us, busy 45.000 us
            "
        );
    }

    #[test]
    fn a_trace_that_rocpd_made_of_its_data_base() {
        // amd/HPCTrainingExamples, Rocprofv3/rocpd/README.md (`rocpd convert --output-format
        // csv`): an identifier stands first, other titles are spelt otherwise.
        insta::assert_snapshot!(told(trace!("kernel-trace-rocpd"), None), @r"
            __omp_offloading_30_57b9f__step_l9: 1 x, 199.920 us
            __omp_offloading_30_57b9f__norm_l23: 1 x, 100.080 us
            window 300.000 us, busy 300.000 us
            ");
    }

    #[test]
    fn statistics_are_no_trace() {
        // The same report's kernel_stats.csv, which has lengths and no times.
        let stats = "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\",\
            \"MaxNs\",\"StdDev\"\n\"step(int, double*)\",4,4000,1000.000000,100.00,900,1100,71.5\n";
        let report = from_rocprofv3(stats, None, "gfx942", 1.0);
        assert_eq!(report.err(), Some(RocprofError::Column("Kernel_Name")));
    }

    #[test]
    fn a_trace_without_work_claims_nothing() {
        let report = from_rocprofv3("", None, "gfx942", 1.0).expect("an empty trace is one");
        assert_eq!(analyse(&report).verdict, Verdict::NotKnown);
        let other = from_rocprofv3("a,b\n1,2\n", None, "gfx942", 1.0);
        assert_eq!(other.err(), Some(RocprofError::Column("Kernel_Name")));
    }
}
