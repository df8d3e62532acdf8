//! What a machine is for, and what that takes.

use std::fmt;
use std::str::FromStr;

/// A workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Workload {
    /// Training on one GPU.
    SingleGpuTraining,
    /// Training on several.
    MultiGpuTraining,
    /// Inference of a language model.
    Inference {
        /// Parameters, in millions.
        millions: u64,
        /// Of what size each is.
        precision: Precision,
    },
}

/// The size of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// 32 bits.
    Fp32,
    /// 16 bits (fp16, bf16).
    Fp16,
    /// 8 bits (fp8, int8).
    Fp8,
    /// 4 bits (int4, fp4).
    Int4,
}

impl Workload {
    /// Bytes of GPU memory for a model's weights and a fifth more for cache and activations; a
    /// long context takes more. `None` for workloads without a given model.
    pub fn memory(&self) -> Option<u64> {
        let Self::Inference { millions, precision } = self else { return None };
        let bits = match precision {
            Precision::Fp32 => 32,
            Precision::Fp16 => 16,
            Precision::Fp8 => 8,
            Precision::Int4 => 4,
        };
        Some(millions.saturating_mul(1_000_000) / 8 * bits / 10 * 12)
    }

    /// Its name in the registry's rows.
    pub fn key(&self) -> &'static str {
        match self {
            Self::SingleGpuTraining => "single-gpu-training",
            Self::MultiGpuTraining => "multi-gpu-training",
            Self::Inference { .. } => "inference",
        }
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inference { millions, precision } => {
                let precision = match precision {
                    Precision::Fp32 => "fp32",
                    Precision::Fp16 => "fp16",
                    Precision::Fp8 => "fp8",
                    Precision::Int4 => "int4",
                };
                if millions % 1000 == 0 {
                    write!(f, "inference:{}B@{precision}", millions / 1000)
                } else {
                    write!(f, "inference:{millions}M@{precision}")
                }
            }
            other => f.write_str(other.key()),
        }
    }
}

/// The text names no workload.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no workload: single-gpu-training, multi-gpu-training, or inference:SIZE@PRECISION \
     (inference:70B@fp16; fp32, fp16, bf16, fp8, int8, int4)"
)]
pub struct WorkloadError(String);

impl FromStr for Workload {
    type Err = WorkloadError;

    fn from_str(text: &str) -> Result<Self, WorkloadError> {
        match text {
            "single-gpu-training" => return Ok(Self::SingleGpuTraining),
            "multi-gpu-training" => return Ok(Self::MultiGpuTraining),
            _ => {}
        }
        let parsed = || {
            let model = text.strip_prefix("inference:")?;
            let (size, precision) = model.split_once('@').unwrap_or((model, "fp16"));
            let precision = match precision {
                "fp32" => Precision::Fp32,
                "fp16" | "bf16" => Precision::Fp16,
                "fp8" | "int8" => Precision::Fp8,
                "int4" | "fp4" => Precision::Int4,
                _ => return None,
            };
            let (number, factor) = match size.strip_suffix(['B', 'b']) {
                Some(number) => (number, 1000_u64),
                None => (size.strip_suffix(['M', 'm'])?, 1),
            };
            let (whole, tenths) = number.split_once('.').unwrap_or((number, "0"));
            let tenths: u64 = tenths.get(..1)?.parse().ok()?;
            let millions = whole.parse::<u64>().ok()?.checked_mul(factor)? + tenths * factor / 10;
            (millions > 0).then_some(Self::Inference { millions, precision })
        };
        parsed().ok_or_else(|| WorkloadError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_takes_its_weights_and_a_fifth() {
        let workload: Workload = "inference:70B@fp16".parse().unwrap();
        assert_eq!(workload.memory(), Some(168_000_000_000));
        assert_eq!(workload.to_string(), "inference:70B@fp16");
        let small: Workload = "inference:1.5B@int4".parse().unwrap();
        assert_eq!(small.memory(), Some(900_000_000));
        for text in ["inference", "inference:70", "inference:0B", "inference:7B@fp17", "games"] {
            assert!(text.parse::<Workload>().is_err(), "{text}");
        }
    }
}
