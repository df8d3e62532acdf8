//! The ROCm that a wheel says it was built for, in the Summary of its metadata.
//!
//! JAX's plugins end their summary in `(ROCm:7.2.0 (legacy build))`, `(ROCm:unknown)` and the
//! like. "Unknown" and saying nothing are two facts, and neither proves anything.

use serde::{Deserialize, Serialize};

/// What a Summary says of the ROCm that the wheel was built for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BuiltFor {
    /// A release (`7.2.0`, `7.0`), as written.
    Release(String),
    /// It says that it does not know.
    Unknown,
    /// It says nothing of ROCm.
    Silent,
}

impl BuiltFor {
    /// Reads a Summary.
    pub fn of_summary(summary: &str) -> Self {
        let Some((_, rest)) = summary.split_once("ROCm:") else { return Self::Silent };
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        match rest[..end].trim_end_matches('.') {
            "" if rest.starts_with("unknown") => Self::Unknown,
            "" => Self::Silent,
            release => Self::Release(release.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_read_as_published() {
        let release = |text: &str| BuiltFor::Release(text.to_owned());
        let read = BuiltFor::of_summary;
        assert_eq!(read("JAX Plugin for AMD GPUs (ROCm:7.2.0 (legacy build))"), release("7.2.0"));
        assert_eq!(read("JAX Plugin for AMD GPUs (ROCm:10.1.0)"), release("10.1.0"));
        assert_eq!(read("JAX XLA PJRT Plugin for AMD GPUs (ROCm:7.0)"), release("7.0"));
        assert_eq!(read("JAX XLA PJRT Plugin for AMD GPUs (ROCm:unknown)"), BuiltFor::Unknown);
        assert_eq!(read("NumPy & SciPy for GPU"), BuiltFor::Silent);
        assert_eq!(read("Tools for ROCm: a collection"), BuiltFor::Silent);
    }
}
