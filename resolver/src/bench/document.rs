//! The JSON that rocmenv's own measuring programs print.

use serde::Deserialize;

use super::measurement::{Bench, Measurement, Rate, Row, Software};

/// Reads what a measuring program printed: one JSON document.
///
/// # Errors
/// The text is no such document, or a row holds no sample.
pub fn read(text: &str) -> Result<Measurement, DocumentError> {
    let raw: RawDocument = serde_json::from_str(text).map_err(DocumentError::Json)?;
    let bench = Bench::named(&raw.bench).ok_or(DocumentError::Bench(raw.bench))?;
    let rows: Vec<Row> = raw.rows.into_iter().map(RawRow::row).collect();
    let is_time = |seconds: &f64| seconds.is_finite() && *seconds > 0.0;
    if let Some(row) =
        rows.iter().find(|row| row.seconds.is_empty() || !row.seconds.iter().all(is_time))
    {
        return Err(DocumentError::Samples { operation: row.operation.clone(), size: row.size });
    }
    let environment = raw.environment;
    let software = Software {
        tool: "rocmenv".to_owned(),
        device: environment.device,
        devices: environment.devices,
        torch: environment.torch,
        hip: environment.hip,
    };
    let left_out = raw.left_out.into_iter().map(|left| left.words()).collect();
    Ok(Measurement { bench, software, rows, left_out })
}

#[derive(Deserialize)]
struct RawDocument {
    bench: String,
    environment: RawEnvironment,
    rows: Vec<RawRow>,
    #[serde(default)]
    left_out: Vec<RawLeftOut>,
}

#[derive(Deserialize)]
struct RawEnvironment {
    torch: Option<String>,
    hip: Option<String>,
    device: Option<String>,
    devices: Option<u32>,
}

/// A row names its work by what it does: a copy, a product or a collective.
#[derive(Deserialize)]
#[serde(untagged)]
enum RawRow {
    Copy { direction: String, bytes: u64, seconds: Vec<f64> },
    Product { r#type: String, size: u64, operations: f64, seconds: Vec<f64> },
    Collective { operation: String, bytes: u64, factor: f64, seconds: Vec<f64> },
}

impl RawRow {
    #[expect(clippy::cast_precision_loss, reason = "sizes stay far below 2^53")]
    fn row(self) -> Row {
        match self {
            Self::Copy { direction, bytes, seconds } => Row {
                operation: direction,
                size: bytes,
                rate: Rate::Bytes,
                work: bytes as f64,
                bus_factor: None,
                seconds,
            },
            Self::Product { r#type, size, operations, seconds } => Row {
                operation: r#type,
                size,
                rate: Rate::Operations,
                work: operations,
                bus_factor: None,
                seconds,
            },
            Self::Collective { operation, bytes, factor, seconds } => Row {
                operation,
                size: bytes,
                rate: Rate::Bytes,
                work: bytes as f64,
                bus_factor: Some(factor),
                seconds,
            },
        }
    }
}

#[derive(Deserialize)]
struct RawLeftOut {
    #[serde(alias = "type")]
    operation: String,
    reason: String,
}

impl RawLeftOut {
    fn words(&self) -> String {
        format!("{}: {}", self.operation, self.reason)
    }
}

/// What a measuring program printed cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// No JSON of that shape.
    #[error("what the measuring program printed is not a measurement")]
    Json(#[source] serde_json::Error),
    /// Another measurement.
    #[error("no measurement is called `{0}`")]
    Bench(String),
    /// A row without a usable sample.
    #[error("`{operation}` at size {size} holds no usable sample")]
    Samples {
        /// The row's operation.
        operation: String,
        /// The row's size.
        size: u64,
    },
}
