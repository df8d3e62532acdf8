//! rocprofv3's traces as CSV: kernels, and copies where they were traced.
//!
//! Columns are found by their titles (`Kernel_Name`, `Direction`, `Start_Timestamp`,
//! `End_Timestamp`, in nanoseconds), as rocprofiler-sdk's documentation of rocprofv3 names them.

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
    let mut totals: BTreeMap<&str, (Kind, f64, u64)> = BTreeMap::new();
    for span in &spans {
        let total = totals.entry(&span.name).or_insert((span.kind, 0.0, 0));
        total.1 += span.end - span.start;
        total.2 += 1;
    }
    let mut kernels: Vec<Kernel> = totals
        .into_iter()
        .map(|(name, (kind, seconds, calls))| Kernel {
            name: name.to_owned(),
            kind,
            seconds,
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
    start: f64,
    end: f64,
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
        let stamp =
            |place: usize| -> Option<f64> { Some(cells.get(place)?.parse::<f64>().ok()? / 1e9) };
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
    spans.sort_by(|one, other| one.start.total_cmp(&other.start));
    let Some(first) = spans.first().map(|span| span.start) else { return (None, None) };
    let (mut busy, mut reached) = (0.0, first);
    for span in spans.iter() {
        busy += (span.end - span.start.max(reached)).max(0.0);
        reached = reached.max(span.end);
    }
    (Some(reached - first), Some(busy))
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

    #[test]
    fn a_trace_without_work_claims_nothing() {
        let report = from_rocprofv3("", None, "gfx942", 1.0).expect("an empty trace is one");
        assert_eq!(analyse(&report).verdict, Verdict::NotKnown);
        let other = from_rocprofv3("a,b\n1,2\n", None, "gfx942", 1.0);
        assert_eq!(other.err(), Some(RocprofError::Column("Kernel_Name")));
    }
}
