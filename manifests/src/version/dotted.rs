//! Dotted numbers: drivers, kernels, libcs. Missing parts count as zero (31.50 is 31.50.0).

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A version of one to five numbers. `31.50` and `31.50.0` are equal, and print as written.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Dotted(Vec<u32>);

impl Dotted {
    /// A version of two parts, such as a libc's.
    pub fn new(major: u32, minor: u32) -> Self {
        Self(vec![major, minor])
    }

    /// The parts as written.
    pub fn parts(&self) -> &[u32] {
        &self.0
    }

    /// Part `at`, zero where none was written.
    pub fn part(&self, at: usize) -> u32 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// Whether this version begins with the written parts of `prefix` (`30.20.1` with `30.20`).
    pub fn starts_with(&self, prefix: &Self) -> bool {
        (0..prefix.0.len()).all(|at| self.part(at) == prefix.part(at))
    }

    /// The leading number of a longer text: `6.8.0-45-generic` is `6.8.0`.
    pub fn leading(text: &str) -> Option<Self> {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        text[..end].trim_end_matches('.').parse().ok()
    }

    fn significant(&self) -> &[u32] {
        let end = self.0.iter().rposition(|&part| part != 0).map_or(0, |at| at + 1);
        &self.0[..end]
    }
}

impl PartialEq for Dotted {
    fn eq(&self, other: &Self) -> bool {
        self.significant() == other.significant()
    }
}

impl Eq for Dotted {}

impl Hash for Dotted {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.significant().hash(state);
    }
}

impl Ord for Dotted {
    fn cmp(&self, other: &Self) -> Ordering {
        self.significant().cmp(other.significant())
    }
}

impl PartialOrd for Dotted {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dotted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<_> = self.0.iter().map(u32::to_string).collect();
        f.pad(&parts.join("."))
    }
}

/// The text is no dotted number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a version of dotted numbers (such as `30.20.1`)")]
pub struct DottedError(String);

impl FromStr for Dotted {
    type Err = DottedError;

    fn from_str(text: &str) -> Result<Self, DottedError> {
        let number = |part: &str| {
            let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| part.parse().ok()).flatten()
        };
        let parts: Option<Vec<u32>> = text.split('.').map(number).collect();
        match parts {
            Some(parts) if parts.len() <= 5 => Ok(Self(parts)),
            _ => Err(DottedError(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Dotted {
    type Error = DottedError;

    fn try_from(text: String) -> Result<Self, DottedError> {
        text.parse()
    }
}

impl From<Dotted> for String {
    fn from(version: Dotted) -> Self {
        version.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_parts_are_zero_and_order_is_numeric() {
        let version = |text: &str| text.parse::<Dotted>().unwrap();
        assert_eq!(version("31.50"), version("31.50.0"));
        assert!(version("7.10") > version("7.9.5"));
        assert!(version("30.20.1").starts_with(&version("30.20")));
        assert!(!version("30.2").starts_with(&version("30.20")));
        assert_eq!(Dotted::leading("6.8.0-45-generic"), Some(version("6.8")));
        assert!("6..8".parse::<Dotted>().is_err());
    }
}
