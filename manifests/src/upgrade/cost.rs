//! What a stage and a whole path cost: reboots, bytes to download, bytes on the disk, each only as
//! far as somebody says so.
//!
//! In JSON an amount is a number only where all of it is known, else `null` with what is known of
//! it (`download-at-least`) or why nothing is (`download-gap`) beside it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a stage costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Cost {
    /// Reboots.
    pub reboots: u32,
    /// Bytes that are not on this machine yet.
    pub download: Amount,
    /// Bytes of files beside those that are there: unpacked ones, and driver packages that are
    /// kept. Compiled Python is not among them, nor is a download that stays in the cache.
    pub disk: Amount,
}

/// Bytes, as far as they are known. What is not known is never read as nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// So many.
    All(u64),
    /// So many of a part, and of the rest nobody knows.
    AtLeast(AtLeast),
    /// Nothing is known, and why.
    Unknown(Gap),
}

/// The part of an amount that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct AtLeast {
    /// Its bytes.
    pub bytes: u64,
    /// What was counted.
    pub of: Counted,
}

/// What of a stage was counted, where not everything was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// The frameworks' own wheels, without what they need.
    Frameworks,
    /// Those files of the environment of which a size is known.
    Files {
        /// How many these are.
        known: u32,
        /// How many there are.
        all: u32,
    },
    /// The environment, without the ROCm that is the host's own.
    Environment,
    /// AMD's packages of the driver, without what they need of the distribution.
    DriverPackages,
}

/// Why nothing is known of an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gap {
    /// Nobody has looked.
    #[default]
    NotAsked,
    /// No index page that lists the builds is in the cache.
    NotCached,
    /// What lists the files says no sizes.
    NoSizes,
    /// What the files unpack to was not read.
    NotRead,
    /// The distribution's package manager knows it.
    Distribution,
    /// The maker of the machine hands it out.
    Maker,
    /// AMD's list of the driver's packages is not in the cache.
    NoDriverList,
    /// An installer that the user fetches.
    Installer,
}

/// What a whole path costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TotalCost {
    /// Times that the environment is set aside.
    pub driver_only: u32,
    /// Stages that end in a state of which some pair is not known.
    pub unknown: u32,
    /// Reboots.
    pub reboots: u32,
    /// Stages.
    pub stages: u32,
    /// Stages of which not all of the download is known.
    pub unsized_stages: u32,
    /// Bytes to download that are known: all of them where no stage is without a size.
    pub download: u64,
    /// Stages of which not all of the bytes on the disk are known.
    #[serde(default)]
    pub unsized_disk_stages: u32,
    /// Bytes on the disk that are known: all of them where no stage is without a size.
    #[serde(default)]
    pub disk: u64,
}

impl Amount {
    /// Nothing at all.
    pub const NOTHING: Self = Self::All(0);

    /// The bytes that are known.
    pub fn known(self) -> u64 {
        match self {
            Self::All(bytes) | Self::AtLeast(AtLeast { bytes, .. }) => bytes,
            Self::Unknown(_) => 0,
        }
    }

    /// Whether these are all.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::All(_))
    }

    /// The same, where it is only a part that was counted.
    #[must_use]
    pub fn of_part(self, of: Counted) -> Self {
        match self {
            Self::All(bytes) => Self::AtLeast(AtLeast { bytes, of }),
            other => other,
        }
    }
}

impl Default for Amount {
    fn default() -> Self {
        Self::Unknown(Gap::NotAsked)
    }
}

impl TotalCost {
    /// The same path, once its stages are measured.
    #[must_use]
    pub fn measured<'c>(self, stages: impl IntoIterator<Item = &'c Cost>) -> Self {
        let unmeasured =
            Self { unsized_stages: 0, download: 0, unsized_disk_stages: 0, disk: 0, ..self };
        stages.into_iter().fold(unmeasured, |total, cost| Self {
            unsized_stages: total.unsized_stages + u32::from(!cost.download.is_whole()),
            download: total.download.saturating_add(cost.download.known()),
            unsized_disk_stages: total.unsized_disk_stages + u32::from(!cost.disk.is_whole()),
            disk: total.disk.saturating_add(cost.disk.known()),
            ..total
        })
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Frameworks => f.write_str("the frameworks' own wheels"),
            Self::Files { known, all } => write!(f, "{known} of {all} files"),
            Self::Environment => f.write_str("the environment, without the host's own ROCm"),
            Self::DriverPackages => f.write_str("AMD's own packages"),
        }
    }
}

impl Gap {
    /// Why, in a clause; `None` where there is nothing to say.
    pub fn clause(self) -> Option<&'static str> {
        Some(match self {
            Self::NotAsked => return None,
            Self::NotCached => "no index page with these builds is in the cache",
            Self::NoSizes => "what lists the files says no sizes",
            Self::NotRead => "what the files unpack to was not read",
            Self::Distribution => "the distribution's packages",
            Self::Maker => "the maker of the machine hands it out",
            Self::NoDriverList => "AMD's list of its packages is not in the cache",
            Self::Installer => "an installer that you fetch",
        })
    }
}

/// A cost as JSON has it. What was written before anything was measured had the numbers alone.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Written {
    reboots: u32,
    download: Option<u64>,
    disk: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    download_at_least: Option<AtLeast>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    download_gap: Option<Gap>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    disk_at_least: Option<AtLeast>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    disk_gap: Option<Gap>,
}

impl From<Written> for Cost {
    fn from(written: Written) -> Self {
        let amount = |all: Option<u64>, part: Option<AtLeast>, gap: Option<Gap>| match (all, part) {
            (Some(bytes), _) => Amount::All(bytes),
            (None, Some(part)) => Amount::AtLeast(part),
            (None, None) => Amount::Unknown(gap.unwrap_or_default()),
        };
        Self {
            reboots: written.reboots,
            download: amount(written.download, written.download_at_least, written.download_gap),
            disk: amount(written.disk, written.disk_at_least, written.disk_gap),
        }
    }
}

impl From<Cost> for Written {
    fn from(cost: Cost) -> Self {
        let parts = |amount: Amount| match amount {
            Amount::All(bytes) => (Some(bytes), None, None),
            Amount::AtLeast(part) => (None, Some(part), None),
            Amount::Unknown(gap) => (None, None, Some(gap)),
        };
        let (download, download_at_least, download_gap) = parts(cost.download);
        let (disk, disk_at_least, disk_gap) = parts(cost.disk);
        let reboots = cost.reboots;
        Self { reboots, download, disk, download_at_least, download_gap, disk_at_least, disk_gap }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_comes_back_and_one_of_an_older_journal_is_not_known() {
        let part = AtLeast { bytes: 7, of: Counted::Files { known: 1, all: 2 } };
        let cost = Cost { reboots: 1, download: Amount::AtLeast(part), disk: Amount::All(9) };
        let text = serde_json::to_string(&cost).unwrap();
        insta::assert_snapshot!(text, @r#"{"reboots":1,"download":null,"disk":9,"download-at-least":{"bytes":7,"of":{"files":{"known":1,"all":2}}}}"#);
        assert_eq!(serde_json::from_str::<Cost>(&text).unwrap(), cost);
        let older = r#"{"reboots":0,"download":null,"disk":null}"#;
        assert_eq!(serde_json::from_str::<Cost>(older).unwrap(), Cost::default());
    }

    #[test]
    fn a_total_counts_what_is_known_and_says_of_how_many_stages_more_is_not() {
        let whole = Cost { reboots: 0, download: Amount::All(5), disk: Amount::NOTHING };
        let part = Amount::All(3).of_part(Counted::Frameworks);
        let partly = Cost { reboots: 0, download: part, disk: Amount::Unknown(Gap::NotRead) };
        let total = TotalCost { stages: 2, download: 99, ..TotalCost::default() };
        let expected =
            TotalCost { unsized_stages: 1, download: 8, unsized_disk_stages: 1, disk: 0, ..total };
        assert_eq!(total.measured([&whole, &partly]), expected);
    }
}
