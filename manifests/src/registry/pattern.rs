//! Patterns that rows use to name releases, drivers and systems: `7.2.1`, `7.2.x`, `6.4.0-6.4.3`,
//! `any`.
//!
//! Only text and numbers here: this file is also compiled into the build script, which checks the
//! data with it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A set of dotted numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Pattern {
    /// `any`.
    Any,
    /// One version; missing parts are zero.
    Exact(Vec<u32>),
    /// `7.2.x`: all that begin so.
    Series(Vec<u32>),
    /// `6.4.0-6.4.3`: both ends included.
    Range(Vec<u32>, Vec<u32>),
}

/// A pattern of ROCm releases.
pub type ReleasePattern = Pattern;

/// A pattern of driver releases (AMD's release numbers, never module versions).
pub type DriverPattern = Pattern;

impl Pattern {
    /// Whether the version with these parts is in the set.
    pub fn contains(&self, parts: &[u32]) -> bool {
        match self {
            Self::Any => true,
            Self::Exact(own) => significant(own) == significant(parts),
            Self::Series(own) => (0..own.len()).all(|at| own[at] == part(parts, at)),
            Self::Range(low, high) => {
                significant(low) <= significant(parts) && significant(parts) <= significant(high)
            }
        }
    }

    /// Whether every version of `self` is also in `other`.
    pub fn within(&self, other: &Self) -> bool {
        match (self, other) {
            (_, Self::Any) => true,
            (Self::Series(own), Self::Series(wide)) => {
                wide.len() <= own.len() && own[..wide.len()] == wide[..]
            }
            (Self::Any | Self::Series(_), _) => false,
            (Self::Exact(own), _) => other.contains(own),
            (Self::Range(low, high), _) => other.contains(low) && other.contains(high),
        }
    }

    /// The lowest version that the pattern names, empty for `any`.
    pub fn lowest(&self) -> &[u32] {
        match self {
            Self::Any => &[],
            Self::Exact(parts) | Self::Series(parts) | Self::Range(parts, _) => parts,
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.pad("any"),
            Self::Exact(parts) => f.pad(&join(parts)),
            Self::Series(parts) => f.pad(&format!("{}.x", join(parts))),
            Self::Range(low, high) => f.pad(&format!("{}-{}", join(low), join(high))),
        }
    }
}

/// The text is no pattern of versions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a version pattern (such as `7.2.1`, `7.2.x`, `6.4.0-6.4.3` or `any`)")]
pub struct PatternError(String);

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let pattern = if text == "any" {
            Some(Self::Any)
        } else if let Some((low, high)) = text.split_once('-') {
            numbers(low).zip(numbers(high)).map(|(low, high)| Self::Range(low, high))
        } else if let Some(series) = text.strip_suffix(".x") {
            numbers(series).map(Self::Series)
        } else {
            numbers(text).map(Self::Exact)
        };
        pattern.ok_or_else(|| PatternError(text.to_owned()))
    }
}

impl TryFrom<String> for Pattern {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Self, PatternError> {
        text.parse()
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.to_string()
    }
}

/// The ROCm that a wheel was built for, as far as it says.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum BuiltFor {
    /// The wheel says `unknown`, or nothing: no proof for any release.
    Unknown,
    /// X.Y or X.Y.Z as written.
    Release(Vec<u32>),
}

impl BuiltFor {
    /// X and Y, on which "built for" is compared.
    pub fn series(&self) -> Option<(u32, u32)> {
        match self {
            Self::Unknown => None,
            Self::Release(parts) => Some((part(parts, 0), part(parts, 1))),
        }
    }
}

impl fmt::Display for BuiltFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.pad("unknown"),
            Self::Release(parts) => f.pad(&join(parts)),
        }
    }
}

impl TryFrom<String> for BuiltFor {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Self, PatternError> {
        if text == "unknown" {
            return Ok(Self::Unknown);
        }
        numbers(&text).map(Self::Release).ok_or(PatternError(text))
    }
}

impl From<BuiltFor> for String {
    fn from(built: BuiltFor) -> Self {
        built.to_string()
    }
}

/// The numbers of a dotted text, `None` where it holds anything else.
pub fn numbers(text: &str) -> Option<Vec<u32>> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    text.split('.').map(|part| digits(part).then(|| part.parse().ok()).flatten()).collect()
}

fn part(parts: &[u32], at: usize) -> u32 {
    parts.get(at).copied().unwrap_or(0)
}

fn significant(parts: &[u32]) -> &[u32] {
    let end = parts.iter().rposition(|&part| part != 0).map_or(0, |at| at + 1);
    &parts[..end]
}

fn join(parts: &[u32]) -> String {
    let parts: Vec<_> = parts.iter().map(u32::to_string).collect();
    parts.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(pattern: &str, version: &str) -> bool {
        pattern.parse::<Pattern>().unwrap().contains(&numbers(version).unwrap())
    }

    #[test]
    fn patterns_hold_what_they_say() {
        assert!(contains("7.2.x", "7.2.4"));
        assert!(contains("7.2.x", "7.2"));
        assert!(!contains("7.1.x", "7.14.0"));
        assert!(contains("10.x", "10.1.0"));
        assert!(contains("10.0.0", "10.0"));
        assert!(contains("6.4.0-6.4.3", "6.4.3"));
        assert!(!contains("6.4.0-6.4.3", "6.4.4"));
        assert!(contains("any", "1.0"));
        for text in ["", "7.x.1", "x", "7.2.", "seven"] {
            assert!(text.parse::<Pattern>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_pattern_lies_within_a_wider_one() {
        let within =
            |a: &str, b: &str| a.parse::<Pattern>().unwrap().within(&b.parse::<Pattern>().unwrap());
        assert!(within("6.4.x", "6.4.x"));
        assert!(within("6.4.x", "6.x"));
        assert!(!within("6.x", "6.4.x"));
        assert!(within("6.4.1", "6.4.0-6.4.3"));
        assert!(!within("any", "6.x"));
    }
}
