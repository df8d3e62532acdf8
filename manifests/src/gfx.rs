//! A GPU's instruction set, as LLVM names it (`gfx90a`, `gfx1100`).
//!
//! The name is the truth that KFD reports as a number; marketing names, GC IP versions and
//! node names are not (see `from_kfd`).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One gfx target: `gfx` + major (decimal) + minor (hex digit) + stepping (hex digit).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GfxTarget {
    major: u8,
    minor: u8,
    stepping: u8,
}

impl GfxTarget {
    /// Decodes the line `gfx_target_version` of a KFD topology node:
    /// `major * 10000 + minor * 100 + stepping` in decimal; the name then writes minor and
    /// stepping as hexadecimal digits (90010 is `gfx90a`, 90402 is `gfx942`, 120001 is `gfx1201`).
    ///
    /// `None` for 0 (a CPU node) and for numbers that no name can be written for.
    pub fn from_kfd(gfx_target_version: u32) -> Option<Self> {
        let major = u8::try_from(gfx_target_version / 10_000).ok()?;
        let minor = u8::try_from(gfx_target_version / 100 % 100).ok()?;
        let stepping = u8::try_from(gfx_target_version % 100).ok()?;
        (major > 0 && minor < 16 && stepping < 16).then_some(Self { major, minor, stepping })
    }

    /// The number that KFD would report for this target.
    pub fn to_kfd(self) -> u32 {
        u32::from(self.major) * 10_000 + u32::from(self.minor) * 100 + u32::from(self.stepping)
    }

    /// The generation, 9 for `gfx90a` and 11 for `gfx1151`.
    pub fn major(self) -> u8 {
        self.major
    }

    /// The minor number, 0 for `gfx90a` and 5 for `gfx1151`.
    pub fn minor(self) -> u8 {
        self.minor
    }

    /// The stepping, 10 for `gfx90a`.
    pub fn stepping(self) -> u8 {
        self.stepping
    }
}

impl fmt::Display for GfxTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "gfx{}{:x}{:x}", self.major, self.minor, self.stepping)
    }
}

/// The text is no gfx target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a gfx target (such as `gfx90a` or `gfx1100`)")]
pub struct GfxError(String);

impl FromStr for GfxTarget {
    type Err = GfxError;

    fn from_str(text: &str) -> Result<Self, GfxError> {
        parse(text).ok_or_else(|| GfxError(text.to_owned()))
    }
}

impl TryFrom<String> for GfxTarget {
    type Error = GfxError;

    fn try_from(text: String) -> Result<Self, GfxError> {
        text.parse()
    }
}

impl From<GfxTarget> for String {
    fn from(target: GfxTarget) -> Self {
        target.to_string()
    }
}

fn parse(text: &str) -> Option<GfxTarget> {
    let digits = text.strip_prefix("gfx")?;
    if digits.len() < 3 || !digits.is_ascii() || digits.bytes().any(|b| b.is_ascii_uppercase()) {
        return None;
    }
    let (major, rest) = digits.split_at(digits.len() - 2);
    if major.starts_with('0') || !major.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let hex = |at: usize| u8::from_str_radix(rest.get(at..=at)?, 16).ok();
    Some(GfxTarget { major: major.parse().ok()?, minor: hex(0)?, stepping: hex(1)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kfd_numbers_become_names_with_hex_minor_and_stepping() {
        for (number, name) in [
            (90_000, "gfx900"),
            (90_010, "gfx90a"),
            (90_012, "gfx90c"),
            (90_402, "gfx942"),
            (90_500, "gfx950"),
            (100_300, "gfx1030"),
            (110_501, "gfx1151"),
            (120_001, "gfx1201"),
        ] {
            let target = GfxTarget::from_kfd(number).expect(name);
            assert_eq!(target.to_string(), name);
            assert_eq!(target.to_kfd(), number);
            assert_eq!(name.parse::<GfxTarget>(), Ok(target));
        }
        assert_eq!(GfxTarget::from_kfd(0), None);
    }

    #[test]
    fn what_is_no_target_is_refused() {
        for text in ["gfx", "gfx9", "GFX90a", "gfx90A", "gfx9010x", "90a", "gfx-90a", "gfx01100"] {
            assert!(text.parse::<GfxTarget>().is_err(), "{text}");
        }
    }
}
