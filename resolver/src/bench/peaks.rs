//! Published peaks of a GPU, where a document gives one.

use rocmenv_manifests::registry::Registry;
use serde::Serialize;

use super::measurement::{Bench, Row};

/// A peak with where it was published.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Published {
    /// In the row's own unit a second: bytes or operations.
    pub per_second: f64,
    /// The metric's name in the registry.
    pub metric: String,
    /// The key of its source.
    pub source: String,
}

/// The published peak that a row may be compared with: memory bandwidth for copies within a
/// device (a copy moves each byte twice, so that its peak is half of it), matrix rates by type.
/// None where no document gives one for this product.
pub fn published(registry: &Registry, product: &str, bench: Bench, row: &Row) -> Option<Published> {
    let (metric, scale) = match (bench, row.operation.as_str()) {
        (Bench::Memory, "device-to-device") => ("memory-bandwidth", 1e9 / 2.0),
        (Bench::Matmul, "float32") => ("fp32-matrix", 1e12),
        (Bench::Matmul, "float16") => ("fp16-matrix", 1e12),
        (Bench::Matmul, "bfloat16") => ("bf16-matrix", 1e12),
        (Bench::Matmul, "float8_e4m3fn" | "float8_e4m3fnuz") => ("fp8-matrix", 1e12),
        _ => return None,
    };
    let names_it = |gpu: &str| {
        let model = |name: &str| name.rsplit(' ').next().unwrap_or_default().to_ascii_uppercase();
        gpu.eq_ignore_ascii_case(product) || model(gpu) == model(product)
    };
    let row = registry
        .peaks()
        .peak
        .iter()
        .find(|peak| peak.metric == metric && names_it(&peak.gpu) && peak.value.is_some())?;
    Some(Published {
        per_second: row.value? * scale,
        metric: metric.to_owned(),
        source: row.source.to_string(),
    })
}
