//! A ROCm release: semver, with the pre-release forms that TheRock publishes.

use std::fmt;
use std::str::FromStr;

use semver::Prerelease;
use serde::{Deserialize, Serialize};

use super::Dotted;

/// A ROCm release. `7.2` is read as 7.2.0; `10.1.0rc1` and `7.15.0a20260801` (TheRock's way of
/// writing) become the semver pre-releases `10.1.0-rc.1` and `7.15.0-a.20260801`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RocmVersion(semver::Version);

impl RocmVersion {
    /// A plain release.
    pub fn new(major: u64, minor: u64, patch: u64) -> Self {
        Self(semver::Version::new(major, minor, patch))
    }

    /// The release as semver.
    pub fn semver(&self) -> &semver::Version {
        &self.0
    }

    /// X.Y, on which "built for" is compared.
    pub fn series(&self) -> Series {
        Series { major: self.0.major, minor: self.0.minor }
    }

    /// Whether this is a candidate, nightly or development build.
    pub fn is_prerelease(&self) -> bool {
        !self.0.pre.is_empty()
    }

    /// The three numbers.
    pub fn dotted(&self) -> Dotted {
        let part = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).to_string();
        let text = [self.0.major, self.0.minor, self.0.patch].map(part).join(".");
        text.parse().unwrap_or_else(|_| Dotted::new(0, 0))
    }
}

impl fmt::Display for RocmVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

/// The X.Y of a ROCm release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Series {
    /// X.
    pub major: u64,
    /// Y.
    pub minor: u64,
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{}", self.major, self.minor))
    }
}

impl FromStr for Series {
    type Err = RocmVersionError;

    fn from_str(text: &str) -> Result<Self, RocmVersionError> {
        Ok(text.parse::<RocmVersion>()?.series())
    }
}

impl TryFrom<String> for Series {
    type Error = RocmVersionError;

    fn try_from(text: String) -> Result<Self, RocmVersionError> {
        text.parse()
    }
}

impl From<Series> for String {
    fn from(series: Series) -> Self {
        series.to_string()
    }
}

/// The text is no ROCm release.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a ROCm release (such as `7.2.4` or `10.1.0`)")]
pub struct RocmVersionError(String);

impl FromStr for RocmVersion {
    type Err = RocmVersionError;

    fn from_str(text: &str) -> Result<Self, RocmVersionError> {
        parse(text).map(Self).ok_or_else(|| RocmVersionError(text.to_owned()))
    }
}

impl TryFrom<String> for RocmVersion {
    type Error = RocmVersionError;

    fn try_from(text: String) -> Result<Self, RocmVersionError> {
        text.parse()
    }
}

impl From<RocmVersion> for String {
    fn from(version: RocmVersion) -> Self {
        version.to_string()
    }
}

fn parse(text: &str) -> Option<semver::Version> {
    if let Ok(version) = semver::Version::parse(text) {
        return version.build.is_empty().then_some(version);
    }
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (numbers, suffix) = text.split_at(end);
    let parts: Vec<u64> = numbers
        .trim_end_matches('.')
        .split('.')
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    let (major, minor, patch) = match parts[..] {
        [major, minor] => (major, minor, 0),
        [major, minor, patch] => (major, minor, patch),
        _ => return None,
    };
    let mut version = semver::Version::new(major, minor, patch);
    if !suffix.is_empty() {
        version.pre = prerelease(suffix)?;
    }
    Some(version)
}

/// `rc1` -> `rc.1`, `a20260801` -> `a.20260801`, `dev0` -> `dev.0`.
fn prerelease(suffix: &str) -> Option<Prerelease> {
    let digits = suffix.find(|c: char| c.is_ascii_digit())?;
    let (word, number) = suffix.split_at(digits);
    let plain = word.bytes().all(|b| b.is_ascii_lowercase()) && !word.is_empty();
    let number: u64 = number.parse().ok()?;
    plain.then(|| Prerelease::new(&format!("{word}.{number}")).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_order_as_numbers_and_candidates_come_before() {
        let version = |text: &str| text.parse::<RocmVersion>().unwrap();
        assert!(version("10.0.0") > version("7.14.1"));
        assert!(version("10.1.0rc1") < version("10.1.0"));
        assert!(version("10.1.0rc2") < version("10.1.0rc10"));
        assert_eq!(version("7.2"), version("7.2.0"));
        assert_eq!(version("7.15.0a20260801").to_string(), "7.15.0-a.20260801");
        assert_eq!(version("7.2.4").series().to_string(), "7.2");
        assert!("7".parse::<RocmVersion>().is_err());
        assert!("7.x".parse::<RocmVersion>().is_err());
    }
}
