//! An operating system as questions and rows name it.

use crate::platform::{OsFamily, OsRelease};

use super::super::rows::support::{Platform, SystemName};

/// An operating system as a question names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct System {
    /// The release; for WSL the distribution inside.
    pub os: OsRelease,
    /// Whether it runs under WSL2.
    pub wsl: bool,
}

impl System {
    /// The platform that gfx tables speak of.
    pub fn platform(&self) -> Platform {
        match self.os.family() {
            _ if self.wsl => Platform::Wsl,
            OsFamily::Windows => Platform::Windows,
            OsFamily::Linux => Platform::Linux,
        }
    }

    /// Whether a row's system is this one. A release that is said less exactly than the row
    /// (`ubuntu-24.04` and `ubuntu-24.04.4`) is.
    pub(super) fn is(&self, row: &SystemName) -> bool {
        if self.wsl != row.is_wsl() || self.os.distribution != row.distribution() {
            return false;
        }
        let (Some(own), Some(listed)) = (self.os.version.as_deref(), row.version()) else {
            return true;
        };
        let split =
            |text: &str| -> Vec<String> { text.split(['.', '-']).map(str::to_lowercase).collect() };
        let (own, listed) = (split(own), split(listed));
        own.iter().zip(&listed).all(|(own, listed)| own == listed)
    }
}

impl std::fmt::Display for System {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.os, if self.wsl { " under WSL2" } else { "" })
    }
}
