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
    // Drivers add words behind the product's name (`... VF`); the last word alone would not tell
    // cards apart (`XT`).
    let product = product.to_ascii_lowercase();
    let names_it = |gpu: &str| {
        let rest = product.strip_prefix(&gpu.to_ascii_lowercase());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
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

#[cfg(test)]
mod tests {
    use super::super::measurement::Rate;
    use super::*;

    #[test]
    fn a_peak_is_of_the_named_product_alone() {
        let row = Row {
            operation: "bfloat16".to_owned(),
            size: 4096,
            rate: Rate::Operations,
            work: 1.0,
            bus_factor: None,
            seconds: vec![1.0],
        };
        let registry = Registry::embedded();
        let peak = |product: &str| published(&registry, product, Bench::Matmul, &row);
        assert_eq!(peak("AMD Instinct MI300X VF"), peak("AMD Instinct MI300X"));
        assert!(peak("AMD Instinct MI300X").is_some());
        assert_eq!(peak("AMD Instinct MI300XL"), None);
        assert_eq!(peak("AMD Radeon RX 7900 XT"), None);
    }
}
