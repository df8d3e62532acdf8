//! The fingerprint of a key that somebody vouched for, in full: the short ends of fingerprints can
//! be made at will.

use std::fmt;
use std::str::FromStr;

/// The fingerprint of an OpenPGP key (RFC 9580, section 5.5.4): 40 hexadecimal digits, or 64.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(String);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text is no whole fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no whole fingerprint of a key, which has 40 or 64 hexadecimal digits")]
pub struct FingerprintError(String);

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    /// Blanks and colons between digits are how people write them.
    fn from_str(text: &str) -> Result<Self, FingerprintError> {
        let digits: String = text.chars().filter(|c| !c.is_whitespace() && *c != ':').collect();
        let is_whole = matches!(digits.len(), 40 | 64);
        if is_whole && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            Ok(Self(digits.to_ascii_uppercase()))
        } else {
            Err(FingerprintError(text.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_fingerprints_count() {
        let whole = "CA8B B472 7A47 B4D0 9B4E  E896 9386 B48A 1A69 3C5C";
        let read: Fingerprint = whole.parse().unwrap();
        assert_eq!(read.to_string(), "CA8BB4727A47B4D09B4EE8969386B48A1A693C5C");
        for text in ["", "1A693C5C", "9386B48A1A693C5C", "ZZ8BB4727A47B4D09B4EE8969386B48A1A693C5C"]
        {
            assert!(text.parse::<Fingerprint>().is_err(), "{text}");
        }
    }
}
