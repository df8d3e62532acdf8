//! What the planner is asked: a host with its environment, a wish, and the policy.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rocmenv_manifests::platform::OsFamily;
use rocmenv_manifests::project::{Accept, DriverSpec, Project};
use rocmenv_manifests::registry::{KnownGpu, Registry};
use rocmenv_manifests::upgrade::{Driver, FrameworkVersion, State};
use rocmenv_manifests::version::{Requirement, RocmVersion};

use super::firmware;
use crate::check::{CheckHost, Wish};
use crate::host::facts::HostFacts;
use crate::target::{Target, TargetDriver};

/// A host with what an environment on it is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpgradeHost {
    /// Its GPUs, which no stage moves.
    pub gpus: Vec<KnownGpu>,
    /// Whether it is a WSL distribution.
    pub wsl: bool,
    /// What stages move.
    pub state: State,
}

impl UpgradeHost {
    /// The host of a target, without an environment.
    pub fn of_target(target: &Target, registry: &Registry) -> Self {
        let known = CheckHost::of_target(target, registry);
        let state = State {
            os: known.system.map(|system| system.os),
            kernel: known.kernel.map(|kernel| kernel.to_string()),
            driver: known.driver.map(driver_of_target),
            ..State::default()
        };
        Self { gpus: known.gpus, wsl: target.wsl, state }
    }

    /// The host of a target that was made of these facts: they know the kernel whole, with the
    /// distribution's own number and family.
    pub fn of_facts(target: &Target, facts: &HostFacts, registry: &Registry) -> Self {
        let mut host = Self::of_target(target, registry);
        if let Some(release) = &facts.kernel.release {
            host.state.kernel = Some(release.clone());
        }
        host.state.firmware = firmware::of_facts(facts);
        host
    }

    /// The same host with an environment on it.
    #[must_use]
    pub fn with_environment(
        mut self,
        rocm: Option<RocmVersion>,
        python: Option<String>,
        frameworks: Vec<FrameworkVersion>,
    ) -> Self {
        self.state.rocm = rocm;
        self.state.python = python;
        self.state.frameworks = frameworks;
        self
    }

    /// Whether it runs Windows itself.
    pub fn is_windows(&self) -> bool {
        self.state.os.as_ref().is_some_and(|os| os.family() == OsFamily::Windows)
    }
}

/// The words of a target's driver as words of a state.
fn driver_of_target(driver: TargetDriver) -> Driver {
    match driver {
        TargetDriver::Amd(release) => Driver::Amd(release),
        TargetDriver::UnknownRelease { module } => Driver::Module(module),
        TargetDriver::InTree => Driver::InTree,
        TargetDriver::Adrenalin(version) => Driver::Adrenalin(version),
    }
}

/// What is wished for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Goal {
    /// The ROCm that is asked for (`--to`). `None` leaves it to the policy.
    pub rocm: Option<Requirement>,
    /// The driver that is asked for (`--driver`). `None` takes whatever serves.
    pub driver: Option<Driver>,
    /// The Python series that will do. `None` keeps the one in use where it can be kept.
    pub python: Option<Requirement>,
    /// Frameworks that the end must have, in the order of rocm.toml. On the way any version will
    /// do. Empty: those of the environment in use, in any version.
    pub frameworks: Vec<Wish>,
    /// Whether to go even where a GPU of the host is no longer listed.
    pub accept_losses: bool,
    /// Bytes of builds, by package and version as `FrameworkVersion::build` has them, where the
    /// caller knows any. The registry knows none.
    pub sizes: BTreeMap<String, u64>,
    /// What `[verify] bench` measures before a stage of the environment is kept.
    pub benches: Vec<String>,
}

/// `[policy]` as far as it steers an upgrade, with the day on which it is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpgradePolicy {
    /// Without a wish of one's own: the newest patch of the X.Y in use, before a newer X.Y.
    pub patch_first: bool,
    /// From how many months on a project is told that its X.Y is behind.
    pub behind_months: u32,
    /// Every how many days releases are looked for.
    pub check_days: u32,
    /// The worst verdict that a state on the way may rest on.
    pub accept: Accept,
    /// Whether a build that does not say its ROCm may be chosen.
    pub unproven: bool,
    /// Whether preview releases may be chosen.
    pub preview: bool,
    /// Today; `None` leaves ages out.
    pub today: Option<Date>,
    /// The day on which the user last looked for releases, where that is known.
    pub last_check: Option<Date>,
}

impl UpgradePolicy {
    /// The policy of a project on a day.
    pub fn of_project(project: &Project, today: Option<Date>) -> Self {
        let policy = &project.policy;
        Self {
            patch_first: policy.patch_first,
            behind_months: policy.behind_months,
            check_days: policy.check_days,
            accept: policy.accept,
            unproven: policy.unproven,
            preview: project.rocm.preview,
            today,
            last_check: None,
        }
    }
}

impl Default for UpgradePolicy {
    fn default() -> Self {
        Self {
            patch_first: true,
            behind_months: 6,
            check_days: 90,
            accept: Accept::Unknown,
            unproven: false,
            preview: false,
            today: None,
            last_check: None,
        }
    }
}

/// The words of rocm.toml's driver as words of a state.
pub fn driver_of_spec(spec: &DriverSpec) -> Driver {
    match spec {
        DriverSpec::Amd(release) => Driver::Amd(release.clone()),
        DriverSpec::InTree => Driver::InTree,
        DriverSpec::Adrenalin(version) => Driver::Adrenalin(version.clone()),
    }
}
