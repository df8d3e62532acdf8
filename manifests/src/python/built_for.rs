//! The ROCm that a wheel says it was built for, in the Summary of its metadata.
//!
//! JAX's plugins end their summary in `(ROCm:7.14.0)`, `(ROCm: Legacy ROCm 7.2.0)` or
//! `(ROCm:unknown)`. "Unknown" and saying nothing are two facts, and neither proves anything.

use serde::{Deserialize, Serialize};

use crate::version::RocmVersion;

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
        let Some((_, stated)) = summary.split_once("(ROCm:") else { return Self::Silent };
        let words = || stated.split([' ', '(', ')']).filter(|word| !word.is_empty());
        if let Some(release) = words().find(|word| is_release(word)) {
            Self::Release(release.to_owned())
        } else if words().next() == Some("unknown") {
            Self::Unknown
        } else {
            Self::Silent
        }
    }

    /// The release that it states, for a comparison on X.Y.
    pub fn release(&self) -> Option<RocmVersion> {
        match self {
            Self::Release(release) => release.parse().ok(),
            Self::Unknown | Self::Silent => None,
        }
    }
}

/// Numbers joined by dots, at least two.
fn is_release(word: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    word.contains('.') && word.split('.').all(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_read_as_published() {
        let release = |text: &str| BuiltFor::Release(text.to_owned());
        let read = BuiltFor::of_summary;
        // jax-rocm7-plugin 0.6.0, 0.9.1.post1, 0.10.0, 0.10.1, 0.12.0; jax-rocm10-plugin 0.12.0.
        assert_eq!(read("JAX Plugin for AMD GPUs (ROCm:7.0)"), release("7.0"));
        assert_eq!(read("JAX Plugin for AMD GPUs (ROCm:7.2.0)"), release("7.2.0"));
        assert_eq!(read("JAX Plugin for AMD GPUs (ROCm: Legacy ROCm 7.2.0)"), release("7.2.0"));
        assert_eq!(read("JAX Plugin for AMD GPUs (ROCm:unknown)"), BuiltFor::Unknown);
        assert_eq!(read("JAX Plugin for AMD GPUs (ROCm:7.14.0)"), release("7.14.0"));
        assert_eq!(read("JAX Plugin for AMD GPUs (ROCm:10.1.0)"), release("10.1.0"));
        // As it is quoted elsewhere.
        assert_eq!(read("JAX Plugin (ROCm:7.2.0 (legacy build))"), release("7.2.0"));
        assert_eq!(read("NumPy & SciPy for GPU"), BuiltFor::Silent);
        assert_eq!(read("Tools for ROCm: version 1.0"), BuiltFor::Silent);
        assert_eq!(read("Plugin (ROCm:)"), BuiltFor::Silent);
        assert_eq!(release("7.0").release(), Some(RocmVersion::new(7, 0, 0)));
        assert_eq!(BuiltFor::Unknown.release(), None);
    }
}
