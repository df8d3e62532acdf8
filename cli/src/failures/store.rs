//! Errors of fetching, indexes and signatures.

use std::error::Error as StdError;

use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::channels::{Channel, ChannelKind};
use rocmenv_manifests::registry::rows::releases::ReleaseKind;
use rocmenv_store::bundle::BundleError;
use rocmenv_store::cache::{CatalogError, Cause};
use rocmenv_store::fetch::{FailureClass, FetchError};

use crate::error::{Exit, Failure};

impl Failure for FetchError {
    fn exit(&self) -> Exit {
        exit_of(self.class())
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Offline { .. } => "offline",
            Self::Status { .. } if not_served(self).is_some() => "not-served",
            Self::Network { .. } | Self::Status { .. } | Self::Broken { .. } => "network",
            Self::TooLarge { .. } => "too-large",
            Self::SizeMismatch { .. } | Self::HashMismatch { .. } => "hash-mismatch",
            Self::UnsafeName { .. } => "unsafe-name",
            Self::DiskFull { .. } => "disk-full",
            Self::Disk { .. } => "file-not-writable",
            Self::Setup { .. } => "network-setup",
        })
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Offline { .. } => Some("run it again without `--offline`".to_owned()),
            Self::DiskFull { .. } => Some("rocmenv gc".to_owned()),
            _ => not_served(self),
        }
    }
}

impl Failure for BundleError {
    fn exit(&self) -> Exit {
        match self {
            Self::NotOne { .. } | Self::Format { .. } => Exit::Unmet,
            Self::Damaged { .. } => Exit::Integrity,
            Self::Disk(inner) => inner.exit(),
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::NotOne { .. } | Self::Format { .. } => Some("bundle-missing"),
            Self::Damaged { .. } => Some("bundle-damaged"),
            Self::Disk(inner) => inner.code(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Disk(inner) => inner.help(),
            _ => Some("rocmenv fetch --to DIR (where there is a network)".to_owned()),
        }
    }
}

/// What 403 and 404 of AMD's hosts mean, with the channels that do serve the newest release.
fn not_served(error: &FetchError) -> Option<String> {
    let FetchError::Status { what, status } = error else { return None };
    if !matches!(status.as_u16(), 403 | 404) {
        return None;
    }
    let host = what.split('/').nth(2).unwrap_or_default();
    if !host.ends_with(".amd.com") && host != "repo.radeon.com" {
        return None;
    }
    let registry = Registry::embedded();
    let releases = registry.releases().release.iter();
    let newest = releases.filter(|row| row.kind == ReleaseKind::Production).map(|row| &row.version);
    let newest = newest.max()?;
    let channels = registry.channels_for(ChannelKind::Wheel, newest);
    let elsewhere = |channel: &&Channel| {
        let at = channel.url.as_deref().and_then(|url| url.split('/').nth(2));
        at != Some(host)
    };
    let names: Vec<&str> =
        channels.iter().copied().filter(elsewhere).map(|one| one.name.as_str()).collect();
    let names = if names.is_empty() { "no other channel".to_owned() } else { names.join(", ") };
    Some(format!(
        "not served here; ROCm {newest} is served by {names}: rocmenv outdated --online asks them all"
    ))
}

impl Failure for CatalogError {
    fn exit(&self) -> Exit {
        exit_of(self.class())
    }

    fn code(&self) -> Option<&'static str> {
        if let Cause::Cache(inner) = &*self.source {
            return inner.code();
        }
        Some(match self.class() {
            _ if matches!(*self.source, Cause::NotListed { .. }) => "not-served",
            FailureClass::Network if was_offline(self) => "offline",
            FailureClass::Network
                if transfer_behind(self).is_some_and(|e| not_served(e).is_some()) =>
            {
                "not-served"
            }
            FailureClass::Network => "network",
            FailureClass::Integrity => "index-integrity",
            FailureClass::Local => "index-local",
        })
    }

    fn help(&self) -> Option<String> {
        match &*self.source {
            Cause::NotListed { .. } => Some("rocmenv lock --upgrade".to_owned()),
            Cause::NoIndex => Some("name its address in `[indexes]`".to_owned()),
            Cause::Page(_) | Cause::Metadata(_) | Cause::Apt(_) | Cause::Cache(_) => {
                transfer_behind(self).and_then(Failure::help)
            }
        }
    }
}

fn was_offline(error: &CatalogError) -> bool {
    matches!(transfer_behind(error), Some(FetchError::Offline { .. }))
}

/// The failed transfer that an error goes back to: it says best what to do.
fn transfer_behind(error: &CatalogError) -> Option<&FetchError> {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(transfer) = error.downcast_ref() {
            return Some(transfer);
        }
        cause = error.source();
    }
    None
}

/// The exit code of a failed transfer.
pub(crate) fn exit_of_fetch(error: &FetchError) -> Exit {
    exit_of(error.class())
}

fn exit_of(class: FailureClass) -> Exit {
    match class {
        FailureClass::Network => Exit::Network,
        FailureClass::Integrity => Exit::Integrity,
        FailureClass::Local => Exit::Unmet,
    }
}
