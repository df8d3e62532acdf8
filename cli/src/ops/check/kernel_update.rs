//! What a kernel update does to AMD's own driver, which is built anew for each kernel.

use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::registry::{Kernel, Registry};
use rocmenv_manifests::version::{Dotted, RocmVersion};
use rocmenv_resolver::check::CheckHost;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::target::{Target, TargetDriver};

use crate::context::Context;
use crate::ops::files;

/// Whether amdgpu-dkms is built for a kernel, or is known to build for it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum KernelUpdate {
    /// A module for the kernel is there already.
    Built {
        /// The driver in dkms.
        driver: String,
        /// The kernel.
        kernel: String,
    },
    /// The registry knows of a build for it, or that it fails.
    Known {
        /// The driver.
        driver: String,
        /// The kernel.
        kernel: String,
        /// Whether it builds.
        builds: bool,
        /// On whose word.
        basis: String,
    },
    /// Nothing was read of the pair.
    NotKnown {
        /// The driver.
        driver: String,
        /// The kernel.
        kernel: String,
    },
}

impl KernelUpdate {
    /// Of a host whose driver is AMD's own; `None` for the kernel's driver, which comes with it.
    pub fn of(
        host: &CheckHost,
        facts: &HostFacts,
        kernel: &Kernel,
        text: &str,
        registry: &Registry,
    ) -> Option<Self> {
        let release = match host.driver.as_ref()? {
            TargetDriver::Amd(release) => Some(release),
            TargetDriver::UnknownRelease { .. } => None,
            TargetDriver::InTree | TargetDriver::Adrenalin(_) => return None,
        };
        let trees = &facts.driver.dkms;
        if let Some(tree) = trees.iter().find(|tree| tree.kernels.iter().any(|one| one == text)) {
            return Some(Self::Built { driver: tree.version.clone(), kernel: text.to_owned() });
        }
        let row = release.and_then(|release| {
            registry.kernels().dkms.iter().find(|row| {
                row.driver.iter().any(|own| own.contains(release.parts()))
                    && Dotted::leading(&row.kernel)
                        .is_some_and(|own| kernel.version.starts_with(&own))
            })
        });
        let newest = trees.last().map(|tree| tree.version.clone());
        let driver = release.map(ToString::to_string).or(newest).unwrap_or_default();
        let kernel = text.to_owned();
        Some(match row {
            Some(row) => {
                Self::Known { driver, kernel, builds: row.builds, basis: row.basis.clone() }
            }
            None => Self::NotKnown { driver, kernel },
        })
    }
}

/// The release that is locked for a target, else the one that it has.
pub(super) fn running_rocm(context: &Context, target: &Target) -> Option<RocmVersion> {
    let text = files::read(&context.project().ok()?.lock()).ok();
    let lock = text.and_then(|text| Lock::parse(&text).ok());
    let env = &context.settings.env;
    let locked = lock.and_then(|lock| {
        let mut targets = lock.targets.into_iter();
        targets.find(|one| one.name == target.name && one.env == *env)?.rocm
    });
    locked.or_else(|| target.host_rocm.as_ref().map(|rocm| rocm.value.clone()))
}
