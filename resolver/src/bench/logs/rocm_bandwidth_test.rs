//! rocm_bandwidth_test, which ended with ROCm 7: matrices of peak bandwidth between all devices,
//! and for two chosen ones a table over sizes.

use super::super::measurement::{Bench, Measurement, Rate, Row};
use super::{copy, measurement};

pub(super) fn recognises(text: &str) -> bool {
    text.contains("RocmBandwidthTest")
        || text.contains("copy peak bandwidth GB/s")
        || text.contains("Avg BW(GB/s)")
}

pub(super) fn read(text: &str) -> Measurement {
    let mut rows = Vec::new();
    let mut part = Part::Other;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        part = if let Some(next) = Part::beginning(line) {
            next
        } else {
            rows.extend(part.rows(line));
            part.after(line)
        };
    }
    measurement(Bench::Memory, "rocm_bandwidth_test", rows)
}

/// What the lines that follow are.
#[derive(Clone)]
enum Part {
    /// Nothing with figures.
    Other,
    /// A matrix; the columns once their line was read.
    Matrix { way: &'static str, columns: Option<Vec<String>> },
    /// A table over sizes.
    Sizes,
}

impl Part {
    fn beginning(line: &str) -> Option<Self> {
        if line.starts_with("Unidirectional copy peak bandwidth") {
            return Some(Self::Matrix { way: "unidirectional", columns: None });
        }
        if line.starts_with("Bidirectional copy peak bandwidth") {
            return Some(Self::Matrix { way: "bidirectional", columns: None });
        }
        if line.starts_with("Data Size") && line.contains("Avg Time(us)") {
            return Some(Self::Sizes);
        }
        let other_matrix = line.starts_with("Inter-Device") || line.starts_with("Device:");
        other_matrix.then_some(Self::Other)
    }

    fn after(self, line: &str) -> Self {
        match (self, line.strip_prefix("D/D")) {
            (Self::Matrix { way, .. }, Some(columns)) => {
                let columns = columns.split_whitespace().map(str::to_owned).collect();
                Self::Matrix { way, columns: Some(columns) }
            }
            (part, _) => part,
        }
    }

    fn rows(&self, line: &str) -> Vec<Row> {
        match self {
            Self::Matrix { way, columns: Some(columns) } => matrix_row(way, columns, line),
            Self::Sizes => size_row(line).into_iter().collect(),
            Self::Matrix { .. } | Self::Other => Vec::new(),
        }
    }
}

/// The matrix gives a rate and no size: the rate is kept as the time of 10^9 bytes.
fn matrix_row(way: &str, columns: &[String], line: &str) -> Vec<Row> {
    let mut words = line.split_whitespace();
    let Some(from) = words.next().filter(|word| word.parse::<u32>().is_ok()) else {
        return Vec::new();
    };
    let cell = |(to, word): (&String, &str)| {
        let rate: f64 = word.parse().ok()?;
        (rate > 0.0).then(|| Row {
            operation: format!("{way} {from} -> {to}"),
            size: 0,
            rate: Rate::Bytes,
            work: 1e9,
            bus_factor: None,
            seconds: vec![1.0 / rate],
        })
    };
    columns.iter().zip(words).filter_map(cell).collect()
}

/// `1 KB   11.3   0.09   10.2   0.10`: size, average time and rate, least time and peak rate.
fn size_row(line: &str) -> Option<Row> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [number, unit, average, ..] = words[..] else { return None };
    let scale = match unit {
        "KB" => 1 << 10,
        "MB" => 1 << 20,
        "GB" => 1 << 30,
        _ => return None,
    };
    let bytes = number.parse::<u64>().ok()?.checked_mul(scale)?;
    copy("copy".to_owned(), bytes, average.parse::<f64>().ok().map(|time| time / 1e6))
}
