//! Debian's version numbers in dpkg's order (Debian policy 5.6.12, deb-version(7)).
//!
//! `debversion` 0.5 takes the text apart. The order is our own: that crate puts 1.0a before
//! 1.0a0 where dpkg calls them equal (an absent number is zero), and equal versions must have
//! equal hashes.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// `[epoch:]upstream[-revision]`; prints as written. `1.0`, `0:1.0` and `1.0-0` are equal.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DebVersion(debversion::Version);

impl DebVersion {
    /// The upstream part: `5.2.3` of `1:5.2.3-8+b1`.
    pub fn upstream(&self) -> &str {
        &self.0.upstream_version
    }

    fn epoch(&self) -> u32 {
        self.0.epoch.unwrap_or(0)
    }

    fn revision(&self) -> &str {
        self.0.debian_revision.as_deref().unwrap_or_default()
    }
}

/// The text is no Debian version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a Debian version")]
pub struct DebVersionError(String);

impl FromStr for DebVersion {
    type Err = DebVersionError;

    fn from_str(text: &str) -> Result<Self, DebVersionError> {
        // dpkg refuses an empty revision, which `debversion` reads as part of the upstream.
        let parsed = if text.ends_with('-') { None } else { text.parse().ok() };
        parsed.map(Self).ok_or_else(|| DebVersionError(text.to_owned()))
    }
}

impl Ord for DebVersion {
    fn cmp(&self, other: &Self) -> Ordering {
        self.epoch()
            .cmp(&other.epoch())
            .then_with(|| compare(self.0.upstream_version.as_bytes(), other.upstream().as_bytes()))
            .then_with(|| compare(self.revision().as_bytes(), other.revision().as_bytes()))
    }
}

/// One part: runs of other characters and runs of digits by turns.
fn compare(left: &[u8], right: &[u8]) -> Ordering {
    let (mut left, mut right) = (left, right);
    while !left.is_empty() || !right.is_empty() {
        let words = (take_word(&mut left), take_word(&mut right));
        let numbers = (take_number(&mut left), take_number(&mut right));
        let by_word = || compare_words(words.0, words.1);
        let by_number =
            || numbers.0.len().cmp(&numbers.1.len()).then_with(|| numbers.0.cmp(numbers.1));
        match by_word().then_with(by_number) {
            Ordering::Equal => {}
            unequal => return unequal,
        }
    }
    Ordering::Equal
}

fn take_word<'t>(text: &mut &'t [u8]) -> &'t [u8] {
    let end = text.iter().position(u8::is_ascii_digit).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    *text = rest;
    word
}

/// The digits without leading zeros, so that an absent number is like zero.
fn take_number<'t>(text: &mut &'t [u8]) -> &'t [u8] {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    *text = rest;
    let zeros = number.iter().take_while(|&&byte| byte == b'0').count();
    &number[zeros..]
}

/// `~` before the end, the end before letters, letters before all else.
fn compare_words(left: &[u8], right: &[u8]) -> Ordering {
    let weight = |word: &[u8], at: usize| match word.get(at) {
        Some(b'~') => -1,
        None => 0,
        Some(&byte) if byte.is_ascii_alphabetic() => i32::from(byte),
        Some(&byte) => i32::from(byte) + 256,
    };
    let length = left.len().max(right.len());
    (0..length)
        .map(|at| weight(left, at).cmp(&weight(right, at)))
        .find(|it| it.is_ne())
        .unwrap_or(Ordering::Equal)
}

impl PartialOrd for DebVersion {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for DebVersion {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for DebVersion {}

impl Hash for DebVersion {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.epoch().hash(state);
        for part in [self.upstream(), self.revision()] {
            let mut rest = part.as_bytes();
            while !rest.is_empty() {
                let (word, number) = (take_word(&mut rest), take_number(&mut rest));
                // A last turn of nothing is equal to no turn at all.
                if !word.is_empty() || !number.is_empty() {
                    (word, number).hash(state);
                }
            }
            state.write_u8(0);
        }
    }
}

impl fmt::Display for DebVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

impl fmt::Debug for DebVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DebVersion({})", self.0)
    }
}

impl TryFrom<String> for DebVersion {
    type Error = DebVersionError;

    fn try_from(text: String) -> Result<Self, DebVersionError> {
        text.parse()
    }
}

impl From<DebVersion> for String {
    fn from(version: DebVersion) -> Self {
        version.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_versions_are_equal_as_dpkg_says_and_hash_alike() {
        let hash = |text: &str| {
            let mut state = std::hash::DefaultHasher::new();
            text.parse::<DebVersion>().unwrap().hash(&mut state);
            state.finish()
        };
        // Each pair was asked of `dpkg --compare-versions A eq B` (1.21.22).
        for (left, right) in [("1.0a", "1.0a0"), ("1.", "1.0"), ("0:1.0", "1.0-0"), ("1.01", "1.1")]
        {
            let version = |text: &str| text.parse::<DebVersion>().unwrap();
            assert_eq!(version(left), version(right));
            assert_eq!(hash(left), hash(right), "{left} {right}");
        }
        assert_ne!(hash("1.0"), hash("1.0-1"));
        assert_eq!("2:5.2.3-8+b1".parse::<DebVersion>().unwrap().to_string(), "2:5.2.3-8+b1");
        assert!("1.0-".parse::<DebVersion>().is_err());
    }
}
