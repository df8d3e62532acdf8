//! What a target is, below ROCm: operating system, processor, C library.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::version::Dotted;

/// The families that rocmenv builds environments for. WSL is Linux with a flag beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OsFamily {
    /// Linux, bare, in a container or under WSL.
    Linux,
    /// Native Windows.
    Windows,
}

impl Default for OsFamily {
    /// The family that this program was built for.
    fn default() -> Self {
        if cfg!(windows) { Self::Windows } else { Self::Linux }
    }
}

/// An operating system release: `ubuntu-24.04`, `debian-12`, `rhel-9.6`, `windows-11-25H2`.
///
/// The distribution is the `ID` of os-release; a release that is not said is `None`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OsRelease {
    /// `ubuntu`, `debian`, `rhel`, `sles`, `windows` ...
    pub distribution: String,
    /// `24.04`, `12`, `9.6`, `11-25H2`.
    pub version: Option<String>,
}

impl OsRelease {
    /// The family that this release belongs to.
    pub fn family(&self) -> OsFamily {
        if self.distribution == "windows" { OsFamily::Windows } else { OsFamily::Linux }
    }
}

impl fmt::Display for OsRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            Some(version) => write!(f, "{}-{version}", self.distribution),
            None => f.write_str(&self.distribution),
        }
    }
}

/// The text names no operating system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an operating system (such as `ubuntu-24.04` or `windows-11-25H2`)")]
pub struct OsError(String);

impl FromStr for OsRelease {
    type Err = OsError;

    fn from_str(text: &str) -> Result<Self, OsError> {
        // a distribution may have a hyphen itself (`opensuse-leap`): its version begins with a digit
        let digit_follows = |at: &usize| text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
        let split = text.match_indices('-').map(|(at, _)| at).find(digit_follows);
        let (name, version) = match split {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let named =
            |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'.');
        let valid = !name.is_empty() && name.bytes().all(named) && !name.ends_with('-');
        if !valid {
            return Err(OsError(text.to_owned()));
        }
        Ok(Self { distribution: name.to_owned(), version: version.map(str::to_owned) })
    }
}

impl TryFrom<String> for OsRelease {
    type Error = OsError;

    fn try_from(text: String) -> Result<Self, OsError> {
        text.parse()
    }
}

impl From<OsRelease> for String {
    fn from(release: OsRelease) -> Self {
        release.to_string()
    }
}

/// Processor architectures that ROCm user space is built for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Default,
)]
#[serde(rename_all = "snake_case")]
pub enum Arch {
    /// 64-bit x86.
    #[default]
    X86_64,
    /// 64-bit Arm.
    Aarch64,
}

impl Arch {
    /// Debian's name of it.
    pub fn debian(self) -> &'static str {
        match self {
            Self::X86_64 => "amd64",
            Self::Aarch64 => "arm64",
        }
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::X86_64 => "x86_64",
            Self::Aarch64 => "aarch64",
        })
    }
}

impl FromStr for Arch {
    type Err = ArchError;

    fn from_str(text: &str) -> Result<Self, ArchError> {
        match text {
            "x86_64" | "amd64" | "AMD64" => Ok(Self::X86_64),
            "aarch64" | "arm64" => Ok(Self::Aarch64),
            _ => Err(ArchError(text.to_owned())),
        }
    }
}

/// The text names no architecture that ROCm is built for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an architecture that ROCm is built for (`x86_64`, `aarch64`)")]
pub struct ArchError(String);

/// A C library with its version (`glibc 2.36`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind", content = "version")]
pub enum Libc {
    /// GNU libc.
    Glibc(Dotted),
    /// musl.
    Musl(Dotted),
}

impl fmt::Display for Libc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Glibc(version) => write!(f, "glibc {version}"),
            Self::Musl(version) => write!(f, "musl {version}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_split_before_its_version() {
        let parts = |text: &str| {
            let release: OsRelease = text.parse().unwrap();
            assert_eq!(release.to_string(), text);
            (release.distribution, release.version)
        };
        let version = |text: &str| Some(text.to_owned());
        assert_eq!(parts("ubuntu-24.04"), ("ubuntu".to_owned(), version("24.04")));
        assert_eq!(parts("windows-11-25H2"), ("windows".to_owned(), version("11-25H2")));
        assert_eq!(parts("opensuse-leap-15.6"), ("opensuse-leap".to_owned(), version("15.6")));
        assert_eq!(parts("arch"), ("arch".to_owned(), None));
        assert!("Ubuntu 24.04".parse::<OsRelease>().is_err());
        assert!("-24.04".parse::<OsRelease>().is_err());
        assert!("ubuntu-".parse::<OsRelease>().is_err());
    }
}
