//! The machine that libraries are looked for on: this one, where the target is this one.

use std::path::Path;

use rocmenv_manifests::lock::{Contract, Predicate};
use rocmenv_manifests::platform::{Libc, OsFamily};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::Dotted;
use rocmenv_resolver::host::{LiveSysroot, Sysroot};
use rocmenv_resolver::proof::Platform;
use rocmenv_store::native::{DiskSource, defined_versions};

use crate::context::Context;
use crate::error::Error;
use crate::ops::fitness;
use crate::ops::host::{HostOptions, facts};

/// What is known of the target's own libraries.
pub(super) struct Host {
    /// Its system's family.
    pub(super) family: OsFamily,
    live: Option<LiveSysroot>,
    glibc: Option<Dotted>,
}

impl Host {
    /// This machine, where it fits the contract and was not described by a file.
    pub(super) fn of(
        context: &Context,
        registry: &Registry,
        contract: &Contract,
    ) -> Result<Self, Error> {
        let facts = facts(context, registry, &HostOptions::default())?;
        let family = contract.items.iter().find_map(|item| match item.predicate {
            Predicate::OsFamily(family) => Some(family),
            _ => None,
        });
        let family = family.or(facts.os.family).unwrap_or_default();
        let is_here = context.settings.host_file.is_none()
            && fitness::failing(contract, &facts, registry).is_empty();
        if is_here {
            let glibc = match facts.libc {
                Some(Libc::Glibc(version)) => Some(version),
                _ => None,
            };
            return Ok(Self {
                family,
                live: Some(LiveSysroot::new(std::collections::BTreeMap::new())),
                glibc,
            });
        }
        let floor = contract.items.iter().find_map(|item| match &item.predicate {
            Predicate::GlibcAtLeast(version) => Some(version.clone()),
            _ => None,
        });
        let described = match facts.libc {
            Some(Libc::Glibc(version)) if context.settings.host_file.is_some() => Some(version),
            _ => floor,
        };
        Ok(Self { family, live: None, glibc: described })
    }

    /// A machine of which no more is known than this.
    pub(super) fn elsewhere(family: OsFamily, libc: Option<&Libc>) -> Self {
        let glibc = match libc {
            Some(Libc::Glibc(version)) => Some(version.clone()),
            _ => None,
        };
        Self { family, live: None, glibc }
    }

    pub(super) fn sysroot(&self) -> Option<&dyn Sysroot> {
        self.live.as_ref().map(|live| live as &dyn Sysroot)
    }

    pub(super) fn platform(&self) -> Platform {
        let defined = || {
            let path = LIBSTDCXX.iter().map(Path::new).find(|path| path.exists())?;
            let versions = defined_versions(&DiskSource::open(path).ok()?);
            (!versions.is_empty()).then(|| versions.into_iter().collect())
        };
        Platform {
            glibc: self.glibc.clone(),
            libstdcxx: self.live.as_ref().and_then(|_| defined()),
        }
    }
}

const LIBSTDCXX: [&str; 4] = [
    "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
    "/usr/lib/aarch64-linux-gnu/libstdc++.so.6",
    "/usr/lib64/libstdc++.so.6",
    "/usr/lib/libstdc++.so.6",
];
